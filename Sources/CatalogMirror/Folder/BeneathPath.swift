/// A path below the folder, of the mirrored tree or of `.mirror/`: what the store works with.
///
/// Made only from validated paths, from names that the system listed, and from our own constants,
/// so no component is empty, `.` or `..`.
struct BeneathPath: Hashable, Sendable {
  /// Components joined by `/`; empty for the folder itself.
  let bytes: [UInt8]

  /// The folder itself.
  static let root = BeneathPath(bytes: [])

  /// The hidden folder that holds what isn't mirrored.
  static let control = BeneathPath(bytes: Array(".mirror".utf8))

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The place of a validated path.
  init(_ path: RelativePath) {
    bytes = path.bytes
  }

  /// Whether this is the folder itself.
  var isRoot: Bool { bytes.isEmpty }

  /// The directory that this stands in; the folder's own is the folder.
  var parent: BeneathPath {
    guard let slash = bytes.lastIndex(of: Self.separator) else { return .root }
    return BeneathPath(bytes: Array(bytes[..<slash]))
  }

  /// The first component; empty for the folder itself.
  var top: BeneathPath {
    BeneathPath(bytes: Array(bytes.prefix { $0 != Self.separator }))
  }

  /// The last component.
  var name: [UInt8] {
    guard let slash = bytes.lastIndex(of: Self.separator) else { return bytes }
    return Array(bytes[(slash + 1)...])
  }

  /// What stands under `name` in this directory.
  func appending(_ name: [UInt8]) -> BeneathPath {
    isRoot ? BeneathPath(bytes: name) : BeneathPath(bytes: bytes + [Self.separator] + name)
  }

  /// What stands under `name` in this directory.
  func appending(_ name: String) -> BeneathPath { appending(Array(name.utf8)) }

  /// What stands under `path`, seen from this directory.
  func appending(_ path: BeneathPath) -> BeneathPath {
    path.isRoot ? self : appending(path.bytes)
  }

  /// What stands under a name that we made up ourselves: letters, digits, `-`, `_` and `.`, not
  /// beginning with a dot, 200 bytes at most. Anything else is refused.
  func appending(plain name: String) throws -> BeneathPath {
    let path = appending(name)
    guard (1...200).contains(name.utf8.count), name.utf8.allSatisfy(Self.plain.contains),
      !name.hasPrefix(".")
    else { throw FolderError(.failed, path.description, reason: "not a plain name") }
    return path
  }

  private static let separator = UInt8(ascii: "/")
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.".utf8)
}

extension BeneathPath: CustomStringConvertible {
  /// For printing; a control character, a backslash or a byte that isn't UTF-8 is written `\xNN`.
  var description: String { isRoot ? "the folder" : Self.escaped(bytes) }

  /// `text` for printing, escaped the same way.
  static func escaped(_ text: String) -> String { escaped(Array(text.utf8)) }

  private static func escaped(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) {
      return text.unicodeScalars.map { isPlain($0) ? String($0) : hexadecimal($0) }.joined()
    }
    return bytes.map { byte in
      let scalar = Unicode.Scalar(byte)
      return byte < 0x80 && isPlain(scalar) ? String(scalar) : hexadecimal(scalar)
    }.joined()
  }

  // Format characters are left out too: some turn the writing direction of a terminal.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
    default: scalar != "\\"
    }
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let bytes = scalar.value < 0x100 ? [UInt8(scalar.value)] : Array(String(scalar).utf8)
    return bytes.map { byte in
      let digits = String(byte, radix: 16)
      return "\\x" + (digits.count == 1 ? "0" + digits : digits)
    }.joined()
  }
}
