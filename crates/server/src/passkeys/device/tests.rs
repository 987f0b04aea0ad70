use super::*;
use crate::passkeys::key::PublicKey;
use ciborium::cbor;
use people::PasskeyId;
use proptest::prelude::*;
use table::PersonId;

#[path = "../../../tests/common/authenticator.rs"]
mod authenticator;

use authenticator::{Authenticator, attestation, encode};

const ORIGIN: &str = "https://club.example";
const CHALLENGE: [u8; 32] = [9; 32];

fn site() -> Site {
    Site { origin: ORIGIN.to_owned(), name: "club.example".to_owned() }
}

fn all_kinds() -> [Authenticator; 3] {
    [Authenticator::es256(ORIGIN), Authenticator::eddsa(ORIGIN), Authenticator::rs256(ORIGIN)]
}

fn kept(device: &Authenticator) -> Passkey {
    let NewKey { credential, key, counter } = made(&device.attestation(), &site()).unwrap();
    let (id, agent) = (PasskeyId("p".to_owned()), String::new());
    Passkey { credential, id, who: PersonId(7), site: ORIGIN.to_owned(), key, counter, agent, made: 0, seen: None }
}

/// Uses a passkey, as the device is now.
fn uses(device: &Authenticator, passkey: &Passkey) -> Result<u32, Unfit> {
    let json = device.client_data("get", &CHALLENGE);
    let client = ClientData::read(&json, Question::Use, &site())?;
    let (data, signature) = device.used(&json);
    Signed { client: &client, device: &data, signature: &signature }.by(passkey, &site())
}

#[test]
fn each_kind_of_key_is_made_and_used() {
    for mut device in all_kinds() {
        let passkey = kept(&device);
        assert_eq!((&passkey.credential, passkey.counter), (&device.credential, 0));
        assert_eq!(passkey.key, encode(&device.cose()), "the key as it came, and nothing else");
        assert_eq!(uses(&device, &passkey), Ok(0));
        device.counter = 7;
        assert_eq!(uses(&device, &passkey), Ok(7));
    }
}

#[test]
fn what_the_browser_says_is_what_was_asked() {
    let device = Authenticator::es256(ORIGIN);
    let read = |json: &[u8]| ClientData::read(json, Question::Use, &site());
    assert_eq!(read(&device.client_data("get", &CHALLENGE)).unwrap().challenge, CHALLENGE);
    assert_eq!(read(&device.client_data("create", &CHALLENGE)), Err(Unfit::OtherQuestion));
    let make = ClientData::read(&device.client_data("get", &CHALLENGE), Question::Make, &site());
    assert_eq!(make, Err(Unfit::OtherQuestion));
    for origin in [
        "https://evil.example",
        "http://club.example",
        "https://club.example:8443",
        "https://club.example.evil.example",
        "",
    ] {
        let device = Authenticator { origin: origin.to_owned(), ..Authenticator::es256(ORIGIN) };
        assert_eq!(read(&device.client_data("get", &CHALLENGE)), Err(Unfit::OtherSite), "{origin}");
    }
    let text = String::from_utf8(device.client_data("get", &CHALLENGE)).unwrap();
    let within = text.replace("\"crossOrigin\":false", "\"crossOrigin\":true");
    assert_eq!(read(within.as_bytes()), Err(Unfit::OtherSite), "in a frame of another page");
    let more = text.replace('}', ",\"other_keys_can_be_added_here\":{\"x\":[1]}}");
    assert!(read(more.as_bytes()).is_ok(), "browsers may say more");
    let twice = text.replace('}', ",\"origin\":\"https://club.example\"}");
    for unreadable in ["", "{}", "null", "[]", &text[1..], &twice, &text.replace("CQ", "**")] {
        assert_eq!(read(unreadable.as_bytes()), Err(Unfit::Unreadable), "{unreadable}");
    }
}

#[test]
fn the_device_is_asked_by_our_page_and_asks_who_is_there() {
    for (change, unfit) in [
        (
            &(|device: &mut Authenticator| device.name = "evil.example".to_owned()) as &dyn Fn(&mut Authenticator),
            Unfit::OtherSite,
        ),
        (&|device| device.flags = 0x04, Unfit::NobodyThere),
        (&|device| device.flags = 0x01, Unfit::NotVerified),
    ] {
        let mut device = Authenticator::es256(ORIGIN);
        let passkey = kept(&device);
        change(&mut device);
        assert_eq!(uses(&device, &passkey), Err(unfit));
        assert_eq!(made(&device.attestation(), &site()), Err(unfit));
    }
}

