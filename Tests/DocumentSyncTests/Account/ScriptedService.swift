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

  func signIn(name: String, password: String) async throws -> AccountCredentials {
    answers.withLock { $0.calls.append("sign in \(name)") }
    try await signingIn.wait()
    let answer = answers.withLock { $0.signIn }
    return try answer?.get() ?? .password(name: name, password: password)
  }

  func renew(_ credentials: AccountCredentials) async throws -> AccountCredentials? {
    answers.withLock { $0.calls.append("renew \(credentials.name)") }
    try await renewing.wait()
    let answer = answers.withLock { $0.renewals.isEmpty ? nil : $0.renewals.removeFirst() }
    return try answer?.get()
  }

  func makeAccount(name: String, password: String) async throws -> AccountCredentials {
    answers.withLock { $0.calls.append("make \(name)") }
    let answer = answers.withLock { $0.making }
    return try answer?.get() ?? .token(name: name, token: "first")
  }

  func changePassword(
    to password: String, of credentials: AccountCredentials
  ) async throws -> AccountCredentials {
    answers.withLock { $0.calls.append("change") }
    let answer = answers.withLock { $0.change }
    return try answer?.get() ?? .password(name: credentials.name, password: password)
  }

  func askForPassword(name: String) async throws {
    answers.withLock { $0.calls.append("ask \(name)") }
  }

  func settings(of credentials: AccountCredentials) async throws -> DocumentValue {
    ["name": DocumentValue(credentials.name)]
  }

  func changeSettings(
    to settings: DocumentValue, of credentials: AccountCredentials
  ) async throws -> DocumentValue { settings }
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

  func isKnown(
    as name: String, then enter: @escaping @Sendable () -> Void
  ) async throws -> Bool {
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
