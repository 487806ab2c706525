#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Why no catalog was written. The one that was there stays as it is.
///
/// A file that can't be read is one of these, and not just left out: in a complete catalog, absence
/// means deletion.
public enum PublishError: Error, Hashable, Sendable {
  /// A system call failed: what was tried, on which path, and `errno`.
  case system(action: String, path: String, code: Int32)
  /// A file went on changing while it was hashed.
  case changing(path: String)
  /// An option can't be used; which, and why.
  case badOption(String)
}

extension PublishError: CustomStringConvertible {
  /// A sentence that says what happened and what to do next.
  public var description: String {
    switch self {
    case .system(let action, let path, let code):
      "Could not \(action) '\(path)': \(String(cString: strerror(code))). No catalog was written."
    case .changing(let path):
      "'\(path)' changed while it was read. No catalog was written; publish when it is still."
    case .badOption(let problem): "\(problem) No catalog was written."
    }
  }
}