#[test]
fn a_signature_is_by_this_key_of_all_that_was_said() {
    for device in all_kinds() {
        let passkey = kept(&device);
        let json = device.client_data("get", &CHALLENGE);
        let client = ClientData::read(&json, Question::Use, &site()).unwrap();
        let (data, signature) = device.used(&json);
        let by = |client: &ClientData, device: &[u8], signature: &[u8]| {
            Signed { client, device, signature }.by(&passkey, &site())
        };
        assert_eq!(by(&client, &data, &signature), Ok(0));
        let other = ClientData::read(&device.client_data("get", &[8; 32]), Question::Use, &site()).unwrap();
        assert_eq!(by(&other, &data, &signature), Err(Unfit::NotSigned), "of another challenge");
        let mut counted = data.clone();
        counted[36] += 1;
        assert_eq!(by(&client, &counted, &signature), Err(Unfit::NotSigned), "of another count");
        for at in [0, signature.len() / 2, signature.len() - 1] {
            let mut wrong = signature.clone();
            wrong[at] ^= 1;
            assert_eq!(by(&client, &data, &wrong), Err(Unfit::NotSigned), "{at}");
        }
        assert_eq!(by(&client, &data, &[]), Err(Unfit::NotSigned));
        assert_eq!(by(&client, &data, &signature[1..]), Err(Unfit::NotSigned));
    }
    // Of a key of the same kind, and of another.
    let passkey = kept(&Authenticator::es256(ORIGIN));
    for device in all_kinds() {
        assert_eq!(uses(&device, &passkey), Err(Unfit::NotSigned));
    }
}

#[test]
fn a_passkey_is_good_on_the_page_it_was_made_on() {
    let device = Authenticator::es256(ORIGIN);
    let elsewhere = Passkey { site: "https://club.example:8443".to_owned(), ..kept(&device) };
    assert_eq!(uses(&device, &elsewhere), Err(Unfit::OtherSite), "though devices know both by one name");
}

#[test]
fn a_device_that_counts_never_counts_back() {
    for (before, now, fits) in
        [(0, 0, true), (0, 1, true), (5, 6, true), (5, 5, false), (5, 4, false), (5, 0, false), (u32::MAX, 1, false)]
    {
        let mut device = Authenticator::eddsa(ORIGIN);
        let passkey = Passkey { counter: before, ..kept(&device) };
        device.counter = now;
        assert_eq!(uses(&device, &passkey), if fits { Ok(now) } else { Err(Unfit::Copied) }, "{before} {now}");
    }
}

#[test]
fn only_keys_that_can_be_checked_are_taken() {
    let key = |value: Value| PublicKey::read(&mut encode(&value).as_slice());
    let [x, y] = [1, 2].map(|byte| Value::Bytes(vec![byte; 32]));
    let n = |bytes| Value::Bytes(vec![0xff; bytes]);
    let e = Value::Bytes(vec![1, 0, 1]);
    assert!(key(cbor!({1 => 2, 3 => -7, -1 => 1, -2 => x, -3 => y}).unwrap()).is_some());
    assert!(key(cbor!({1 => 3, 3 => -257, -1 => n(512), -2 => e}).unwrap()).is_some());
    let (short, long) = (Value::Bytes(vec![1; 31]), Value::Bytes(vec![1; 33]));
    for wrong in [
        cbor!({1 => 2, 3 => -35, -1 => 2, -2 => x, -3 => y}),
        cbor!({1 => 2, 3 => -7, -1 => 2, -2 => x, -3 => y}),
        cbor!({1 => 1, 3 => -7, -1 => 1, -2 => x, -3 => y}),
        cbor!({1 => 2, 3 => -7, -1 => 1, -2 => x, -3 => true}),
        cbor!({1 => 2, 3 => -7, -1 => 1, -2 => x}),
        cbor!({1 => 2, 3 => -7, -1 => 1, -2 => short, -3 => long}),
        cbor!({1 => 1, 3 => -8, -1 => 6, -2 => short}),
        cbor!({1 => 1, 3 => -8, -1 => 7, -2 => x}),
        cbor!({1 => 3, 3 => -257, -1 => n(255), -2 => e}),
        cbor!({1 => 3, 3 => -257, -1 => n(513), -2 => e}),
        cbor!({1 => 3, 3 => -257, -1 => n(256), -2 => n(5)}),
        cbor!({3 => -7}),
        cbor!([1, 2]),
        cbor!("key"),
    ] {
        let wrong = wrong.unwrap();
        assert_eq!(key(wrong.clone()), None, "{wrong:?}");
    }
    let twice = Value::Map(
        [(1, 2), (1, 2), (3, -7), (-1, 1)].map(|(name, value)| (Value::from(name), Value::from(value))).to_vec(),
    );
    let Value::Map(mut fields) = twice else { unreachable!() };
    fields.extend([(Value::from(-2), x), (Value::from(-3), y)]);
    assert_eq!(key(Value::Map(fields)), None, "a field that is there twice");
}

