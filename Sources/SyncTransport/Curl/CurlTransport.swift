private import Foundation

/// HTTP over libcurl: one multi handle on one thread of its own, connections kept and reused.
///
/// When the last reference goes, the thread ends as soon as nothing runs any more.
package final class CurlTransport: Transport {
  private let loop: CurlLoop

  /// A transport with a thread that is already waiting.
  ///
  /// - Parameters:
  ///   - configuration: how the network is reached.
  ///   - environment: where proxy variables are read from; by default the process's.
  package init(
    _ configuration: TransportConfiguration = TransportConfiguration(),
    environment: [String: String]? = nil
  ) {
    loop = CurlLoop.start(
      configuration, environment: environment ?? ProcessInfo.processInfo.environment)
  }

  deinit { _ = loop.post(.retire) }

  /// Sends the request; see ``Transport/exchange(_:into:)``.
  package func exchange(
    _ request: HTTPRequest, into receiver: any BodyReceiver
  ) async throws -> HTTPResponse {
    try Task.checkCancellation()
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

  /// Ends what runs with the code `closed`, and returns when the thread is done with libcurl.
  /// Later exchanges fail at once with that code.
  package func close() async {
    await withCheckedContinuation { waiter in
      if !loop.post(.close(waiter)) { waiter.resume() }
    }
  }
}
