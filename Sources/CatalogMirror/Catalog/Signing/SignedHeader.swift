import SyncText

/// What a signature of a catalog is of, for who makes it and who checks it.
///
/// The header of a signed catalog ends with two members: `body`, the SHA-256 of every byte after
/// the header's line feed, and `signature`, an array of objects, each with the id of a key (`key`)
/// and its signature (`ed25519`, in Base64). What is signed is a text that nothing else begins
/// with, and the digest of the header's bytes before the comma that stands before `"signature":`.
/// So the header is believed before the lines have come, and the lines by its `body`.
package enum SignedHeader {
  /// What stands before the signatures in the bytes of the header.
  package static let mark = Array(#","signature":"#.utf8)

  /// What is signed of a header that begins with these bytes, up to the mark.
  package static func message(of start: some Sequence<UInt8>) -> [UInt8] {
    Array("owsync catalog 1\n".utf8) + SHA256Digest(of: start).bytes
  }
}
