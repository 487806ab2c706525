/// How a ``CurlTransport`` reaches the network.
package struct TransportConfiguration: Sendable, Equatable {
  /// A file of trusted certificates in PEM form. Default: the one that the environment names in
  /// `SSL_CERT_FILE`, or else the system's.
  package var caFile: String?
  /// Whether a server has to prove with a certificate that it is who it says. Default `true`;
  /// without, anybody on the way can read and change what comes.
  package var verifiesServers = true
  /// A client certificate and its key, files in PEM form. Default: none.
  package var clientCertificate: ClientCertificate?
  /// Which proxy is used. Default: the one that the environment names.
  package var proxy = ProxyChoice.environment
  /// Where passwords may be looked up. Default: nowhere.
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

  /// The defaults, as stated at each property.
  package init() {}

  /// A certificate that says who we are.
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
    /// None, whatever the environment says.
    case none
    /// This one, for every address: a URL as libcurl takes it, with its credentials if need be.
    case url(String)
  }

  /// Where passwords may be looked up.
  package enum Netrc: Sendable, Equatable {
    case off
    /// `~/.netrc`.
    case userFile
    case file(String)
  }
}
