import SyncLock
import SyncTransport

/// A transport that takes down what was asked, and can do something before a request.
final class CountingTransport: Transport {
  private let inner = CurlTransport()
  private let state = Locked(State())

  private struct State: Sendable {
    var requests: [String] = []
    var before: [String: @Sendable () async throws -> Void] = [:]
  }

  /// Method and path of all requests since the last call of this.
  func takeRequests() -> [String] {
    state.withLock { state in
      defer { state.requests = [] }
      return state.requests
    }
  }

  /// Does something once, before the next request whose address contains this goes out.
  func before(_ part: String, _ action: @escaping @Sendable () async throws -> Void) {
    state.withLock { $0.before[part] = action }
  }

  func exchange(
    _ request: HTTPRequest, into receiver: any BodyReceiver
  ) async throws -> HTTPResponse {
    let action = state.withLock { state -> (@Sendable () async throws -> Void)? in
      state.requests.append("\(request.method.name) \(request.address.path)")
      guard let part = state.before.keys.first(where: { request.address.text.contains($0) }) else {
        return nil
      }
      return state.before.removeValue(forKey: part)
    }
    try await action?()
    return try await inner.exchange(request, into: receiver)
  }
}
