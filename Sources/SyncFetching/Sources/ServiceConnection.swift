package import SyncTransport

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

  /// Ends what is under way.
  package func close() async {
    client.leave()
    await transport.close()
  }
}
