public import Foundation
import SyncFiles
import SyncText

/// Why no catalog was written. The one that was there stays as it is.
///
/// A file that can't be read is one of these, and not just left out: in a complete catalog, absence
/// means deletion.
public enum PublishError: Error, Hashable, Sendable {
  /// A system call failed: what was tried, on which path, and what the system said.
  case system(action: String, path: String, reason: String)
  /// A file went on changing while it was hashed.
  case changing(path: String)
  /// An option can't be used.
  case badOption(BadOption)

  /// Which option can't be used, with what it says but for a URL, which may hold a password.
  public enum BadOption: Hashable, Sendable {
    /// ``CatalogWriter/Options/fileName`` isn't the name of a file.
    case fileName(String)
    /// ``CatalogWriter/Options/base`` isn't a URL that ends with a slash, or carries a password.
    case base
    /// ``CatalogWriter/Options/previews`` isn't a path.
    case previews(String)
  }
}

extension PublishError: CustomStringConvertible {
  /// A sentence that says what happened and what to do next.
  public var description: String {
    switch self {
    case .system(let action, let path, let reason):
      "Could not \(action) '\(path)': \(reason). No catalog was written."
    case .changing(let path):
      "'\(path)' changed while it was read. No catalog was written; publish when it is still."
    case .badOption(let problem): "\(problem.words). No catalog was written."
    }
  }
}

extension PublishError.BadOption {
  fileprivate var words: String {
    switch self {
    case .fileName(let name): "The catalog's name '\(CatalogKey(name))' isn't a file name"
    case .base: "The base has to be a URL that ends with a slash"
    case .previews(let path): "The previews' directory '\(CatalogKey(path))' isn't a path"
    }
  }
}

extension PublishError {
  /// Runs `body`, and says of a system call that fails what it was for.
  static func translating<Value>(
    _ action: String, _ path: String, _ body: () throws(Errno) -> Value
  ) throws(PublishError) -> Value {
    do {
      return try body()
    } catch {
      throw .system(action: action, path: path, reason: error.text)
    }
  }
}

// An alert shows the sentence of an error, and not its type and number.
extension PublishError: LocalizedError {
  /// The sentence of ``description``.
  public var errorDescription: String? { description }
}
