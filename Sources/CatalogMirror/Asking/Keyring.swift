import SyncEssentials
import SyncText

/// Public keys as gpgv reads them.
struct Keyring: Equatable {
  /// Packets of OpenPGP, or a keybox of GnuPG.
  let bytes: [UInt8]

  /// Reads a file, as `gpg --export` writes it, with `--armor` or without.
  init(path: String) throws(KeyringProblem) {
    guard let bytes = FileManager.default.contents(atPath: path) else { throw .unreadable }
    try self.init(Array(bytes))
  }

  /// Takes keys out of their armour (RFC 9580, section 6.2), where they are in any. Text may stand
  /// between; the sum at the end of an armour needn't agree (section 6.1).
  init(_ bytes: [UInt8]) throws(KeyringProblem) {
    // Each packet begins with its highest bit set, and a keybox with a length in four bytes.
    guard let first = bytes.first, first > 0, first < 0x80 || bytes.starts(with: Self.mark) else {
      guard !bytes.isEmpty else { throw .noKeys }
      self.bytes = bytes
      return
    }
    var packets: [UInt8] = []
    var rest = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self).withoutOuterWhitespace }[...]
    while let start = rest.firstIndex(where: { $0.hasSuffix(Self.begin) }) {
      guard let end = rest[start...].firstIndex(of: Self.end) else { throw .damaged }
      packets += try Self.packets(in: rest[(start + 1)..<end])
      rest = rest[(end + 1)...]
    }
    guard !packets.isEmpty else { throw .noKeys }
    self.bytes = packets
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let begin = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
  private static let end = "-----END PGP PUBLIC KEY BLOCK-----"

  /// What stands between the headers, which a blank line ends, and the sum.
  private static func packets(in lines: ArraySlice<String>) throws(KeyringProblem) -> [UInt8] {
    guard let blank = lines.firstIndex(of: "") else { throw .damaged }
    let digits = lines[(blank + 1)...].filter { !$0.hasPrefix("=") }.joined()
    guard let packets = Data(base64Encoded: digits), !packets.isEmpty else { throw .damaged }
    return Array(packets)
  }
}
