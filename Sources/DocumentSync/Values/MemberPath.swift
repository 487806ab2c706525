private import SyncText

/// Where in a document a member stands: the names from the top down. Arrays are values as a whole,
/// so that no path leads into one.
public struct MemberPath: Sendable {
  /// The names, the outermost first; none for the whole document.
  public let names: [String]

  /// The whole document.
  public static let whole = MemberPath(names: [])

  /// The path of these names, the outermost first.
  public init(names: [String]) {
    self.names = names
  }

  /// The path of these names, the outermost first.
  public init(_ names: String...) {
    self.names = names
  }

  /// The path of a member of what stands here.
  package func appending(_ name: String) -> MemberPath {
    MemberPath(names: names + [name])
  }

  /// Whether `other` is this path, or leads to something inside of what stands here.
  package func contains(_ other: MemberPath) -> Bool {
    names.count <= other.names.count
      && zip(names, other.names).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }
}

extension MemberPath: Hashable {
  /// Equal to the byte: names that Unicode has for the same are two members.
  public static func == (one: MemberPath, other: MemberPath) -> Bool {
    one.names.count == other.names.count && one.contains(other)
  }

  /// By the bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(names.count)
    for name in names { hasher.combine(ByteString(name)) }
  }
}

extension MemberPath: ExpressibleByArrayLiteral {
  /// The path of these names, the outermost first.
  public init(arrayLiteral names: String...) {
    self.names = names
  }
}

extension MemberPath: CustomStringConvertible {
  /// The names with dots between them; one that isn't a plain word stands as a string of JSON:
  /// `meta.title`, `meta."first.last"`. Nothing for the whole document.
  public var description: String {
    names.map { Self.isPlain($0) ? $0 : String(decoding: JSONWriter.value($0), as: UTF8.self) }
      .joined(separator: ".")
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty
      && name.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-"
      }
  }
}
