/// Something to fetch.
package struct FetchRequest: Sendable {
  /// The request to the first address. Its limits hold for every hop; of its headers, other
  /// origins get only those that speak of the representation (ranges, validators, `Accept…`).
  package var request: HTTPRequest
  /// Headers made anew for each attempt, such as a `Range` that begins where the last attempt was
  /// cut. Default: none.
  package var headersPerAttempt: (@Sendable () -> HTTPHeaders)?

  /// A fetch that begins with that request.
  package init(_ request: HTTPRequest) {
    self.request = request
  }

  /// A fetch of that address, with the defaults.
  package init(_ address: WebAddress) {
    self.init(HTTPRequest(address))
  }
}
