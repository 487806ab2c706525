package import SyncTransport
package import SynchronizerTesting

extension MemoryTransport {
  /// What an address answers to one request.
  package struct Answer: Sendable {
    /// The status code.
    package var status: Int
    /// The headers; `Content-Length` isn't added.
    package var headers: HTTPHeaders
    /// The body; dropped where the response can't have one.
    package var body: [UInt8]
    /// How many bytes the receiver is given at a time. Default 16 KiB.
    package var pieceSize = 16 * 1024
    /// What vouches for the end. Default: the length of the body.
    package var framing: Framing?
    /// Fails in place of a response.
    package var refusal: TransportError.Code?
    /// Fails after the body's last byte.
    package var breakage: TransportError.Code?
    /// Opened when the request comes.
    package var arrival: Gate?
    /// Holds the response back.
    package var headGate: Gate?
    /// Holds what follows the first piece back.
    package var bodyGate: Gate?
    /// Who answers; asked of `admits`.
    package var remote: IPAddress?

    /// A response of those parts.
    package init(status: Int = 200, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
      self.status = status
      self.headers = headers
      self.body = body
    }

    /// A failure in place of a response.
    package init(refusal: TransportError.Code) {
      self.init()
      self.refusal = refusal
    }

    func head(for request: HTTPRequest) -> HTTPHead {
      let isBodiless = request.method == .head || status == 204 || status == 304
      return HTTPHead(
        address: request.address, status: status, headers: headers,
        framing: isBodiless ? .noBody : framing ?? .length(Int64(body.count)))
    }
  }
}
