/// Decides where a redirect leads (RFC 9110, section 15.4).
struct RedirectRule: Equatable {
  /// The most redirects in a row.
  let limit: Int

  /// Whether a status asks to go elsewhere.
  static func isRedirect(_ status: Int) -> Bool {
    [301, 302, 303, 307, 308].contains(status)
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
