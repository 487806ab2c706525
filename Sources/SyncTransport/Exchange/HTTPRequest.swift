/// One request, with the limits of its exchange.
package struct HTTPRequest: Sendable {
  package var address: WebAddress
  /// `GET` by default.
  package var method = Method.get
  /// What the request carries; left out of a `HEAD`. Default: nothing.
  package var body: RequestBody?
  /// Further headers, sent in this order.
  package var headers = HTTPHeaders()
  /// The caller's word that a second sending does no more than the first one did, whatever the
  /// method: because the server tells the two by a key, for example. Default `false`: as
  /// ``isRepeatable`` says.
  package var mayBeRepeated = false
  /// Whether the server may compress, with gzip, and the transport decodes. A stream that is cut
  /// short is a short body. A pause holds back what hasn't come yet; what has, is decoded first.
  /// Default `false`: the body is asked for as it is, and delivered as it comes, coded or not.
  package var acceptsCompression = false
  /// Whether the transport's netrc file may be consulted for a password. Default `true`.
  package var usesNetrc = true
  /// Whether the password is proven and not told (RFC 7616), that of ``credentials`` or of the
  /// netrc file. The server is asked twice, each time on a connection of its own, and the receiver
  /// hears of the last answer only. Default `false`.
  package var usesDigest = false
  /// With whose name and password, where ``usesDigest``.
  package var credentials: Credentials?
  /// How long resolving, connecting and TLS may take together. Default 30 s.
  package var connectTimeout = Duration.seconds(30)
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

  /// Whether an answer with that head is the one to this request, by what the caller knows of it.
  /// One that isn't recognised may be what nobody asked for: from a kept connection, it's taken
  /// only where the answer before and this one tell their length and nothing comes behind it. Else
  /// the request is made again, on a new connection. Asked on the transport's thread. Default:
  /// every answer is recognised.
  package var recognises: (@Sendable (HTTPHead) -> Bool)?

  package init(_ address: WebAddress) {
    self.address = address
  }

  /// Whether the request may be sent once more when nobody knows whether it arrived: its method is
  /// idempotent (RFC 9110, section 9.2.2), its caller says so, or it has a precondition (section
  /// 13.1), `If-Match` or `If-None-Match`, which its own first sending would have broken. Then the
  /// second one may be answered with 412 although it was the first that did it.
  package var isRepeatable: Bool {
    method.isIdempotent || mayBeRepeated
      || headers["If-Match"] != nil || headers["If-None-Match"] != nil
  }

  /// Whether it's a `GET` or `HEAD` without a body, as nearly all are.
  var isPlain: Bool { body == nil && (method == .get || method == .head) }

  /// The body as it's sent: none with a `HEAD`; an empty one where silence could be taken for a
  /// forgotten one.
  package var bodyToSend: RequestBody? {
    guard method != .head else { return nil }
    return body ?? (method.expectsBody ? RequestBody([]) : nil)
  }

  /// The headers as they're sent: with the media type of the body.
  package var headersToSend: HTTPHeaders {
    guard let type = bodyToSend?.mediaType else { return headers }
    var all = headers.keeping { !$0.isSameFieldName(as: "Content-Type") }
    all.add("Content-Type", type)
    return all
  }

  /// - Throws: ``TransportError`` when a header can't be sent as it is, or says where the body
  ///   ends: that is the transport's to say, and two of a mind would make two requests of one
  ///   (RFC 9112, section 11.2).
  package func requireSendable(_ field: HTTPHeaders.Field) throws(TransportError) {
    guard field.isSendable else { throw TransportError(.invalidHeader, at: address) }
    let isFraming =
      field.name.isSameFieldName(as: "Content-Length")
      || field.name.isSameFieldName(as: "Transfer-Encoding")
    guard !isFraming else {
      throw TransportError(
        .invalidHeader, at: address, detail: "\(field.name) is said by the transport itself")
    }
  }

  /// What is done to the resource (RFC 9110, section 9): a token, whose case counts.
  package struct Method: Hashable, Sendable {
    package let name: String

    /// The method of that name; `nil` for what isn't a token, and for `CONNECT`, which asks for a
    /// tunnel and not for a resource.
    package init?(_ name: String) {
      guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter), name != "CONNECT" else {
        return nil
      }
      self.name = name
    }

    private init(known name: String) {
      self.name = name
    }

    package static var get: Self { Self(known: "GET") }
    /// Only the headers that `get` would have.
    package static var head: Self { Self(known: "HEAD") }
    /// Replaces the resource by the body, or makes it.
    package static var put: Self { Self(known: "PUT") }
    /// Has the resource do with the body what it does with such ones.
    package static var post: Self { Self(known: "POST") }
    /// Changes the resource as the body says (RFC 5789).
    package static var patch: Self { Self(known: "PATCH") }
    package static var delete: Self { Self(known: "DELETE") }
    /// What may be done with the resource.
    package static var options: Self { Self(known: "OPTIONS") }
    /// Properties of the resource and of what it holds (RFC 4918, section 9.1).
    package static var propfind: Self { Self(known: "PROPFIND") }
    /// A report about the resource, such as what changed in it (RFC 3253, section 3.6).
    package static var report: Self { Self(known: "REPORT") }

    /// Whether the request only asks, and changes nothing (RFC 9110, section 9.2.1). A method that
    /// isn't known here counts as one that changes something.
    package var isSafe: Bool {
      switch name {
      case "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT": true
      default: false
      }
    }

    /// Whether doing it twice does no more than doing it once (RFC 9110, section 9.2.2).
    package var isIdempotent: Bool { isSafe || self == .put || self == .delete }

    /// Whether a request of this method means its body, so that one without any has to say that
    /// it's empty (RFC 9110, section 8.6).
    var expectsBody: Bool { self == .post || self == .put || self == .patch }
  }
}

/// The least rate of a transfer: fewer than `bytesPerSecond` over a whole `span` is a stall. Counts
/// from when the request goes out, both ways, headers included; time in which the receiver pauses
/// doesn't count. What a request carries has moved when the system has taken it, which may be some
/// megabytes before it has arrived.
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
/// doesn't last for ever. Bytes count as the receiver gets them, and as the system takes those of
/// the request's body; time in which the receiver pauses doesn't.
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

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
