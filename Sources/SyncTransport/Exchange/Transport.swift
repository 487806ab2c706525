/// One HTTP exchange after another, over whatever carries them: libcurl (``CurlTransport``), or
/// memory in tests.
///
/// The contract, which the same test suite checks for every transport:
/// - One request, one response. Redirects aren't followed, and nothing is tried twice, except that
///   a request which may be repeated goes out once more where a kept connection ended before it
///   answered. One that mayn't (``HTTPRequest/isRepeatable``) is sent once, on a new connection.
/// - The request's body is read on a thread of the transport's own, from its beginning each time it
///   goes out. An answer that comes before all of it was sent is the answer.
/// - A response with any status returns; only a failure to get it whole throws.
/// - The receiver is called on a thread of the transport's own, never two calls at once:
///   ``BodyReceiver/begin(_:resumption:)`` once, before the first byte or, when there is none, at
///   the end; then ``BodyReceiver/receive(_:)`` for each piece. What it throws ends the exchange at
///   once and comes out of it unchanged.
/// - Cancelling the task ends the exchange at once with `CancellationError`, also before it began.
/// - After the call has returned or thrown, the receiver isn't called any more, nor a body read.
package protocol Transport: Sendable {
  /// Sends the request and hands the body to the receiver as it comes.
  ///
  /// - Returns: the response, when the body ended where the server said.
  /// - Throws: ``TransportError``, `CancellationError`, or what the receiver threw.
  func exchange(
    _ request: HTTPRequest, into receiver: any BodyReceiver
  ) async throws -> HTTPResponse

  /// Where tasks run with the fewest changes of threads, provided that they do little but one
  /// exchange after the other; `nil`, the default: anywhere. What may wait for a disk or for
  /// somebody else belongs elsewhere. Still takes tasks when the transport is closed.
  var executor: (any TaskExecutor)? { get }

  /// Ends what is under way and gives back what the transport holds; it isn't used after that.
  /// Default: nothing.
  func close() async
}

extension Transport {
  package var executor: (any TaskExecutor)? { nil }

  /// Does nothing.
  package func close() async {}
}
