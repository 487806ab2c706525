private import SyncLock

/// Where credentials are kept between two starts of a program.
///
/// An ``Account`` calls one method at a time. What a method throws, whoever signs in is told;
/// nothing of what is secret may stand in it.
public protocol CredentialStore: Sendable {
  /// What was kept; `nil` if nothing was.
  @concurrent func load() async throws -> AccountCredentials?

  /// Keeps these in the place of all others. When it throws, the others are kept still.
  @concurrent func keep(_ credentials: AccountCredentials) async throws

  /// Keeps none any more. That there were none is no error.
  @concurrent func remove() async throws
}

/// Keeps credentials as long as the program runs.
public final class MemoryCredentials: CredentialStore {
  private let kept: Locked<AccountCredentials?>

  /// Keeps these at first; none by default.
  public init(_ credentials: AccountCredentials? = nil) {
    kept = Locked(credentials)
  }

  /// What was kept.
  @concurrent public func load() async -> AccountCredentials? { kept.withLock { $0 } }

  /// Keeps these.
  @concurrent public func keep(_ credentials: AccountCredentials) async {
    kept.withLock { $0 = credentials }
  }

  /// Keeps none any more.
  @concurrent public func remove() async {
    kept.withLock { $0 = nil }
  }
}
