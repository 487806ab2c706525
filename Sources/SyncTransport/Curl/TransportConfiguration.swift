internal import CSyncCurl

/// How a ``CurlTransport`` reaches the network.
package struct TransportConfiguration: Sendable, Equatable {
  /// A file of trusted certificates in PEM form. Default: the one that the environment names in
  /// `SSL_CERT_FILE`, or else the system's: what libcurl was built to look at, or, where that is
  /// nothing, the first of ``SystemCertificates``.
  package var caFile: String?
  /// Whether a server has to prove with a certificate that it is who it says. Default `true`;
  /// without, anybody on the way can read and change what comes.
  package var verifiesServers = true
  /// A client certificate and its key, files in PEM form. Default: none.
  package var clientCertificate: ClientCertificate?
  /// Which proxy is used. Default: the one that the environment names.
  package var proxy = ProxyChoice.environment
  package var netrc = Netrc.off
  /// The `User-Agent` header. Default: `OneWaySynchronizer`.
  package var userAgent = "OneWaySynchronizer"
  /// The most connections with one origin at once, and so the most exchanges where each has one
  /// of its own; others wait in line, in which time no limit of theirs runs. Default 8.
  package var maxConnectionsPerHost = 8
  /// The same where the origin's last answer came over HTTP/2, which carries several exchanges over
  /// a connection; they don't count among ``maxConnections``. Default 8.
  package var maxStreamsPerHost = 8
  /// The most connections at once, those kept for reuse included. Default 64.
  package var maxConnections = 64
  /// Whether HTTP/2 may be spoken where TLS negotiates it. Default: where libcurl's version pauses
  /// one stream among others as it should.
  package var allowsHTTP2 = CurlVersion.current.pausesStreams

  package init() {}

  package struct ClientCertificate: Sendable, Equatable {
    package var certificateFile: String
    /// The private key's file, without a passphrase.
    package var keyFile: String

    package init(certificateFile: String, keyFile: String) {
      self.certificateFile = certificateFile
      self.keyFile = keyFile
    }
  }

  package enum ProxyChoice: Sendable, Equatable {
    /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say, as for curl.
    case environment
    case none
    /// This one, for every address: a URL as libcurl takes it, with its credentials if need be.
    case url(String)
  }

  package enum Netrc: Sendable, Equatable {
    case off
    /// `~/.netrc`.
    case userFile
    case file(String)
  }
}

/// A version of libcurl: what is used decides at run time, not what was built with.
package struct CurlVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let major: Int
  package let minor: Int
  package let patch: Int
  package let hasHTTP2: Bool

  package init(_ major: Int, _ minor: Int, _ patch: Int, hasHTTP2: Bool = true) {
    (self.major, self.minor, self.patch, self.hasHTTP2) = (major, minor, patch, hasHTTP2)
  }

  package static let current: CurlVersion = {
    var features: CInt = 0
    let number = Int(csync_version(&features))
    return CurlVersion(
      number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF,
      hasHTTP2: features & CURL_VERSION_HTTP2 != 0)
  }()

  package static func < (one: CurlVersion, other: CurlVersion) -> Bool {
    (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
  }

  /// Whether a stream of HTTP/2 can be paused without harm to it or others, as a limited rate and a
  /// slow disk ask for.
  ///
  /// From libcurl's issues: unpausing was broken in 7.84 (9180); a paused stream that was cancelled
  /// kept others from going on before 8.1 (10988); a stream that was paused could lose its window
  /// for good up to 8.13 (16955, mended by 16960); from 8.16 on a pause could end a transfer with
  /// an error (19334, mended by 19338 in November 2025, with 8.18 at the latest). Debian 12 has
  /// 7.88.1, Debian 13 has 8.14.1.
  package var pausesStreams: Bool {
    guard hasHTTP2 else { return false }
    let isBetween = self >= CurlVersion(8, 14, 0) && self < CurlVersion(8, 16, 0)
    return isBetween || self >= CurlVersion(8, 18, 0)
  }

  /// As libcurl writes it: `8.14.1`.
  package var description: String { "\(major).\(minor).\(patch)" }
}

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
