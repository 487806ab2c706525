import SyncEssentials
package import SyncFiles
import SyncText
package import SyncTransport

package struct SourceOptions: Sendable {
  package var access = SourceAccess()
  /// Connections to one origin at once, and requests.
  package var connectionsPerOrigin = standardConnections
  /// Requests to one origin at once where one connection carries many of them (HTTP/2): twice as
  /// many, unless somebody gave a number of connections.
  package var streamsPerOrigin: Int {
    let isStandard = connectionsPerOrigin == Self.standardConnections
    return isStandard ? 2 * connectionsPerOrigin : connectionsPerOrigin
  }
  /// ``connectionsPerOrigin`` where nobody gave a number.
  package static let standardConnections = 128
  /// Whether fewer requests than ``connectionsPerOrigin`` are sent at once where more don't help.
  package var adaptsRequests = true
  /// Bytes a second from one origin; `nil` is without limit.
  package var bytesPerSecond: Int64?
  package var limits = TransferLimits()
  package var retries = 5
  /// Hosts that may be at private, link-local or loopback addresses besides the source's own.
  package var allowedHosts: Set<String> = []
  /// Whether the source is a bucket of S3: its origin is sent signed requests, as ``access`` says.
  /// A source `s3://bucket/prefix` is one in any case.
  package var isBucket = false
  package var userAgent = "OneWaySynchronizer"

  package init() {}
}

/// How long a connection may take to come about, and how slow a transfer may be.
package struct TransferLimits: Sendable, Equatable {
  /// How long resolving, connecting and TLS may take together. Default 30 s.
  package var connectTimeout = Duration.seconds(30)
  package var stall = StallLimit()
  /// How slow it may be on the whole.
  package var pace = PaceLimit()

  package init() {}
}

/// What a source takes from the outside world.
package struct SourceEnvironment: Sendable {
  package var clock: any Clock<Duration>
  /// From 0 up to 1, for the spread of waits.
  package var random: @Sendable () -> Double
  package var makeTransport: @Sendable (TransportConfiguration) throws -> any Transport
  package var makeDiskQueue: @Sendable () -> any DiskQueue
  package var fileSystem: any FileSystem
  /// What is shared with other connections; `nil` for nothing.
  package var pool: ConnectionPool?
  /// The variables that name keys and where they lie.
  package var variables: @Sendable () -> [String: String] = {
    ProcessInfo.processInfo.environment
  }

  package init(
    clock: any Clock<Duration>, random: @escaping @Sendable () -> Double,
    makeTransport: @escaping @Sendable (TransportConfiguration) throws -> any Transport,
    makeDiskQueue: @escaping @Sendable () -> any DiskQueue, fileSystem: any FileSystem,
    pool: ConnectionPool? = nil
  ) {
    self.clock = clock
    self.random = random
    self.makeTransport = makeTransport
    self.makeDiskQueue = makeDiskQueue
    self.fileSystem = fileSystem
    self.pool = pool
  }
}

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
    if access.usesNetrc || access.netrcFile != nil { origins.allowNetrc(for: origin) }
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
