//! The half of a passkey that a server is given: [`PublicKey`], one of three kinds of COSE key (RFC 9052, RFC 8230).

use super::cbor;
use ciborium::Value;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};

/// The algorithms that devices may use, by their COSE numbers, the one most of them have first: ECDSA with P-256 and SHA-256, Ed25519,
/// and RSA with SHA-256, for Windows.
pub(super) const ALGORITHMS: [i64; 3] = [ES256, EDDSA, RS256];
const ES256: i64 = -7;
const EDDSA: i64 = -8;
const RS256: i64 = -257;

/// A modulus has 2048 to 4096 bits.
const MODULUS: std::ops::RangeInclusive<usize> = 256..=512;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PublicKey {
    /// A point of P-256: 4, then both coordinates.
    Es256([u8; 65]),
    EdDsa([u8; 32]),
    Rs256 {
        n: Vec<u8>,
        e: Vec<u8>,
    },
}

impl PublicKey {
    /// Reads the key that `bytes` begins with, and leaves what follows it.
    pub(super) fn read(bytes: &mut &[u8]) -> Option<PublicKey> {
        let Some(Value::Map(fields)) = cbor::read(bytes) else { return None };
        let field = |name: i64| cbor::field(&fields, &Value::from(name));
        let number = |name| field(name).and_then(|value| i64::try_from(value.as_integer()?).ok());
        let bytes = |name| field(name).and_then(Value::as_bytes);
        // The kind of the key, the algorithm, and the curve where there is one.
        match (number(1)?, number(3)?, number(-1)) {
            (2, ES256, Some(1)) => {
                let (x, y) = (bytes(-2)?, bytes(-3)?);
                // Without the lengths, 31 and 33 bytes would do too.
                let point = [&[4], x.as_slice(), y].concat();
                (x.len() == 32).then_some(PublicKey::Es256(point.try_into().ok()?))
            }
            (1, EDDSA, Some(6)) => Some(PublicKey::EdDsa(bytes(-2)?.as_slice().try_into().ok()?)),
            (3, RS256, None) => {
                let (n, e) = (bytes(-1)?.clone(), bytes(-2)?.clone());
                (MODULUS.contains(&n.len()) && e.len() <= 4).then_some(PublicKey::Rs256 { n, e })
            }
            _ => None,
        }
    }

    /// Whether whoever has the other half has signed `message` so.
    pub(super) fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        match self {
            PublicKey::Es256(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point).verify(message, signature).is_ok()
            }
            PublicKey::EdDsa(key) => UnparsedPublicKey::new(&ED25519, key).verify(message, signature).is_ok(),
            PublicKey::Rs256 { n, e } => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature).is_ok()
            }
        }
    }
}
