import SyncLock

/// Who is signed in at a server. It exists whether or not anybody is, and it alone knows the
/// credentials.
///
/// ```swift
/// let account = Account(credentials: FileCredentials(path: "…"), service: notesService)
/// let endpoint = AccountEndpoint(account: account) { authorization in
///   NotesEndpoint(server, authorization: authorization)
/// }
/// try await account.signIn(name: "ann", password: password)
/// ```
///
/// All members can be used from any thread.
public final class Account: Sendable {
  /// What changes, behind the lock. Decisions are `state`'s.
  struct Held: Sendable {
    var state = AccountState()
    var credentials: AccountCredentials?
    var isLoaded = false
    var renewal: SharedWork<Void>?
  }

  private struct Attendants: Sendable {
    weak var present: (any AccountAttendant)?
  }

  let service: any AccountService
  let store: any CredentialStore
  let form: AuthorizationForm
  let held = Watched(Held())
  /// What is kept is written by one at a time.
  let keeping = Turns()
  private let newest = Newest(AccountStatus.signedOut)
  private let attendants = Locked(Attendants())

  /// An account of which nothing is known yet but where its credentials are kept.
  ///
  /// - Parameters:
  ///   - credentials: where they are kept; by default only as long as the program runs.
  ///   - service: what the server offers for accounts; by default name and password go with each
  ///     request.
  ///   - form: how a token is shown to the server.
  public init(
    credentials: any CredentialStore = MemoryCredentials(),
    service: any AccountService = PlainAccountService(), form: AuthorizationForm = .bearer
  ) {
    store = credentials
    self.service = service
    self.form = form
  }

  /// How it stands.
  public var status: AccountStatus { held.state.state.status }

  /// How it stands, first now and then after each change, as a stream of its own for each reader.
  /// A reader always sees the newest: what changed while it didn't look is skipped.
  public var statuses: AsyncStream<AccountStatus> { newest.values }

  /// All that is secret just now, to be taken out of what is kept and shown.
  public var secrets: [String] { held.state.credentials?.secrets ?? [] }

  /// Who syncs under this account; the last one that was set. It isn't kept alive.
  package var attendant: (any AccountAttendant)? {
    get { attendants.withLock { $0.present } }
    set { attendants.withLock { $0.present = newValue } }
  }

  /// Whether it's known who is signed in: once the credentials that were kept could be read.
  var isLoaded: Bool { held.state.isLoaded }

  /// Reads the credentials that were kept, unless that was done before. Whatever needs them does
  /// it, too, each time until it could be done.
  ///
  /// - Throws: what the place where they are kept does; ``AccountProblem/knownTooLate``
  ///   where a sync that doesn't know them is under way.
  public func load() async throws {
    if held.state.isLoaded { return }
    try await keeping.alone { [self] in
      if held.state.isLoaded { return }
      let credentials = try await store.load()
      let enter: @Sendable () -> Void = { [self] in
        change { held in
          held.isLoaded = true
          if let credentials, held.state.loaded(credentials.name) { held.credentials = credentials }
        }
      }
      guard let credentials, let attendant else { return enter() }
      guard try await attendant.isKnown(as: credentials.name, then: enter) else {
        throw AccountProblem.knownTooLate
      }
    }
  }

  /// What a request shows the server, as the field `Authorization`; `nil` while nobody is signed
  /// in. It waits while somebody is about to be.
  public func authorization() async throws -> String? {
    try await load()
    let credentials = try await held.wait { held -> AccountCredentials?? in
      if held.state.status == .signingIn { return nil }
      return .some(held.credentials)
    }
    return credentials?.authorization(form)
  }

  /// Changes what is held, then tells whoever looks at the status.
  @discardableResult
  func change<Result: Sendable>(_ body: (inout Held) -> Result) -> Result {
    // Laid down under the lock, so that nobody hears of two changes in the wrong order.
    let (result, wakeups) = held.change { held in
      (body(&held), newest.put(held.state.status))
    }
    wakeups.tell()
    return result
  }
}
