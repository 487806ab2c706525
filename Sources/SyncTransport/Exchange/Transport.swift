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

  package func close() async {}
}

/// Where a body goes. Called on the transport's thread, so be quick: write, count, hash.
///
/// A receiver serves one exchange at a time, and may serve a second one when the first failed.
package protocol BodyReceiver: AnyObject, Sendable {
  /// A response came; its body follows. Called again for a further attempt, which starts over.
  ///
  /// - Parameters:
  ///   - head: what the server says of the body.
  ///   - resumption: undoes a `.pause`; keep it if you pause.
  /// - Throws: to have the exchange cut at once, with this error.
  func begin(_ head: HTTPHead, resumption: Resumption) throws

  /// The next piece of the body; never empty. The bytes are gone when the call returns.
  ///
  /// - Returns: whether more may come. `.pause` takes these bytes but holds the next ones back,
  ///   on the wire, until ``Resumption/resume()``. A body whose last piece is paused ends all the
  ///   same.
  /// - Throws: to have the exchange cut at once, with this error.
  func receive(_ bytes: UnsafeRawBufferPointer) throws -> Demand
}

/// What a receiver wants next.
package enum Demand: Sendable, Equatable {
  case more
  case pause
}

package struct Resumption: Sendable {
  private let action: @Sendable () -> Void

  package init(_ action: @escaping @Sendable () -> Void) {
    self.action = action
  }

  /// Lets the next bytes come. Counts also when it's called before the `receive` that pauses has
  /// returned. Without effect when nothing is paused or the exchange is over.
  package func resume() { action() }
}
