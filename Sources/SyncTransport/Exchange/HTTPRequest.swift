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

/// The least rate of a transfer: fewer than `bytesPerSecond` over a whole `span` is a stall. Counts
/// from when the request goes out, headers included; time in which the receiver pauses doesn't
/// count.
package struct StallLimit: Sendable, Equatable {
  /// The least rate. Default 1,024.
  package var bytesPerSecond: Int64
  /// Over how long. Default 30 s.
  package var span: Duration

  /// A limit; by default 1 KiB/s over 30 s.
  package init(bytesPerSecond: Int64 = 1024, span: Duration = .seconds(30)) {
    self.bytesPerSecond = bytesPerSecond
    self.span = span
  }
}

/// The least rate of a transfer on the whole: it may take `grace`, and as long as its body takes at
/// `bytesPerSecond`. So even a body without an end, which comes just fast enough not to stall,
/// doesn't last for ever. Bytes count as the receiver gets them; time in which it pauses doesn't.
package struct PaceLimit: Sendable, Equatable {
  /// The least rate. Default 4,096.
  package var bytesPerSecond: Int64
  /// What may be lost beside. Default 10 minutes.
  package var grace: Duration

  /// A limit; by default 4 KiB/s and 10 minutes.
  package init(bytesPerSecond: Int64 = 4096, grace: Duration = .seconds(600)) {
    self.bytesPerSecond = bytesPerSecond
    self.grace = grace
  }

  /// How long so many bytes may take.
  func time(for bytes: Int64) -> Duration {
    grace + .seconds(Double(bytes) / Double(max(1, bytesPerSecond)))
  }
}
