/// What stands in the armour of a text (RFC 7468): certificates and keys, as OpenSSL writes them.
package struct PEMText {
  package struct Block: Hashable, Sendable {
    /// What it is, such as `PUBLIC KEY`.
    package var label: String
    package var bytes: [UInt8]
  }

  /// The blocks that are whole, in their order; text may stand between.
  package let blocks: [Block]

  package init(_ bytes: [UInt8]) {
    var blocks: [Block] = []
    var (label, digits) = (nil as String?, "")
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let line = String(decoding: line, as: UTF8.self).withoutOuterWhitespace
      if let begun = Self.label(of: line, "-----BEGIN ") {
        (label, digits) = (begun, "")
      } else if let ended = Self.label(of: line, "-----END ") {
        if ended == label, let bytes = Base64.bytes(of: digits), !bytes.isEmpty {
          blocks.append(Block(label: ended, bytes: bytes))
        }
        label = nil
      } else if label != nil {
        digits += line
      }
    }
    self.blocks = blocks
  }

  private static func label(of line: String, _ start: String) -> String? {
    guard line.hasPrefix(start), line.hasSuffix("-----") else { return nil }
    return String(line.dropFirst(start.count).dropLast(5))
  }
}

extension Ed25519PublicKey {
  /// What stands before the key in its `SubjectPublicKeyInfo` (RFC 8410, section 4).
  private static let start: [UInt8] = [
    0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
  ]

  /// The key in a block `PUBLIC KEY`; `nil` for one of another kind.
  package init?(_ block: PEMText.Block) {
    guard block.label == "PUBLIC KEY", block.bytes.starts(with: Self.start) else { return nil }
    self.init(bytes: Array(block.bytes.dropFirst(Self.start.count)))
  }
}

extension Ed25519PrivateKey {
  /// What stands before the key in its `OneAsymmetricKey` of version 1 (RFC 8410, section 7).
  private static let start: [UInt8] = [
    0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
  ]

  /// The key in a block `PRIVATE KEY`; `nil` for one of another kind.
  package init?(_ block: PEMText.Block) {
    guard block.label == "PRIVATE KEY", block.bytes.starts(with: Self.start) else { return nil }
    self.init(seed: Array(block.bytes.dropFirst(Self.start.count)))
  }
}
