/// Why an exchange or a fetch failed: what happened, where, and what to do.
///
/// Cancellation isn't one of these: it stays `CancellationError`. What a receiver throws comes out
/// as it is.
package struct TransportError: Error, Sendable, Equatable {
  package var code: Code
  /// The address without user-info and query, or the origin.
  package var address: String
  /// What libcurl or the TLS library said; never a secret.
  package var detail: String?
  /// How long the server asked us to wait, where it answered at all.
  package var retryAfter: Duration?

  /// An error at an address that is already redacted.
  package init(_ code: Code, at address: String, detail: String? = nil) {
    self.code = code
    self.address = address
    self.detail = detail.map(Self.printable)
  }

  package enum Code: Sendable, Hashable {
    /// The text isn't an absolute URL, or no reference.
    case invalidAddress
    /// Neither http nor https.
    case schemeRefused
    case invalidHeader
    case unreadableBody
    /// The name of the host, or of the proxy, led nowhere.
    case couldNotResolve
    /// The text that names the proxy isn't a URL that can be used.
    case badProxy
    /// Nobody took the connection.
    case couldNotConnect
    /// Every address that the host led to was refused by the request's `admits`.
    case addressRefused
    /// No connection in time.
    case timedOut
    /// Connected, and then too few bytes for too long.
    case stalled
    /// Too few bytes for the time that the whole took.
    case tooSlow
    case interrupted
    case shortBody
    case bodyTooLarge(limit: Int64)
    case headersTooLarge
    /// What came isn't HTTP, or its content coding is broken.
    case malformedAnswer
    /// What came is in a content coding that wasn't asked for.
    case unaskedCoding
    case tls
    /// TLS was spoken to a port that doesn't speak it.
    case withoutTLS
    /// A port that speaks only TLS was spoken to without it.
    case onlyTLS
    /// The server's certificate isn't trusted, or ours can't be used.
    case certificate
    /// Nobody named a certificate to trust, and the system has none where they lie.
    case noCertificates
    /// A redirect without a usable `Location`, or from https to http.
    case badRedirect
    case tooManyRedirects
    /// A bucket is in this region, and was asked for in another one.
    case otherRegion(String)
    /// A signature was made by a clock that is too far from the server's.
    case clockDiffers
    /// A server of buckets doesn't know the access key, or finds the signature wrong.
    case keyRefused
    /// An answer with a status that isn't success.
    case status(Int)
    /// The origin kept failing and is left alone for the rest of this run.
    case originGivenUp
    case directoryGivenUp
    case closed
    /// libcurl failed in another way, with its code.
    case library(Int)
  }

  /// Whether the same request may succeed later: what retrying is for.
  package var isTransient: Bool {
    switch code {
    case .couldNotResolve, .couldNotConnect, .timedOut, .stalled, .tooSlow, .interrupted,
      .shortBody, .tls:
      true
    // Forbidden for a while only, says who also says until when.
    case .status(403): retryAfter != nil
    case .status(let status): Self.isTransient(status: status)
    case .badProxy, .invalidAddress, .schemeRefused, .invalidHeader, .unreadableBody,
      .addressRefused, .bodyTooLarge, .headersTooLarge, .malformedAnswer, .unaskedCoding,
      .certificate, .noCertificates, .badRedirect, .tooManyRedirects, .originGivenUp,
      .directoryGivenUp, .closed, .library, .withoutTLS, .onlyTLS, .otherRegion, .clockDiffers,
      .keyRefused:
      false
    }
  }

  /// Whether a status is that of a failure that may pass.
  package static func isTransient(status: Int) -> Bool {
    switch status {
    case 408, 425, 429: true
    case 501, 505: false
    default: (500...599).contains(status)
    }
  }

  /// Whether it's certain that nothing of the request reached a server, so that even one which must
  /// not be repeated can be sent once more: no connection came about.
  package var provesNothingWasSent: Bool {
    switch code {
    case .couldNotResolve, .badProxy, .couldNotConnect, .addressRefused, .timedOut, .tls,
      .withoutTLS, .certificate, .noCertificates, .invalidAddress, .schemeRefused, .invalidHeader,
      .originGivenUp, .directoryGivenUp:
      true
    case .unreadableBody, .stalled, .tooSlow, .interrupted, .shortBody, .bodyTooLarge,
      .headersTooLarge, .malformedAnswer, .unaskedCoding, .badRedirect, .tooManyRedirects, .status,
      .closed, .onlyTLS, .library, .otherRegion, .clockDiffers, .keyRefused:
      false
    }
  }

  /// Text from elsewhere, with everything but printable characters replaced.
  static func printable(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.properties.isPrintable ? Character($0) : "?" })
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isPrintable: Bool {
    switch generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }
}

/// What is said when one side speaks TLS and the other doesn't. It goes on being so, and is the
/// address's mistake; but neither libcurl nor HTTP has a number for it, only words.
enum TLSComplaint {
  /// Whether the TLS library has met with something other than TLS: OpenSSL by its versions,
  /// GnuTLS.
  static func isOfNoTLS(_ said: String) -> Bool {
    [
      "wrong version number", "packet length too long", "unknown protocol", "http request",
      "unexpected TLS packet",
    ].contains { said.contains($0) }
  }

  /// Whether a server complains, with status 400, that it was spoken to without TLS: the start of
  /// the answer's body, as nginx, Apache, Go and others write it.
  static func isOfPlainText(_ body: some Sequence<UInt8>) -> Bool {
    let text = String(decoding: Array(body), as: UTF8.self)
    return text.contains("HTTPS port") || text.contains("HTTPS server")
      || text.contains("SSL-enabled server port")
  }
}
