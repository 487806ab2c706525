/// Sends one document in place of an endpoint.
///
/// It has to end: when it takes too long, it's cancelled and has failed, and whatever it makes of
/// that, the sync waits for it. What it's asked may come again, with the same key, when it threw or
/// took too long.
///
/// - Returns: what the server calls the outcome; `nil` where a deletion has no name.
/// - Throws: ``SendRefusal`` where the server won't have the document: it's set aside. Whatever
///   else it throws leaves open whether the server took it.
public typealias DocumentSender = @Sendable (PushRequest) async throws -> DocumentVersion?

/// A server won't have a document.
public struct SendRefusal: Error, Sendable, Hashable {
  /// The status of HTTP, or the one that comes nearest to what was said.
  public let status: Int
  /// What the server said.
  public let words: String

  /// A refusal; by default 400.
  public init(status: Int = 400, words: String) {
    self.status = status
    self.words = words
  }
}
