//! Reading the little CBOR that devices send (RFC 8949). What comes in is a few kilobytes at most: the length of a request is limited.

use ciborium::{Value, de::from_reader_with_recursion_limit};

/// Nothing that is read here is nested deeper.
const DEEPEST: usize = 8;

/// The value that `bytes` begins with; what follows it is left.
pub(super) fn read(bytes: &mut &[u8]) -> Option<Value> {
    from_reader_with_recursion_limit(bytes, DEEPEST).ok()
}

/// The field of this name, if there is one and not two.
pub(super) fn field<'a>(fields: &'a [(Value, Value)], name: &Value) -> Option<&'a Value> {
    let mut found = fields.iter().filter(|(known, _)| known == name).map(|(_, value)| value);
    let first = found.next();
    first.filter(|_| found.next().is_none())
}
