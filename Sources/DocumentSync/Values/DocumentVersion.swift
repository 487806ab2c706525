/// A server's name for one state of a document, as it gave it: an entity tag, a revision, a time.
///
/// Whether two states are the same, equal versions tell. Which is the newer one, they don't.
public struct DocumentVersion: Sendable, Hashable, CustomStringConvertible {
  /// The version as the server wrote it.
  public let text: String

  /// A version from what a server wrote.
  public init(_ text: String) {
    self.text = text
  }

  /// Equal to the byte: what Unicode has for the same, a server may not.
  public static func == (one: DocumentVersion, other: DocumentVersion) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  /// By the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }

  /// The version as the server wrote it.
  public var description: String { text }
}
