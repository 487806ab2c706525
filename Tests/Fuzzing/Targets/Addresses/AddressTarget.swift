import CatalogMirror
import SyncTransport
import SyncText

/// URLs, as a person names them and as a catalog or a redirect does: a line with a base, then
/// a reference seen from there.
enum AddressTarget {
  static func check(_ input: [UInt8]) throws {
    let (first, rest) = input.firstLineAndRest
    let address = try checkAddress(first.text)
    try checkReference(first.text)
    guard let reference = rest?.text else { return }
    try checkReference(reference)
    if let address { try checkRedirect(from: address, to: reference) }
    if let base = URLReference(first.text), base.scheme != nil {
      try checkLocator(reference, in: base)
    }
  }

  /// What libcurl makes of a text.
  private static func checkAddress(_ text: String) throws -> WebAddress? {
    try checkSecret(of: text)
    let parsed: (address: WebAddress, credentials: Credentials?)
    do {
      parsed = try WebAddress.parse(text)
    } catch let error as TransportError {
      try requireNoUserInfo(error.address)
      try requirePrintable("\(error)", "the error of an address")
      return nil
    }
    try checkParts(parsed.address)
    if let credentials = parsed.credentials {
      try require("\(credentials)" == "(credentials)", "credentials print themselves")
      try require(
        credentials.basic.utf8.allSatisfy { (0x20...0x7E).contains($0) },
        "credentials hold what no header may")
    }
    return parsed.address
  }

  private static func checkParts(_ address: WebAddress) throws {
    try require(["http", "https"].contains(address.scheme), "the scheme \(address.scheme) passes")
    try require(
      address.text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "an address holds raw bytes")
    try require(address.path.utf8.first == 0x2F, "an address without a path")
    try require(!address.host.isEmpty && address.origin.port > 0, "an address without host or port")
    try require(address.host == address.host.lowercased(), "a host in upper case")
    let again = try WebAddress.parse(address.text)
    try require(again.credentials == nil, "user-info stays in an address")
    try require(again.address == address, "\(address.text) reads as \(again.address.text)")
    try requireNoUserInfo(address.redacted)
    try requirePrintable(address.redacted, "an address for people")
    if let query = address.query, query.utf8.count > 3 {
      try require(!address.redacted.contains("?" + query), "a query is shown")
    }
  }

  private static func checkRedirect(from address: WebAddress, to reference: String) throws {
    do {
      try checkParts(try address.resolving(reference))
    } catch let error as TransportError {
      try requireNoUserInfo(error.address)
    }
  }

  /// What we make of a text ourselves.
  private static func checkReference(_ text: String) throws {
    guard let reference = URLReference(text) else { return }
    try require(URLReference(reference.text) == reference, "\(reference.text) reads differently")
    if reference.authority != nil { try requireNoUserInfo(reference.redacted) }
    try requirePrintable(reference.redacted, "a URL for people")
    guard reference.scheme != nil, let address = try? WebAddress(reference.text) else { return }
    try require(
      address.scheme == reference.scheme, "\(reference.text) is dialled over \(address.scheme)")
  }

  private static func checkLocator(_ text: String, in base: URLReference) throws {
    guard let reference = URLReference(text) else { return }
    let url = reference.resolved(against: base)
    let rules = LocatorRules(catalog: base)
    if let problem = rules.problem(with: url) {
      return try requirePrintable("\(problem)", "the problem of a locator")
    }
    try require(URLReference(url.text) == url, "\(url.text) was checked as another URL")
    try require(!url.hasUserInfo, "a locator with user-info passes")
    switch url.scheme {
    case "http", "https": break
    case "file": try checkBeneath(url, base)
    case let other: throw Violation("a locator over \(other ?? "nothing") passes")
    }
    if rules.problem(withNext: url) == nil {
      try require(base.scheme != "https" || url.scheme == "https", "a next page leaves https")
    }
  }

  private static func checkBeneath(_ url: URLReference, _ base: URLReference) throws {
    try require(base.scheme == "file", "a file from \(base.scheme ?? "nowhere") passes")
    guard let path = PercentEncoding.decode(url.path), let own = PercentEncoding.decode(base.path)
    else {
      throw Violation("a file URL passes that can't be decoded")
    }
    let folder = own.split(separator: 0x2F, omittingEmptySubsequences: false).dropLast()
    let steps = path.split(separator: 0x2F, omittingEmptySubsequences: false)
    try require(
      steps.starts(with: folder) && !steps.contains { $0.elementsEqual("..".utf8) }
        && !path.contains(0), "\(url.text) leads out of the folder of \(base.text)")
  }

  /// Of what stands before an at sign, nobody sees more than the scheme.
  private static func checkSecret(of text: String) throws {
    let shown = WebAddress.redact(text)
    try requirePrintable(shown, "a text for a URL")
    try require(shown.utf8.count <= 840, "a URL that is shown is too long")
    guard let at = text.utf8.lastIndex(of: 0x40) else { return }
    let before = String(text.utf8[..<at]) ?? ""
    let parts = before.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    let secret = parts.count == 2 ? String(parts[1]) : before
    let rest = String(text.utf8[at...]) ?? ""
    let kept = (parts.count == 2 ? parts[0] + "://" : "") + rest
    guard secret.utf8.count > 6, !kept.contains(secret) else { return }
    // The scheme that is shown may be spelled like the beginning of a password.
    let place = shown.firstRange(of: "://").map { shown[$0.upperBound...] } ?? shown[...]
    try require(!place.contains(secret), "what may be a password is shown: \(shown)")
  }

  /// No at sign, no user-info; in a path it is hardly missed.
  private static func requireNoUserInfo(_ shown: String) throws {
    let host = shown.split(separator: "/", omittingEmptySubsequences: false).prefix(3)
    try require(!host.joined().utf8.contains(0x40), "user-info is shown: \(shown)")
  }
}
