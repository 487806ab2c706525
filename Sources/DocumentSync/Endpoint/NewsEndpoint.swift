/// An endpoint whose server tells by itself that it has news, by answering late: a *long poll*.
public protocol NewsEndpoint: DocumentEndpoint {
  /// Returns once there may be something that isn't known yet, or after a while of the server's
  /// own; at once where nothing is known of a collection. Nobody relies on it: a list says what is
  /// new.
  ///
  /// - Parameter checkpoints: what everything here is known to be as new as, by collection; `nil`
  ///   where nothing is known.
  /// - Throws: an ``EndpointError`` where the server doesn't say; `CancellationError` as soon as
  ///   the task is cancelled.
  @concurrent func waitForNews(since checkpoints: [String: String?]) async throws
}
