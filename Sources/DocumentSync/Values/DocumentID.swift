/// What a document is called: unique in a store, and the same at the server.
public struct DocumentID: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The id as it was written.
  public let text: String

  /// An id from its text, which is taken as it is.
  public init(_ text: String) {
    self.text = text
  }

  /// Equal to the byte: a composed and a decomposed "é" are two.
  public static func == (one: DocumentID, other: DocumentID) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  /// By their bytes.
  public static func < (one: DocumentID, other: DocumentID) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  /// By the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }

  /// The id as it was written.
  public var description: String { text }
}
