import DocumentTesting
import SyncLock
import SyncTransport

/// A transport with trouble on the way, when it is told so.
final class TroubledTransport: Transport {
  private let inner = CurlTransport()
  private let trouble = Locked<EndpointTrouble?>(nil)

  func set(_ trouble: EndpointTrouble?) {
    self.trouble.withLock { $0 = trouble }
  }

  func exchange(
    _ request: HTTPRequest, into receiver: any BodyReceiver
  ) async throws -> HTTPResponse {
    switch trouble.withLock({ $0 }) {
    case nil: return try await inner.exchange(request, into: receiver)
    case .portal:
      return try answer(
        request, 200, ("Content-Type", "text/html"), "<html>Welcome to this hotel</html>",
        into: receiver)
    case .busy: return try answer(request, 503, ("Retry-After", "7"), "{}", into: receiver)
    case .unauthorized:
      return try answer(
        request, 401, ("WWW-Authenticate", "Basic"), #"{"code": 401, "errno": 104}"#,
        into: receiver)
    case .noAnswer:
      _ = try await inner.exchange(request, into: DataReceiver(limit: .max))
      throw TransportError(.interrupted, at: request.address)
    }
  }

  private func answer(
    _ request: HTTPRequest, _ status: Int, _ field: (String, String), _ body: String,
    into receiver: any BodyReceiver
  ) throws -> HTTPResponse {
    let bytes = Array(body.utf8)
    let head = HTTPHead(
      address: request.address, status: status, headers: HTTPHeaders([field]),
      framing: .length(Int64(bytes.count)))
    try receiver.begin(head, resumption: Resumption {})
    _ = try bytes.withUnsafeBytes { try receiver.receive($0) }
    return HTTPResponse(head: head, bodyBytes: Int64(bytes.count))
  }
}
