/// What a server has of a document: as a list or an answer says, or the end of a whole list shows.
public enum DocumentState: Sendable, Hashable {
  /// This copy; not necessarily another one than is known here.
  case present(ServerCopy)
  /// This copy, of another document than had the id before and was deleted: only where an endpoint
  /// tells that from a change.
  case revived(ServerCopy)
  /// Nothing any more; with the version of the deletion, if the server has such.
  case deleted(DocumentVersion?)
  /// Neither the document nor a sign of its deletion: the server was restored from a backup,
  /// flushed, or is another one. A list says so by not naming the document.
  case forgotten

  package var copy: ServerCopy? {
    switch self {
    case .present(let copy), .revived(let copy): copy
    case .deleted, .forgotten: nil
    }
  }
}

/// A document as a server had it.
public struct ServerCopy: Sendable, Hashable {
  /// The document.
  public let value: DocumentValue
  /// The server's name for this state of it.
  package let version: DocumentVersion
  /// When the version came to be, in milliseconds since 1970 began by the server's clock, if the
  /// server tells.
  public let time: Int64?

  /// A document as a server had it.
  public init(value: DocumentValue, version: DocumentVersion, time: Int64? = nil) {
    self.value = value
    self.version = version
    self.time = time
  }

  /// The copy for a merge by times.
  var timed: TimedDocument { TimedDocument(value: value, time: time) }
}
