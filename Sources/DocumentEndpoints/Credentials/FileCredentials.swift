public import DocumentSync
private import SyncFiles

/// Keeps credentials in a file that only its owner may read.
///
/// The file is written whole or not at all, with the rights 0600. One that others may read is
/// refused, and so is a directory in which others may put a file in its place.
public struct FileCredentials: CredentialStore {
  /// Where it is.
  public let path: String
  private let queue = DispatchDiskQueue()

  /// Keeps them under a path, whose directory must exist.
  public init(path: String) {
    self.path = path
  }

  /// What the file says; `nil` if there is none.
  @concurrent public func load() async throws -> AccountCredentials? {
    try await queue.run { [path] in try CredentialFile(path: path).read() }
  }

  /// Writes the file.
  @concurrent public func keep(_ credentials: AccountCredentials) async throws {
    try await queue.run { [path] in try CredentialFile(path: path).write(credentials) }
  }

  /// Removes the file.
  @concurrent public func remove() async throws {
    try await queue.run { [path] in try CredentialFile(path: path).remove() }
  }
}

/// Why a file of credentials can't be used.
public enum CredentialFileProblem: Error, Sendable, Hashable {
  /// Others may read the file: it has these rights.
  case readableByOthers(path: String, mode: UInt32)
  /// Others may write in its directory, which has these rights.
  case directoryOfOthers(path: String, mode: UInt32)
  /// It is no regular file, or a link.
  case notAFile(path: String)
  /// What it holds are no credentials.
  case unreadable(path: String)
  /// The system refused, in these words.
  case system(path: String, words: String)
}

extension CredentialFileProblem: CustomStringConvertible {
  /// What is wrong, for a place behind a colon.
  public var description: String {
    switch self {
    case .readableByOthers(let path, let mode):
      "\(path) can be read by others (its rights are \(Self.octal(mode))): make them 0600, and "
        + "change the password"
    case .directoryOfOthers(let path, let mode):
      "others may write in the directory of \(path) (its rights are \(Self.octal(mode)))"
    case .notAFile(let path): "\(path) is no file"
    case .unreadable(let path): "\(path) holds no credentials"
    case .system(let path, let words): "\(path): \(words)"
    }
  }

  private static func octal(_ mode: UInt32) -> String { "0" + String(mode, radix: 8) }
}
