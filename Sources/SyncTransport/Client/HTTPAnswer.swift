/// A whole answer, whatever its status, with its body in memory.
package struct HTTPAnswer: Sendable, Equatable {
  /// The response, from the last hop.
  package var response: HTTPResponse
  /// Its body, after decoding.
  package var body: [UInt8]

  package var status: Int { response.status }
  package var headers: HTTPHeaders { response.headers }
  /// The address that answered: the last hop's, after redirects.
  package var address: WebAddress { response.address }

  /// An answer made by hand, for tests.
  package init(response: HTTPResponse, body: [UInt8]) {
    self.response = response
    self.body = body
  }
}
