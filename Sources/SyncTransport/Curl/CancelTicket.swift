private import SyncLock

/// Brings a cancellation and the exchange that it's meant for together, whichever comes first.
final class CancelTicket: Sendable {
  private let loop: CurlLoop
  private let state = Locked(State.unused)

  private enum State {
    case unused
    case begun(CurlExchange)
    case cancelled
  }

  init(_ loop: CurlLoop) {
    self.loop = loop
  }

  /// Hands the exchange to the loop, unless it was cancelled already or the loop has ended.
  func begin(_ exchange: CurlExchange) {
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .begun(exchange)
      return false
    }
    if isCancelled {
      exchange.finish(.failure(CancellationError()))
    } else if !loop.post(.start(exchange)) {
      exchange.finish(.failure(TransportError(.closed, at: exchange.request.address)))
    }
  }

  /// Cancels the exchange, or the one that is going to begin.
  func cancel() {
    let exchange: CurlExchange? = state.withLock { state in
      guard case .begun(let exchange) = state else {
        state = .cancelled
        return nil
      }
      return exchange
    }
    guard let exchange else { return }
    // The loop may be busy with what comes: it looks there before it hands on more.
    exchange.isCancelled.withLock { $0 = true }
    _ = loop.post(.cancel(exchange))
  }
}
