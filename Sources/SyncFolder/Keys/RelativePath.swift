package import SyncText

/// A path below the mirrored folder that can't lead out of it: a key that was checked.
///
/// Valid UTF-8, relative, without empty, `.` or `..` components, control characters or backslashes,
/// short enough, and not in `.mirror`. Line separators (U+2028, U+2029) and bidirectional controls
/// are let through: they stand in real file names, no file system minds them, and every output
/// escapes them (``ByteString/description``).
package struct RelativePath: Hashable, Sendable, CustomStringConvertible {
  /// The bytes, the same as the key's; never empty.
  package let bytes: [UInt8]

  /// The most bytes that one component may have: what Linux file systems store.
  package static let maximumComponentLength = 255
  /// The most bytes that a path may have: `PATH_MAX` (4,096) less 256, the room for the prefix
  /// under which staging, quarantine and displaced files keep the same path.
  package static let maximumLength = 4_096 - 256

  /// The name of the mirror's own folder, in which no key may lie.
  package static let mirrorFolder = ".mirror"

  /// Checks a key.
  /// - Throws: the first ``KeyProblem`` that is found.
  package init(_ key: ByteString) throws(KeyProblem) {
    let bytes = key.bytes
    if !Self.isPlain(bytes) { try Self.check(bytes) }
    self.bytes = bytes
  }

  /// The path of a key that was checked before, for a type that no other key can be in, as the
  /// mirror's `PlaceableEntry` is one.
  package init(ofChecked key: ByteString) {
    assert((try? RelativePath(key)) != nil, "the key wasn't checked")
    bytes = key.bytes
  }

  /// Whether there is nothing in a path but printable ASCII without backslashes and components that
  /// don't begin with a dot, none empty or too long: nearly all paths are so, and that is seen in
  /// one walk.
  private static func isPlain(_ bytes: [UInt8]) -> Bool {
    var start = 0
    for (place, byte) in bytes.enumerated() {
      if byte == slash {
        guard place > start, place - start <= maximumComponentLength else { return false }
        start = place + 1
      } else {
        guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "\\"),
          place > start || byte != UInt8(ascii: ".")
        else { return false }
      }
    }
    return bytes.count > start && bytes.count - start <= maximumComponentLength
      && bytes.count <= maximumLength
  }

  private static func check(_ bytes: [UInt8]) throws(KeyProblem) {
    guard let first = bytes.first else { throw .empty }
    guard bytes.count <= maximumLength else { throw .tooLong(bytes.count) }
    guard first != slash else { throw .absolute }
    try checkCharacters(bytes)
    var isFirst = true
    for component in bytes.split(separator: slash, omittingEmptySubsequences: false) {
      try checkComponent(component, isFirst: isFirst)
      isFirst = false
    }
  }

  private static let slash = UInt8(ascii: "/")

  private static func checkCharacters(_ bytes: [UInt8]) throws(KeyProblem) {
    // ASCII is UTF-8, and nearly all that there is.
    guard bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil
    else { throw .notUTF8 }
    var previous: UInt8 = 0
    for byte in bytes {
      // C1 controls, U+0080 to U+009F, are C2 80 to C2 9F in UTF-8.
      let isC1 = previous == 0xC2 && byte <= 0x9F
      guard byte >= 0x20, byte != 0x7F, !isC1 else { throw .controlCharacter }
      guard byte != UInt8(ascii: "\\") else { throw .backslash }
      previous = byte
    }
  }

  private static func checkComponent(
    _ component: ArraySlice<UInt8>, isFirst: Bool
  ) throws(KeyProblem) {
    guard !component.isEmpty else { throw .emptyComponent }
    guard component.count <= maximumComponentLength else {
      throw .componentTooLong(component.count)
    }
    guard !component.elementsEqual(".".utf8), !component.elementsEqual("..".utf8) else {
      throw .dotComponent
    }
    if isFirst, component.elementsEqual(mirrorFolder.utf8) { throw .insideMirrorFolder }
  }

  package var key: ByteString { ByteString(bytes: bytes) }

  /// The path of the directory that it lies in; `nil` where that is the folder itself.
  package var directory: RelativePath? {
    bytes.lastIndex(of: Self.slash).map { slash in
      RelativePath(ofChecked: ByteString(bytes: Array(bytes[..<slash])))
    }
  }

  /// The names between the slashes, outermost first; never empty, nor is any of them.
  package var components: [[UInt8]] { bytes.split(separator: Self.slash).map(Array.init) }

  /// The path as text. Compare and store ``bytes``: `String` folds Unicode forms.
  package var string: String { String(decoding: bytes, as: UTF8.self) }

  package var description: String { key.description }
}

/// Why a key is no path below the folder. Each is a failure of that one entry.
public enum KeyProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// There are no bytes.
  case empty
  /// The bytes are not UTF-8 (RFC 3629); a lone surrogate in a JSON string ends here too.
  case notUTF8
  /// It begins with a slash.
  case absolute
  /// Two slashes follow each other, or it ends with one.
  case emptyComponent
  /// A component is `.` or `..`.
  case dotComponent
  /// It holds a control character: U+0000 to U+001F, U+007F to U+009F.
  case controlCharacter
  /// It holds a backslash, which other systems read as a separator.
  case backslash
  /// A component has this many bytes, and 255 are allowed.
  case componentTooLong(Int)
  /// The whole has this many bytes, and `RelativePath.maximumLength` are allowed.
  case tooLong(Int)
  /// Its first component is `.mirror`, the mirror's own folder.
  case insideMirrorFolder

  /// What is wrong, as the end of a sentence that began with the key.
  public var description: String {
    switch self {
    case .empty: "is empty"
    case .notUTF8: "isn't valid UTF-8"
    case .absolute: "begins with a slash; a key is relative"
    case .emptyComponent: "has an empty component; use single slashes and none at the end"
    case .dotComponent: "has a component '.' or '..'"
    case .controlCharacter: "holds a control character"
    case .backslash: "holds a backslash; separate components with slashes"
    case .componentTooLong(let count):
      "has a component of \(count) bytes; at most \(RelativePath.maximumComponentLength) fit"
    case .tooLong(let count):
      "has \(count) bytes; at most \(RelativePath.maximumLength) fit"
    case .insideMirrorFolder: "lies in .mirror, which is the mirror's own folder"
    }
  }
}
