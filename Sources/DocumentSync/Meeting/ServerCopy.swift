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
