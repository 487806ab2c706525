/// Decides where a redirect leads, and what is asked there (RFC 9110, section 15.4).
///
/// - 307 and 308 say that the request is the same: method, body and all.
/// - 303 says that the request was taken, and where to fetch what came of it.
/// - 301 and 302 mean the one or the other: the standard says the same, and servers that were sent
///   a `POST` mean a fetch. It's followed where the request only asks, so that both are the same.
///   To anything else it isn't followed: a fetch that succeeds would be taken for a write that did,
///   and a second write might be one too many.
struct RedirectRule: Equatable {
  let limit: Int

  enum Course: Equatable {
    /// The same request once more, at another address.
    case same
    /// A fetch of what the request came to.
    case fetch
    /// Nothing: the redirect is the answer.
    case stay
  }

  /// What a status has us do; `nil` when it's no redirect.
  static func course(after status: Int, to method: HTTPRequest.Method) -> Course? {
    switch status {
    case 301, 302: method.isSafe ? .same : .stay
    case 303: .fetch
    case 307, 308: .same
    default: nil
    }
  }

  static func isFollowed(_ status: Int, to method: HTTPRequest.Method) -> Bool {
    switch course(after: status, to: method) {
    case .same, .fetch: true
    case .stay, nil: false
    }
  }

  /// The address of the next hop. User-info in a `Location` is dropped: a server doesn't choose
  /// whose password is sent.
  ///
  /// - Parameters:
  ///   - head: the redirect.
  ///   - hops: how many were followed before it.
  /// - Throws: ``TransportError``.
  func target(of head: HTTPHead, hops: Int) throws -> WebAddress {
    guard hops < limit else { throw TransportError(.tooManyRedirects, at: head.address) }
    let locations = head.headers.all("Location")
    guard locations.count == 1, let location = locations.first, !location.isEmpty else {
      throw TransportError(.badRedirect, at: head.address, detail: "no single Location")
    }
    let target: WebAddress
    do {
      target = try head.address.resolving(location)
    } catch let error as TransportError {
      throw TransportError(
        .badRedirect, at: head.address, detail: "to \(error.address)")
    }
    guard head.address.scheme == "http" || target.scheme == "https" else {
      throw TransportError(.badRedirect, at: head.address, detail: "from https to \(target)")
    }
    return target
  }
}

extension HTTPRequest {
  /// The fetch that a 303 asks for: of what doesn't speak of the body, nor of the state of what was
  /// asked first.
  var asFetch: HTTPRequest {
    guard method != .get, method != .head else { return self }
    var fetch = self
    fetch.method = .get
    fetch.body = nil
    fetch.headers = headers.keeping { name in
      !Self.ofOneRequest.contains { $0.isSameFieldName(as: name) }
    }
    return fetch
  }

  private static let ofOneRequest = [
    "Content-Type", "Content-Encoding", "Content-Language", "Content-Location", "If-Match",
    "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range",
    "Idempotency-Key",
  ]
}