#[test]
fn what_is_cut_short_or_goes_on_is_not_read() {
    let device = Authenticator::es256(ORIGIN);
    let key = encode(&device.cose());
    let whole = device.data_with(&key);
    assert!(made(&attestation(whole.clone()), &site()).is_ok());
    for length in 0..whole.len() {
        assert_eq!(made(&attestation(whole[..length].to_vec()), &site()), Err(Unfit::Unreadable), "{length}");
    }
    assert_eq!(made(&attestation([&whole[..], &[0]].concat()), &site()), Err(Unfit::Unreadable));
    let sent = device.attestation();
    for length in 0..sent.len() {
        assert_eq!(made(&sent[..length], &site()), Err(Unfit::Unreadable), "{length}");
    }
    assert_eq!(made(&[&sent[..], &[0]].concat(), &site()), Err(Unfit::Unreadable));
    assert_eq!(made(&attestation(device.data()), &site()), Err(Unfit::Unreadable), "no passkey in it");
    // More, where the device says that there is more: a map.
    let mut with_more = whole.clone();
    with_more[32] |= 0x80;
    let more = |value: Value| made(&attestation([&with_more[..], &encode(&value)].concat()), &site());
    assert_eq!(more(cbor!({"credProtect" => 2}).unwrap()).unwrap().key, key);
    assert_eq!(more(cbor!(2).unwrap()), Err(Unfit::Unreadable));
    // A name as long as names may be, a longer one, and none.
    for (length, good) in [(0, false), (1, true), (LONGEST_NAME, true), (LONGEST_NAME + 1, false)] {
        let device = Authenticator { credential: vec![7; length], ..Authenticator::es256(ORIGIN) };
        assert_eq!(made(&device.attestation(), &site()).is_ok(), good, "{length}");
    }
}

#[test]
fn nothing_that_claims_to_be_large_or_deep_costs_anything() {
    // Bytes, a text, a list and a map of 2⁶⁰ parts, of which none come; a million lists in each other.
    for head in [0x5b, 0x7b, 0x9b, 0xbb] {
        assert_eq!(made(&[&[head, 0x10][..], &[0; 7]].concat(), &site()), Err(Unfit::Unreadable), "{head:x}");
    }
    assert_eq!(made(&vec![0x81; 1_000_000], &site()), Err(Unfit::Unreadable));
    assert_eq!(made(&vec![0x9f; 1_000_000], &site()), Err(Unfit::Unreadable));
}

proptest! {
    #[test]
    fn any_bytes_are_refused_without_a_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..600), signature in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        prop_assert!(made(&bytes, &site()).is_err());
        prop_assert!(ClientData::read(&bytes, Question::Use, &site()).is_err());
        let _ = PublicKey::read(&mut bytes.as_slice());
        prop_assert!(made(&attestation(bytes.clone()), &site()).is_err());
        let device = Authenticator::eddsa(ORIGIN);
        let client = ClientData::read(&device.client_data("get", &CHALLENGE), Question::Use, &site()).unwrap();
        let signed = Signed { client: &client, device: &bytes, signature: &signature };
        prop_assert!(signed.by(&kept(&device), &site()).is_err());
    }

    #[test]
    fn a_passkey_with_some_bytes_changed_is_read_or_refused(at in any::<prop::sample::Index>(), to in any::<u8>()) {
        let device = Authenticator::rs256(ORIGIN);
        let mut bytes = device.attestation();
        let at = at.index(bytes.len());
        bytes[at] = to;
        if let Ok(new) = made(&bytes, &site()) {
            prop_assert!(PublicKey::read(&mut new.key.as_slice()).is_some());
        }
    }
}
