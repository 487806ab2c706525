/// Decides which proxy an address is reached through, by the environment variables of curl.
///
/// libcurl would read them itself, but then nobody could tell whether the address that a socket is
/// opened to is the server's or the proxy's. So the decision is ours, and libcurl is told.
struct ProxyRules: Sendable, Equatable {
  private var http: String?
  private var https: String?
  private var exceptions: [Substring] = []

  /// The rules that a choice stands for, in an environment.
  init(_ choice: TransportConfiguration.ProxyChoice, environment: [String: String]) {
    switch choice {
    case .none: break
    case .url(let url): (http, https) = (url, url)
    case .environment:
      let value = { (names: [String]) in
        names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
      }
      // HTTP_PROXY in capitals isn't read: a CGI server sets it from a request's Proxy header.
      http = value(["http_proxy", "all_proxy", "ALL_PROXY"])
      https = value(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
      let list = value(["no_proxy", "NO_PROXY"]) ?? ""
      exceptions = list.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
    }
  }

  /// The proxy for an address; `nil` for none.
  func proxy(for address: WebAddress) -> String? {
    guard let proxy = address.scheme == "https" ? https : http else { return nil }
    return exceptions.contains { covers($0, address.host) } ? nil : proxy
  }

  /// Whether one word of `no_proxy` covers a host: `*`, a name with all that ends in it, an
  /// address, or a network with a prefix length.
  private func covers(_ word: Substring, _ host: String) -> Bool {
    if word == "*" { return true }
    if let address = IPAddress(host) {
      let sides = word.split(separator: "/", omittingEmptySubsequences: false)
      guard let network = sides.first.flatMap({ IPAddress($0) }) else { return false }
      guard sides.count == 2 else { return sides.count == 1 && network == address }
      return Int(sides[1]).map { address.isIn(network, prefix: $0) } ?? false
    }
    let name = word.drop { $0 == "." }
    guard !name.isEmpty else { return false }
    let bare = host.hasSuffix(".") ? host.dropLast() : host[...]
    let wanted = name.hasSuffix(".") ? name.dropLast() : name
    return bare == wanted || bare.hasSuffix("." + wanted)
  }
}
