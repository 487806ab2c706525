import DocumentSync
import SyncLock
import SynchronizerTesting

/// A service whose answers a test gives, each when it opens a gate.
final class ScriptedService: AccountService {
  struct Answers {
    var calls: [String] = []
    var signIn: Result<AccountCredentials, EndpointError>?
    var renewals: [Result<AccountCredentials?, EndpointError>] = []
    var making: Result<AccountCredentials, EndpointError>?
    var change: Result<AccountCredentials, EndpointError>?
    var rule: String?
  }

  static let refusal = EndpointError(.refused(status: 403, words: "no", subject: .collection))

  let answers = Locked(Answers())
  /// What waits for the test before it answers.
  let signingIn = Gate(open: true)
  let renewing = Gate(open: true)

  var calls: [String] { answers.withLock { $0.calls } }

  func problem(withPassword password: String) -> String? { answers.withLock { $0.rule } }

  func credentials(for request: AccountRequest) async throws -> AccountCredentials? {
    switch request {
    case .signIn(let name, let password):
      answers.withLock { $0.calls.append("sign in \(name)") }
      try await signingIn.wait()
      let answer = answers.withLock { $0.signIn }
      return try answer?.get() ?? .password(name: name, password: password)
    case .renew(let credentials):
      answers.withLock { $0.calls.append("renew \(credentials.name)") }
      try await renewing.wait()
      let answer = answers.withLock { $0.renewals.isEmpty ? nil : $0.renewals.removeFirst() }
      return try answer?.get()
    case .makeAccount(let name, _):
      answers.withLock { $0.calls.append("make \(name)") }
      return try answers.withLock { $0.making }?.get() ?? .token(name: name, token: "first")
    case .changePassword(let password, let credentials):
      answers.withLock { $0.calls.append("change") }
      return try answers.withLock { $0.change }?.get()
        ?? .password(name: credentials.name, password: password)
    case .askForPassword(let name):
      answers.withLock { $0.calls.append("ask \(name)") }
      return nil
    }
  }

  func settings(
    of credentials: AccountCredentials, changedTo settings: DocumentValue?
  ) async throws -> DocumentValue {
    settings ?? ["name": DocumentValue(credentials.name)]
  }
}

/// Who syncs, as an account sees it.
final class ScriptedAttendant: AccountAttendant {
  let told = Locked<[String]>([])
  let problem = Locked<DocumentError?>(nil)

  func syncIsWanted() { told.withLock { $0.append("sync") } }

  func mayBecome(_ name: String, _ unsent: UnsentEdits) async throws {
    told.withLock { $0.append("may become \(name)") }
    if let problem = problem.withLock({ $0 }) { throw problem }
  }

  func endSyncs() async {}

  func becomes(
    _ name: String, _ unsent: UnsentEdits, then enter: @escaping @Sendable () throws -> Void
  ) async throws -> Bool {
    told.withLock { $0.append("becomes \(name)") }
    try enter()
    return true
  }

  func isKnown(as name: String, then enter: @escaping @Sendable () -> Void) async throws -> Bool {
    told.withLock { $0.append("is known as \(name)") }
    enter()
    return true
  }

  func willLeave(_ name: String) async throws {
    told.withLock { $0.append("will leave \(name)") }
  }

  func hasLeft() { told.withLock { $0.append("has left") } }
}

/// Where credentials can't be kept.
struct BrokenCredentials: CredentialStore {
  struct Full: Error, Equatable {}

  func load() async throws -> AccountCredentials? { nil }
  func keep(_ credentials: AccountCredentials) async throws { throw Full() }
  func remove() async throws {}
}

/// Credentials that can't be removed.
struct StuckCredentials: CredentialStore {
  struct Stuck: Error, Equatable {}

  func load() async throws -> AccountCredentials? { nil }
  func keep(_ credentials: AccountCredentials) async throws {}
  func remove() async throws { throw Stuck() }
}
