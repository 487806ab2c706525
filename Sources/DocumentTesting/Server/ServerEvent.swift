public import DocumentSync

/// What happened at a ``ReferenceServer``: the witness of who wrote what, and over what.
public struct ServerEvent: Sendable, Hashable {
  /// What happened.
  public enum Deed: Sendable, Hashable {
    /// A document was stored.
    case stored(DocumentID, DocumentValue, over: DocumentVersion?, as: DocumentVersion)
    /// A document was removed.
    case removed(DocumentID, over: DocumentVersion, as: DocumentVersion)
    /// Everything was thrown away.
    case flushed
    /// An older state was put back.
    case restored
    /// Another server took over the address.
    case replaced
  }

  /// The number of the event, from 1.
  public let number: Int
  /// Who did it: the name of an endpoint; nobody where it befell the server.
  public let writer: String?
  /// Where; everywhere where it befell the server.
  public let collection: String?
  /// What happened.
  public let deed: Deed

  /// An event, to be compared with what happened.
  public init(number: Int, writer: String?, collection: String?, deed: Deed) {
    self.number = number
    self.writer = writer
    self.collection = collection
    self.deed = deed
  }
}
