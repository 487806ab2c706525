public import Foundation
import SyncFiles

/// Why no catalog was written. The one that was there stays as it is.
///
/// A file that can't be read is one of these, and not just left out: in a complete catalog, absence
/// means deletion.
public enum PublishError: Error, Hashable, Sendable {
  /// A system call failed: what was tried, on which path, and what the system said.
  case system(action: String, path: String, reason: String)
  /// A file went on changing while it was hashed.
  case changing(path: String)
  /// An option can't be used; which, and why.
  case badOption(String)
}

extension PublishError: CustomStringConvertible {
  /// A sentence that says what happened and what to do next.
  public var description: String {
    switch self {
    case .system(let action, let path, let reason):
      "Could not \(action) '\(path)': \(reason). No catalog was written."
    case .changing(let path):
      "'\(path)' changed while it was read. No catalog was written; publish when it is still."
    case .badOption(let problem): "\(problem) No catalog was written."
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
