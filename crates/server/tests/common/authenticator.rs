//! A device that makes and uses passkeys, as far as a server can see of it: real keys, real signatures, and everything it says can be
//! made wrong.

#![allow(unreachable_pub, dead_code)]

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use ciborium::{Value, cbor};
use ring::{
    rand::SystemRandom,
    signature::{
        ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair,
        RsaPublicKeyComponents,
    },
};
use sha2::{Digest, Sha256};

/// Somebody is there, and the device knows them.
pub const THERE: u8 = 0x05;

pub fn text(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

pub fn bytes(text: &str) -> Vec<u8> {
    BASE64_URL_SAFE_NO_PAD.decode(text).unwrap()
}

pub fn encode(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    ciborium::into_writer(value, &mut out).unwrap();
    out
}

pub enum Secret {
    Es256(EcdsaKeyPair),
    EdDsa(Ed25519KeyPair),
    Rs256(RsaKeyPair),
}

/// One passkey on a device.
pub struct Authenticator {
    pub secret: Secret,
    pub credential: Vec<u8>,
    pub counter: u32,
    pub flags: u8,
    /// The page it is asked by, and the name it takes that for.
    pub origin: String,
    pub name: String,
}

impl Authenticator {
    pub fn new(secret: Secret, origin: &str) -> Authenticator {
        let name = origin.split("://").nth(1).unwrap().split(':').next().unwrap().to_owned();
        let mut credential = vec![0; 16];
        getrandom::fill(&mut credential).unwrap();
        Authenticator { secret, credential, counter: 0, flags: THERE, origin: origin.to_owned(), name }
    }

    pub fn es256(origin: &str) -> Authenticator {
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, key.as_ref(), &random).unwrap();
        Authenticator::new(Secret::Es256(key), origin)
    }

    pub fn eddsa(origin: &str) -> Authenticator {
        let key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Authenticator::new(Secret::EdDsa(Ed25519KeyPair::from_pkcs8(key.as_ref()).unwrap()), origin)
    }

    /// Making such a key takes long; this one was made for tests and is nobody's.
    pub fn rs256(origin: &str) -> Authenticator {
        Authenticator::new(Secret::Rs256(RsaKeyPair::from_pkcs8(include_bytes!("rsa.pk8")).unwrap()), origin)
    }

    pub fn cose(&self) -> Value {
        match &self.secret {
            Secret::Es256(key) => {
                let point = key.public_key().as_ref();
                let [x, y] = [&point[1..33], &point[33..]].map(|half| Value::Bytes(half.to_vec()));
                cbor!({1 => 2, 3 => -7, -1 => 1, -2 => x, -3 => y}).unwrap()
            }
            Secret::EdDsa(key) => {
                let x = Value::Bytes(key.public_key().as_ref().to_vec());
                cbor!({1 => 1, 3 => -8, -1 => 6, -2 => x}).unwrap()
            }
            Secret::Rs256(key) => {
                let RsaPublicKeyComponents { n, e } = RsaPublicKeyComponents::<Vec<u8>>::from(key.public());
                let [n, e] = [n, e].map(Value::Bytes);
                cbor!({1 => 3, 3 => -257, -1 => n, -2 => e}).unwrap()
            }
        }
    }

    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match &self.secret {
            Secret::Es256(key) => key.sign(&random, message).unwrap().as_ref().to_vec(),
            Secret::EdDsa(key) => key.sign(message).as_ref().to_vec(),
            Secret::Rs256(key) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature).unwrap();
                signature
            }
        }
    }

    /// What the browser says of the page: `what` is `create` or `get`.
    pub fn client_data(&self, what: &str, challenge: &[u8]) -> Vec<u8> {
        let (challenge, origin) = (text(challenge), &self.origin);
        format!(r#"{{"type":"webauthn.{what}","challenge":"{challenge}","origin":"{origin}","crossOrigin":false}}"#)
            .into_bytes()
    }

    /// What the device says of itself, up to what follows for a new passkey.
    pub fn data(&self) -> Vec<u8> {
        let mut data = Sha256::digest(self.name.as_bytes()).to_vec();
        data.push(self.flags);
        data.extend(self.counter.to_be_bytes());
        data
    }

    /// What it says of itself with a new passkey, whose key is `key`.
    pub fn data_with(&self, key: &[u8]) -> Vec<u8> {
        let mut data = self.data();
        data[32] |= 0x40;
        data.extend([0; 16]);
        data.extend((self.credential.len() as u16).to_be_bytes());
        data.extend(&self.credential);
        data.extend(key);
        data
    }

    pub fn attestation(&self) -> Vec<u8> {
        attestation(self.data_with(&encode(&self.cose())))
    }

    /// What the device says of itself, and its signature under that and what the browser says.
    pub fn used(&self, client_data: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let data = self.data();
        let signature = self.sign(&[&data[..], &Sha256::digest(client_data)].concat());
        (data, signature)
    }
}

/// What comes of making a passkey.
pub fn attestation(data: Vec<u8>) -> Vec<u8> {
    encode(&cbor!({"fmt" => "none", "attStmt" => {}, "authData" => Value::Bytes(data)}).unwrap())
}
