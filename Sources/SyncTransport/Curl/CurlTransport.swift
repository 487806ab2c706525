private import SyncEssentials
private import SyncLock

/// HTTP over libcurl: a multi handle on a thread of its own, or two, connections kept and reused.
/// Tasks may run on these threads as well, see ``executor``.
///
/// When the last reference goes, the threads end as soon as nothing runs any more.
package final class CurlTransport: Transport {
  private let loops: CurlLoops

  /// A transport with a thread that is already waiting.
  ///
  /// - Parameters:
  ///   - configuration: how the network is reached.
  ///   - environment: where proxy variables and `SSL_CERT_FILE` are read from; by default the
  ///     process's.
  package init(
    _ configuration: TransportConfiguration = TransportConfiguration(),
    environment: [String: String]? = nil
  ) {
    let environment = environment ?? ProcessInfo.processInfo.environment
    var configuration = configuration
    // The program curl reads this variable, and libcurl doesn't.
    if configuration.caFile == nil, let file = environment["SSL_CERT_FILE"], !file.isEmpty {
      configuration.caFile = file
    }
    if configuration.caFile == nil { configuration.caFile = CurlLibrary.certificateFile }
    loops = CurlLoops(configuration, environment: environment)
  }

  deinit { for loop in loops.started { _ = loop.post(.retire) } }

  package var executor: (any TaskExecutor)? { loops }

  package func exchange(
    _ request: HTTPRequest, into receiver: any BodyReceiver
  ) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let origin = request.address.origin
    let (number, loop) = loops.take(for: origin)
    defer { loops.giveBack(number, for: origin) }
    let ticket = CancelTicket(loop)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let exchange = CurlExchange(request, into: receiver, on: loop, continuation: continuation)
        ticket.begin(exchange)
      }
    } onCancel: {
      ticket.cancel()
    }
  }

  /// Ends what runs with the code `closed`, and returns when the threads are done with libcurl.
  /// Later exchanges fail at once with that code.
  package func close() async {
    for loop in loops.close() {
      await withCheckedContinuation { waiter in
        if !loop.post(.close(waiter)) { waiter.resume() }
      }
    }
  }
}

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
