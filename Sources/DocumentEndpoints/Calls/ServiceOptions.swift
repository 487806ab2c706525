public import SyncFetching

/// How a service is reached, whichever it is.
public struct ServiceOptions: Sendable {
  /// What the server is told and shown besides the authorization of each request: headers of your
  /// own, certificates, a proxy.
  public var access = SourceAccess()
  /// Hosts that may be at private, link-local or loopback addresses, besides the service's own.
  public var allowedHosts: Set<String> = []
  /// The most requests at once. Default 4.
  public var connections = 4
  /// The most bytes of an answer. Default 256 MiB: many servers put all that they have into one.
  public var longestAnswer = 256 * 1024 * 1024
  /// What the server is told of the program.
  public var userAgent = "OneWaySynchronizer"

  /// The defaults.
  public init() {}

  /// The same, as connections are told.
  var forConnection: SourceOptions {
    var options = SourceOptions()
    options.access = access
    options.allowedHosts = allowedHosts
    options.connectionsPerOrigin = max(1, connections)
    options.adaptsRequests = false
    options.retries = 0
    options.userAgent = userAgent
    return options
  }
}
