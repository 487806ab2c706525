import SyncLock
import SynchronizerTesting

@testable import DocumentSync

/// Credentials that are kept and read only when a test lets them.
final class SlowCredentials: CredentialStore {
  struct Locked: Error {}

  let gate = Gate(open: true)
  let isLocked = SyncLock.Locked(false)
  private let kept = MemoryCredentials()

  /// Those of ann, which can't be read yet.
  static func locked() async throws -> SlowCredentials {
    let slow = SlowCredentials()
    try await slow.keep(.token(name: "ann", token: "t"))
    slow.isLocked.withLock { $0 = true }
    return slow
  }

  func load() async throws -> AccountCredentials? {
    if isLocked.withLock({ $0 }) { throw Locked() }
    return await kept.load()
  }

  func keep(_ credentials: AccountCredentials) async throws {
    if credentials.name == "bob" { try await gate.wait() }
    await kept.keep(credentials)
  }

  func remove() async throws { await kept.remove() }
}

/// A service that answers when a test lets it.
struct SlowService: AccountService {
  let gate = Gate(open: true)

  func credentials(for request: AccountRequest) async throws -> AccountCredentials? {
    guard case .signIn(let name, let password) = request else { return nil }
    try await gate.wait()
    return .password(name: name, password: password)
  }
}
