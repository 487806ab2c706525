import DocumentSync
public import SyncFetching
@_exported public import struct SyncFetching.SourceAccess
import SyncText
package import SyncTransport

/// How a service is reached, whichever it is.
public struct ServiceOptions: Sendable {
  package var access: SourceAccess
  package var allowedHosts: Set<String>
  package var connections: Int
  package var longestAnswer: Int
  package var userAgent: String

  /// What carries the requests; `nil`, but in tests, for libcurl.
  package var transport: (any Transport)?

  /// The defaults, but for what is given.
  ///
  /// - Parameters:
  ///   - access: what the server is told and shown besides the authorization of each request:
  ///     headers of your own, certificates, a proxy.
  ///   - allowedHosts: hosts that may be at private, link-local or loopback addresses, besides the
  ///     service's own.
  ///   - connections: the most requests at once.
  ///   - longestAnswer: the most bytes of an answer. By default 256 MiB: many servers put all that
  ///     they have into one.
  ///   - userAgent: what the server is told of the program.
  public init(
    access: SourceAccess = SourceAccess(), allowedHosts: Set<String> = [], connections: Int = 4,
    longestAnswer: Int = 256 * 1024 * 1024, userAgent: String = "OneWaySynchronizer"
  ) {
    (self.access, self.allowedHosts, self.connections) = (access, allowedHosts, connections)
    (self.longestAnswer, self.userAgent) = (longestAnswer, userAgent)
  }

  /// The defaults, over another transport.
  package init(over transport: any Transport) {
    self.init()
    self.transport = transport
  }

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

/// The address of a service, under which it keeps whatever it has.
enum ServiceAddress {
  /// The address without a closing slash.
  ///
  /// - Throws: ``ServiceError``.
  static func read(_ text: String) throws(ServiceError) -> WebAddress {
    let shown = WebAddress.redact(text)
    guard let reference = URLReference(text), let web = try? WebAddress(text) else {
      throw .badAddress(shown)
    }
    guard !reference.hasUserInfo else { throw .userInfo }
    guard reference.query == nil, !text.utf8.contains(UInt8(ascii: "#")) else {
      throw .queryOrFragment(shown)
    }
    let steps = web.path.split(separator: "/").joined(separator: "/")
    guard let root = try? WebAddress("\(web.origin)\(steps.isEmpty ? "" : "/\(steps)")") else {
      throw .badAddress(shown)
    }
    return root
  }
}

extension WebAddress {
  func below(_ path: String) throws(EndpointError) -> WebAddress {
    // An address without a path is written with a slash.
    let base = self.path == "/" ? "\(origin)" : text
    do {
      return try WebAddress(base + path)
    } catch {
      throw EndpointError(.impossible("\(path) makes no address"))
    }
  }
}
