package struct FetchRequest: Sendable {
  /// The request to the first address. Its limits hold for every hop; of its headers, other
  /// origins get only those that speak of the representation (ranges, validators, `Accept…`,
  /// `Content-…`), and an `Idempotency-Key`.
  package var request: HTTPRequest
  /// Headers made anew for each attempt, such as a `Range` that begins where the last attempt was
  /// cut. Default: none.
  package var headersPerAttempt: (@Sendable () -> HTTPHeaders)?
  /// Whether a host may be talked to at an address; asked for every hop, in place of what the
  /// request itself says. Default: as the request says.
  package var admits: (@Sendable (_ host: String, IPAddress) -> Bool)?
  /// Told of the address at which a host was met, for every hop; see ``HTTPRequest/onConnected``.
  package var onConnected: (@Sendable (_ host: String, IPAddress) -> Void)?
  /// What a whole answer with status 2xx is held against, such as a size that is known from
  /// elsewhere. A transient ``TransportError`` that it throws is tried again like the others;
  /// anything else ends the fetch.
  package var check: (@Sendable (HTTPResponse) throws -> Void)?

  package init(_ request: HTTPRequest) {
    self.request = request
  }

  package init(_ address: WebAddress) {
    self.init(HTTPRequest(address))
  }
}

/// A whole answer, whatever its status, with its body in memory.
package struct HTTPAnswer: Sendable, Equatable {
  package var response: HTTPResponse
  /// Its body, after decoding.
  package var body: [UInt8]

  package var status: Int { response.status }
  package var headers: HTTPHeaders { response.headers }
  package var address: WebAddress { response.address }
}

/// Something that a client did on its own while it fetched.
package enum TransportEvent: Sendable, Equatable {
  /// An attempt failed; the next one, with this number (the first retry is 1), follows after the
  /// wait.
  case retrying(address: WebAddress, retry: Int, wait: Duration, reason: TransportError)
  case redirected(from: WebAddress, to: WebAddress, status: Int)
}
