/// What a server has of a document.
public enum DocumentState: Sendable, Hashable {
  /// This copy.
  case present(ServerCopy)
  /// This copy, of another document than had the id before and was deleted: only where an endpoint
  /// tells that from a change.
  case revived(ServerCopy)
  /// Nothing any more; with the version of the deletion, if the server has such.
  case deleted(DocumentVersion?)

  /// The copy, if there is one.
  public var copy: ServerCopy? {
    switch self {
    case .present(let copy), .revived(let copy): copy
    case .deleted: nil
    }
  }

  package var there: Meeting.There {
    switch self {
    case .present(let copy): .present(copy)
    case .revived(let copy): .revived(copy)
    case .deleted: .deleted
    }
  }
}

/// A document as a server had it.
public struct ServerCopy: Sendable, Hashable {
  /// The document.
  public let value: DocumentValue
  /// The server's name for this state of it.
  public let version: DocumentVersion
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
