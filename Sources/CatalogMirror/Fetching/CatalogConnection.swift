import Foundation
import SyncLock
import SyncTransport

/// The way to a catalog: its address without secrets, and the source to fetch it and its items
/// from.
struct CatalogConnection: Sendable {
  let root: URLReference
  let source: any ByteSource
  private let transport: (any Transport)?

  /// Makes the way to the catalog that the options name; nothing is sent yet.
  /// - Throws: ``MirrorError`` for an address that is none, a file of the options that can't be
  ///   read, or too few open files.
  init(
    _ options: MirrorOptions, in environment: MirrorEnvironment, observer: MirrorObserver
  ) throws {
    try DescriptorLimit.check()
    guard let named = URLReference(options.catalog) else {
      throw MirrorError.badCatalogAddress(WebAddress.redact(options.catalog))
    }
    switch named.scheme {
    case "file":
      root = named
      source = try FileSource(
        catalog: named, queue: environment.makeDiskQueue(), in: environment.fileSystem)
      transport = nil
    case "http", "https":
      let address: WebAddress
      let credentials: Credentials?
      do {
        (address, credentials) = try WebAddress.parse(options.catalog)
      } catch { throw MirrorError.badCatalogAddress(WebAddress.redact(options.catalog)) }
      guard let root = URLReference(address.text) else {
        throw MirrorError.badCatalogAddress(address.redacted)
      }
      self.root = root
      let transport = try environment.makeTransport(try options.transportConfiguration())
      self.transport = transport
      let access = try options.originAccess(address.origin, credentials)
      source = HTTPSource(
        client: HTTPClient(
          transport, policy: options.clientPolicy, access: access, clock: environment.clock,
          random: environment.random, onEvent: { observer.publish($0) }),
        addressGuard: AddressGuard(
          catalogHost: address.host, allowedHosts: options.allowedHosts),
        paceLimit: PaceLimit(
          bytesPerSecond: options.minimumRate, grace: options.minimumRateGrace))
    default:
      throw MirrorError.badCatalogAddress(WebAddress.redact(options.catalog))
    }
  }

  /// Where tasks that fetch one item after the other run best; `nil`: anywhere.
  var executor: (any TaskExecutor)? { transport?.executor }

  func close() async {
    await transport?.close()
  }
}

extension MirrorOptions {
  fileprivate func transportConfiguration() throws -> TransportConfiguration {
    var configuration = TransportConfiguration()
    configuration.maxConnectionsPerHost = connectionsPerOrigin
    configuration.maxConnections = max(64, connectionsPerOrigin)
    configuration.userAgent = "mirror (OneWaySynchronizer)"
    configuration.caFile = try access.caFile.map { try readable($0, of: "--ca-file") }
    if let certificate = access.certificateFile {
      configuration.clientCertificate = TransportConfiguration.ClientCertificate(
        certificateFile: try readable(certificate, of: "--cert"),
        keyFile: try readable(access.keyFile ?? certificate, of: "--key"))
    }
    if let file = access.netrcFile {
      configuration.netrc = .file(try readable(file, of: "--netrc-file"))
    } else if access.usesNetrc {
      configuration.netrc = .userFile
    }
    return configuration
  }

  fileprivate var clientPolicy: ClientPolicy {
    var policy = ClientPolicy()
    policy.retry.retries = retries
    policy.requestsPerOrigin = connectionsPerOrigin
    policy.adaptsRequests = concurrency <= 0
    policy.bytesPerSecond = bytesPerSecond
    return policy
  }

  fileprivate func originAccess(
    _ origin: Origin, _ credentials: Credentials?
  ) throws -> OriginAccess {
    var origins = OriginAccess()
    if let credentials { origins.authorize(origin, .basic(credentials)) }
    if let file = access.tokenFile {
      let path = try readable(file, of: "--token-file")
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      origins.authorize(origin, .bearer(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
    origins.allowNetrc(for: origin)
    for header in access.headers { origins.add(header.name, header.value, for: origin) }
    return origins
  }

  private func readable(_ path: String, of option: String) throws -> String {
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw MirrorError.unreadableFile(
        option: option, path: CatalogKey(path).description)
    }
    return path
  }
}

extension MirrorObserver {
  fileprivate func publish(_ event: TransportEvent) {
    switch event {
    case .retrying(let address, let retry, let wait, let reason):
      publish(
        .retrying(url: address.redacted, retry: retry, wait: wait, reason: reason.reason))
    case .redirected, .gaveUp: break
    }
  }
}
