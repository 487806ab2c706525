package import SyncText
package import SyncTransport

/// The way to a source: its address without secrets, and where to fetch it and what it names from.
package struct SourceConnection: Sendable {
  package let root: URLReference
  package let source: any ByteSource
  /// The keys of which one has to have signed what the source lists; none, the default, where
  /// nobody asks. Whoever reads the list checks that.
  package var verifyKeys: [Ed25519PublicKey] = []
  private let transport: (any Transport)?
  private let client: HTTPClient?
  /// Where the transport is shared, the use of it.
  private let lease: ConnectionPool.Lease?

  /// Makes the way to the source at an address; nothing is sent yet.
  ///
  /// - Parameter onEvent: Told of retries and redirects.
  /// - Throws: ``SourceProblem``.
  package init(
    _ address: String, _ options: SourceOptions, in environment: SourceEnvironment,
    onEvent: @escaping @Sendable (TransportEvent) -> Void
  ) throws {
    let badAddress = SourceProblem.badAddress(WebAddress.redact(address))
    guard let named = URLReference(address) else { throw badAddress }
    let bucket = try named.scheme == "s3" || options.isBucket ? options.bucket(environment) : nil
    var address = address
    if named.scheme == "s3", let bucket {
      let found = BucketAddress.address(
        of: named, endpoint: options.access.bucket.endpoint, region: bucket.region)
      guard let found else { throw badAddress }
      address = found
    }
    switch named.scheme {
    case "file":
      root = named
      source = try FileSource(
        catalog: named, queue: environment.makeDiskQueue(), in: environment.fileSystem)
      (transport, client, lease) = (nil, nil, nil)
    case "http", "https", "s3":
      guard let (web, credentials) = try? WebAddress.parse(address),
        let root = URLReference(web.text)
      else { throw badAddress }
      self.root = root
      let access = try options.originAccess(
        web.origin, credentials, signature: bucket?.signature)
      let configuration = try options.transportConfiguration()
      lease = try environment.pool?.take(configuration, making: environment.makeTransport)
      let transport = try lease?.transport ?? environment.makeTransport(configuration)
      let client = HTTPClient(
        transport, policy: options.clientPolicy, access: access, limits: lease?.limits,
        clock: environment.clock, random: environment.random, onEvent: onEvent)
      self.transport = transport
      self.client = client
      source = HTTPSource(
        root: web, client: client,
        addressGuard: AddressGuard(sourceHost: web.host, allowedHosts: options.allowedHosts),
        limits: options.limits)
    default:
      throw badAddress
    }
  }

  /// Where tasks that fetch one item after the other run best; `nil`: anywhere.
  package var executor: (any TaskExecutor)? { transport?.executor }

  /// Whether the number of requests that go on at once is found out.
  package var adaptsRequests: Bool { client?.adaptsRequests ?? false }

  /// Where the number of requests adapts: has `teller` told how many callers are of use, each time
  /// that there are more than before.
  package func tellUsefulCallers(to teller: @escaping @Sendable (Int) -> Void) {
    client?.tellUsefulCallers(to: teller)
  }

  /// Ends what is under way. Where a transport is shared, nothing may be under way any more.
  package func close() async {
    client?.leave()
    if let lease {
      await lease.end()
    } else {
      await transport?.close()
    }
  }
}

extension SourceOptions {
  fileprivate func bucket(_ environment: SourceEnvironment) throws -> BucketSettings {
    try BucketSettings(
      access.bucket, variables: environment.variables(), reading: BucketSettings.text)
  }
}

extension BucketSettings {
  fileprivate var signature: SignatureV4? {
    key.map { SignatureV4($0, region: region) }
  }
}

/// The way to a service, which is told things as well as asked, and whose every answer counts.
///
/// Nothing is tried again, and no server is given up on: those who ask know how long a service
/// wants to be left alone, and come back after days.
package struct ServiceConnection: Sendable {
  private let transport: any Transport
  private let client: HTTPClient
  private let addressGuard: AddressGuard
  private let limits: TransferLimits

  /// Makes the way to the service at an address; nothing is sent yet.
  ///
  /// - Throws: ``SourceProblem``.
  package init(
    _ address: WebAddress, _ options: SourceOptions,
    making makeTransport: (TransportConfiguration) throws -> any Transport = { CurlTransport($0) }
  ) throws {
    var policy = options.clientPolicy
    policy.retry.retries = 0
    policy.failuresUntilGivenUp = .max
    transport = try makeTransport(try options.transportConfiguration())
    client = HTTPClient(
      transport, policy: policy, access: try options.originAccess(address.origin, nil))
    addressGuard = AddressGuard(sourceHost: address.host, allowedHosts: options.allowedHosts)
    limits = options.limits
  }

  /// Sends a request, and gives the answer with its body, whatever its status; see
  /// ``SyncTransport/HTTPClient/answer(to:limit:)``.
  package func answer(to request: HTTPRequest, limit: Int) async throws -> HTTPAnswer {
    var request = request
    request.connectTimeout = limits.connectTimeout
    request.stallLimit = limits.stall
    request.paceLimit = limits.pace
    var fetch = FetchRequest(request)
    fetch.admits = { [addressGuard] host, ip in addressGuard.admits(ip, for: host) }
    fetch.onConnected = { [addressGuard] host, ip in addressGuard.met(host, at: ip) }
    return try await client.answer(to: fetch, limit: limit)
  }
}
