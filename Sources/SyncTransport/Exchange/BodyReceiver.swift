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
  /// The next piece.
  case more
  /// Nothing, until resumed.
  case pause
}

/// Undoes a `.pause`, from any thread.
package struct Resumption: Sendable {
  private let action: @Sendable () -> Void

  /// A resumption that does this.
  package init(_ action: @escaping @Sendable () -> Void) {
    self.action = action
  }

  /// Lets the next bytes come. Counts also when it's called before the `receive` that pauses has
  /// returned. Without effect when nothing is paused or the exchange is over.
  package func resume() { action() }
}
