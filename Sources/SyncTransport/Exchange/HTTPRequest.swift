/// One request, with the limits of its exchange.
package struct HTTPRequest: Sendable {
  /// What is asked for.
  package var address: WebAddress
  /// `GET` by default.
  package var method = Method.get
  /// Further headers, sent in this order.
  package var headers = HTTPHeaders()
  /// Whether the server may compress, with gzip, and the transport decodes. A stream that is cut
  /// short is a short body. A pause holds back what hasn't come yet; what has, is decoded first.
  /// Default `false`: the body is asked for as it is, and delivered as it comes, coded or not.
  package var acceptsCompression = false
  /// Whether the transport's netrc file may be consulted for a password. Default `true`.
  package var usesNetrc = true
  /// How long resolving, connecting and TLS may take together. Default 30 s.
  package var connectTimeout = Duration.seconds(30)
  /// When a transfer counts as stalled.
  package var stallLimit = StallLimit()
  /// How slow a transfer may be on the whole; `nil` for any pace. Default 4 KiB/s after 10 minutes.
  package var paceLimit: PaceLimit? = PaceLimit()
  /// The most bytes of headers, over all header blocks of the exchange. Default 256 KiB.
  package var headerLimit = 256 * 1024
  /// Whether this address may be talked to; asked on the transport's thread where a socket is
  /// opened and again before a kept connection is used. Default: every address. Behind a proxy it
  /// isn't asked: there, the check is the proxy's.
  package var admits: @Sendable (IPAddress) -> Bool = { _ in true }

  /// Told of the address that a connection was made with, on the transport's thread and before the
  /// request goes out. Not behind a proxy. Default: nothing.
  package var onConnected: @Sendable (IPAddress) -> Void = { _ in }

  /// A `GET` of that address with the defaults.
  package init(_ address: WebAddress) {
    self.address = address
  }

  /// What is done to the resource.
  package enum Method: String, Sendable {
    /// Its content.
    case get = "GET"
    /// Only its headers.
    case head = "HEAD"
  }
}
