import SyncFiles
import SyncText

/// A pack that is being written, under a name that shows it: 64 hexadecimal digits, as every
/// pack's, of which the first half are zeros and the others random.
///
/// Nobody but its owner may read it before the moment in which it gets its place: what it holds
/// may turn out to be a thing that must not be published.
struct PackDraft {
  let name: [UInt8]
  let file: Descriptor
  /// The rights that it is to have as a pack: those that the umask leaves.
  let mode: UInt32

  init(in directory: Descriptor) throws(Errno) {
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    let other = String(UInt64.random(in: .min ... .max), radix: 16)
    name = Array(
      (Self.start + Self.padded(number) + Self.padded(other)).utf8)
    file = try directory.open(name: name, .writingAnew, mode: 0o666)
    mode = try file.status().mode
    try file.setMode(0o600)
  }

  static func isDraft(_ name: [UInt8]) -> Bool { name.starts(with: start.utf8) }

  private static let start = String(repeating: "0", count: 32)

  private static func padded(_ digits: String) -> String {
    String(repeating: "0", count: 16 - digits.count) + digits
  }
}
