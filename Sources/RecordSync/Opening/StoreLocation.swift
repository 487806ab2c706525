/// Where the database of a store is.
public enum StoreLocation: Sendable, Equatable {
  /// A file. The name must not be a link, but its directory may be reached through links.
  case file(String, ifMissing: Missing = .fail)
  /// In memory; it begins empty, and is gone with the store.
  case memory

  /// What is to be done where there is no such file.
  public enum Missing: Sendable, Equatable {
    /// Nothing: it is an error.
    case fail
    /// An empty database is made.
    case make
    /// The database at this path is copied, as one that ships with an app: once, whole or not at
    /// all. It must not change meanwhile, and must have been closed by whoever wrote it.
    case copy(of: String)
  }

  /// How errors name it.
  var name: String {
    switch self {
    case .file(let path, _): path
    case .memory: ":memory:"
    }
  }
}
