import DocumentSync
public import SyncFetching
@_exported public import struct SyncFetching.SourceAccess
import SyncText
package import SyncTransport

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

  /// What carries the requests; `nil`, but in tests, for libcurl.
  package var transport: (any Transport)?

  /// The defaults.
  public init() {}

  /// The defaults, over another transport.
  package init(over transport: any Transport) {
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
  /// - Throws: ``ServiceProblem``.
  static func read(_ text: String) throws(ServiceProblem) -> WebAddress {
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
  /// The address of a path below a service's.
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

/// Why a service can't be reached as it was described.
public enum ServiceProblem: Error, Sendable, Hashable {
  /// The address, shown without secrets, is no http or https URL.
  case badAddress(String)
  /// There is a name or a password in the address.
  case userInfo
  /// The address, shown without secrets, has a query or a fragment.
  case queryOrFragment(String)
  /// The address, shown without secrets, leads into the service: to a bucket, a collection.
  case inside(String)
  /// The service can't have something of this name.
  case badName(String)
  /// A file that the access names can't be read; its path, escaped.
  case unreadableFile(SourceAccess.File, path: String)
}

extension ServiceProblem: CustomStringConvertible {
  /// What is wrong, for a place behind a colon.
  public var description: String {
    switch self {
    case .badAddress(let address): "\"\(address)\" is no address of http or https"
    case .userInfo: "a name or a password stands in the address; give them as credentials"
    case .queryOrFragment(let address):
      "\"\(address)\" has a query or a fragment; leave out what follows the path"
    case .inside(let address):
      "\"\(address)\" leads into a bucket; name the server alone, and the bucket beside it"
    case .badName(let name):
      "\"\(name)\" is no name for it: letters, digits, \"-\" and \"_\", of which the last two don't"
        + " begin one"
    case .unreadableFile(_, let path): "the file \(path) can't be read"
    }
  }
}
