import SyncFiles
import SyncText

/// A pack that is being written, under a name that shows it: 64 hexadecimal digits, as every
/// pack's, of which the first half are zeros and the others random.
struct PackDraft {
  let name: [UInt8]
  let file: Descriptor

  init(in directory: Descriptor) throws(Errno) {
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    let other = String(UInt64.random(in: .min ... .max), radix: 16)
    name = Array(
      (Self.start + Self.padded(number) + Self.padded(other)).utf8)
    file = try directory.open(name: name, .writingAnew, mode: 0o666)
  }

  static func isDraft(_ name: [UInt8]) -> Bool { name.starts(with: start.utf8) }

  private static let start = String(repeating: "0", count: 32)

  private static func padded(_ digits: String) -> String {
    String(repeating: "0", count: 16 - digits.count) + digits
  }
}
