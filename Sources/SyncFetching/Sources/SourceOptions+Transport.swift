import SyncEssentials
import SyncText
import SyncTransport

extension SourceOptions {
  func transportConfiguration() throws -> TransportConfiguration {
    var configuration = TransportConfiguration()
    configuration.maxConnectionsPerHost = connectionsPerOrigin
    configuration.maxStreamsPerHost = streamsPerOrigin
    configuration.maxConnections = max(64, connectionsPerOrigin)
    configuration.userAgent = userAgent
    configuration.proxy = access.proxy.forTransport
    configuration.verifiesServers = access.verifiesServers
    configuration.caFile = try access.caFile.map { try readable($0, .authorities) }
    if let certificate = access.certificateFile {
      configuration.clientCertificate = TransportConfiguration.ClientCertificate(
        certificateFile: try readable(certificate, .certificate),
        keyFile: try readable(access.keyFile ?? certificate, .key))
    }
    if let file = access.netrcFile {
      configuration.netrc = .file(try readable(file, .netrc))
    } else if access.usesNetrc {
      configuration.netrc = .userFile
    }
    return configuration
  }

  var clientPolicy: ClientPolicy {
    var policy = ClientPolicy()
    policy.retry.retries = retries
    policy.requestsPerOrigin = connectionsPerOrigin
    policy.streamsPerOrigin = streamsPerOrigin
    policy.adaptsRequests = adaptsRequests
    policy.bytesPerSecond = bytesPerSecond
    return policy
  }

  /// - Parameter signature: What the requests are signed with; `nil` for none.
  func originAccess(
    _ origin: Origin, _ credentials: Credentials?, signature: SignatureV4? = nil
  ) throws -> OriginAccess {
    var origins = OriginAccess()
    if let signature { origins.sign(origin, with: signature) }
    if let credentials { origins.authorize(origin, .basic(credentials)) }
    if let file = access.tokenFile {
      let path = try readable(file, .token)
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      origins.authorize(origin, .bearer(text.withoutOuterWhitespace))
    }
    origins.allowNetrc(for: origin)
    for header in access.headers { origins.add(header.name, header.value, for: origin) }
    return origins
  }

  private func readable(_ path: String, _ file: SourceAccess.File) throws -> String {
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw SourceProblem.unreadableFile(file, path: ByteString.escape(path))
    }
    return path
  }
}

extension SourceAccess.Proxy {
  var forTransport: TransportConfiguration.ProxyChoice {
    switch self {
    case .environment: .environment
    case .none: .none
    case .url(let url): .url(url)
    }
  }
}
