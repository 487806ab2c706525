/// A file that isn't where it's to be, and why.
public struct FileTrouble: Sendable, Hashable {
  /// What it's kept from.
  public enum Kind: String, Sendable, Hashable {
    /// It doesn't come here; each sync tries again.
    case fetching
    /// It doesn't get to the server; each sync tries again.
    case sending
    /// The server won't take it: it's tried again on demand.
    case refused
    /// No document names it any more, and the server won't remove it: it's tried again on demand.
    case removing
  }

  /// The document that it's of.
  public let document: DocumentID
  /// The document's collection.
  public let collection: String
  /// What people call it.
  public let name: String
  /// What it's kept from.
  public let kind: Kind
  /// By what, as it was told last; for a place behind a colon.
  public let words: String

  /// All of it but the document, for a place behind a colon.
  public var sentence: String { "the file \(name): \(words)" }
}
