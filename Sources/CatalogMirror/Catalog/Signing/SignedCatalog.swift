package import SyncText

/// What a header says that a key has signed; nothing of it is believed before that was found out.
package struct SignedCatalog: Hashable, Sendable {
  /// The ids of the keys that have signed it, of those that were asked about.
  package var keys: [String] = []
  /// The digest of every byte after the header's line feed.
  package var body: SHA256Digest
  /// The state's number: of states that all bear good signatures, it tells the older ones.
  package var revision: Int64
  /// When it was published, in seconds since 1970; `nil` where it doesn't say.
  package var published: Int64?
  /// Until when it may be taken, in seconds since 1970; `nil` is for ever.
  package var expires: Int64?

  /// The most signatures that are looked at.
  package static let mostSignatures = 64

  /// Whether a line is a header that bears signatures, of whomever.
  static func isSigned(_ header: [UInt8]) -> Bool {
    guard let members = members(of: header) else { return false }
    let names = members.map { String(decoding: $0.name, as: UTF8.self) }
    return names.contains("catalog") && names.contains("signature")
  }

  /// Reads a header that bears signatures, without its line feed.
  ///
  /// Every signature by one of the keys has to be good, and there has to be one; those by other
  /// keys say nothing.
  package init(header: [UInt8], by keys: [Ed25519PublicKey]) throws(SignatureProblem) {
    // Of what stands behind the signatures nothing is signed: they have to be the last member.
    guard let members = Self.members(of: header), members.count >= 2,
      members[members.count - 1].name.elementsEqual("signature".utf8),
      members[members.count - 2].name.elementsEqual("body".utf8),
      let end = Self.end(of: header)
    else { throw .damaged }
    let signatures = try Self.signatures(in: members[members.count - 1].value)
    // What such a header lists by itself, nobody would look for in the lines.
    guard !members.contains(where: { $0.name.elementsEqual("items".utf8) }) else {
      throw .notInLines
    }
    let message = SignedHeader.message(of: header[..<end])
    let known = Dictionary(keys.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var signers: [String] = []
    for (id, signature) in signatures {
      guard let key = known[id] else { continue }
      guard key.hasSigned(message, by: signature) else { throw .badSignature(id) }
      if !signers.contains(id) { signers.append(id) }
    }
    guard let signer = signers.first else { throw .unknownKeys(signatures.map(\.id)) }
    guard let digest = members[members.count - 2].value.string, digest.utf8.count == 64,
      let body = SHA256Digest(hexadecimal: digest)
    else { throw .damaged }
    let member = { (name: String) in
      members.first { $0.name.elementsEqual(name.utf8) && !$0.value.isNull }?.value
    }
    guard let revision = member("revision")?.integer else { throw .unordered(signer) }
    (self.keys, self.body, self.revision) = (signers, body, revision)
    published = try Self.date(member("published"), roundedUp: false)
    expires = try Self.date(member("expires"), roundedUp: true)
  }

  private static func members(of header: [UInt8]) -> [JSONValue.Member]? {
    (try? JSONValue(header, in: header.indices, nesting: 64))?.members
  }

  /// Where the mark stands that ends what is signed: the last one, since whoever writes something
  /// behind the true one may write another.
  private static func end(of header: [UInt8]) -> Int? {
    let mark = SignedHeader.mark
    guard header.count >= mark.count else { return nil }
    return (0...header.count - mark.count).last { header[$0...].starts(with: mark) }
  }

  private static func signatures(
    in value: JSONValue
  ) throws(SignatureProblem) -> [(id: String, bytes: [UInt8])] {
    guard value.isArray, !value.holds(moreThan: mostSignatures), let elements = value.elements,
      !elements.isEmpty
    else { throw .damaged }
    var signatures: [(id: String, bytes: [UInt8])] = []
    for element in elements {
      // One of another kind is another reader's.
      guard let id = element["key"]?.string, let text = element["ed25519"]?.string else {
        continue
      }
      guard let bytes = Base64.bytes(of: text) else { throw .damaged }
      signatures.append((ByteString.escape(id.utf8.prefix(64)), bytes))
    }
    return signatures
  }

  private static func date(
    _ value: JSONValue?, roundedUp: Bool
  ) throws(SignatureProblem) -> Int64? {
    guard let value else { return nil }
    guard let text = value.string, let seconds = CivilTime.rfc3339(text) else { throw .damaged }
    return Int64(seconds.rounded(roundedUp ? .up : .down))
  }
}
