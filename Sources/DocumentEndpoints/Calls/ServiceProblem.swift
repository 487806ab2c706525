public import SyncFetching

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
