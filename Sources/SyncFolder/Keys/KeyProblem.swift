/// Why a key is no path below the folder. Each is a failure of that one entry.
public enum KeyProblem: Error, Hashable, Sendable {
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
}

extension KeyProblem: CustomStringConvertible {
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
