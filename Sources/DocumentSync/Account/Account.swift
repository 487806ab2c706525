import SyncLock

/// Who is signed in at a server. It exists whether or not anybody is, and it alone knows the
/// credentials.
///
/// ```swift
/// let account = Account(service: notesService)
/// let notes = try await DocumentReplica(.file(path), account: account, options: options) {
///   authorization in NotesEndpoint(server, authorization: authorization)
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
  let tokenPrefix: String
  let held = Watched(Held())
  /// What is kept is written by one at a time.
  let keeping = SerialWork()
  private let newest = Newest(AccountStatus.signedOut)
  private let attendants = Locked(Attendants())

  /// An account of which nothing is known yet but where its credentials are kept.
  ///
  /// - Parameters:
  ///   - credentials: where they are kept; by default only as long as the program runs.
  ///   - service: what the server offers for accounts; by default name and password go with each
  ///     request.
  ///   - tokenPrefix: what stands before a token in the field `Authorization` (RFC 9110, section
  ///     11.4), such as `Token token=`. By default `Bearer `, see RFC 6750.
  public init(
    credentials: (any CredentialStore)? = nil, service: (any AccountService)? = nil,
    tokenPrefix: String = "Bearer "
  ) {
    store = credentials ?? MemoryCredentials()
    self.service = service ?? PlainAccountService()
    self.tokenPrefix = tokenPrefix
  }

  /// How it stands.
  public var status: AccountStatus { held.state.state.status }

  /// How it stands, first now and then after each change, as a stream of its own for each reader.
  /// A reader always sees the newest: what changed while it didn't look is skipped.
  public var statuses: AsyncStream<AccountStatus> { newest.values }

  /// All that is secret just now, to be taken out of what is kept and shown.
  package var secrets: [String] { held.state.credentials?.secrets ?? [] }

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
  /// - Throws: what the place where they are kept does; ``DocumentError/knownTooLate``
  ///   where a sync that doesn't know them is under way.
  package func load() async throws {
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
        throw DocumentError.knownTooLate
      }
    }
  }

  /// What a request shows the server, as the field `Authorization`; `nil` while nobody is signed
  /// in. It waits while somebody is about to be.
  package func authorization() async throws -> String? {
    try await load()
    let credentials = try await held.wait { held -> AccountCredentials?? in
      if held.state.status == .signingIn { return nil }
      return .some(held.credentials)
    }
    return credentials?.authorization(tokenPrefix: tokenPrefix)
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

extension Account {
  /// Changes the password at the service. The kept one is replaced only once that is done.
  public func changePassword(to password: String) async throws {
    if let why = service.problem(withPassword: password) { throw DocumentError.badPassword(why) }
    let (old, number) = try await present()
    guard
      let credentials = try await service.credentials(
        for: .changePassword(to: password, of: old))
    else { throw DocumentError.noCredentials }
    try await keeping.alone { [self] in
      let isReplaced = change { held in
        let isReplaced = held.state.replaced(number)
        if isReplaced { held.credentials = credentials }
        return isReplaced
      }
      // The service has it: whoever signed in meanwhile is asked for it there.
      guard isReplaced else { throw DocumentError.overtaken }
      try await store.keep(credentials)
    }
    attendant?.syncIsWanted()
  }

  /// Has the service send the owner of an account a way to a new password. Nobody needs to be
  /// signed in.
  public func askForPassword(name: String) async throws {
    if let why = service.problem(withName: name) { throw DocumentError.badName(why) }
    _ = try await service.credentials(for: .askForPassword(name: name))
  }

  /// The settings of the account that is signed in, changed to others if there are such.
  @discardableResult
  public func settings(changedTo settings: DocumentValue? = nil) async throws -> DocumentValue {
    try await service.settings(of: present().credentials, changedTo: settings)
  }

  private func present() async throws -> (credentials: AccountCredentials, number: Int) {
    try await load()
    let (credentials, number) = held.change { ($0.credentials, $0.state.number) }
    guard let credentials else { throw DocumentError.signedOut }
    return (credentials, number)
  }
}

/// Who syncs under an account, and has to be told when that becomes another one.
///
/// An ``Account`` calls it, from several tasks at once but for ``becomes(_:_:then:)`` and
/// ``isKnown(as:then:)``. What is called from a closure that is a part of a sync waits for the end
/// of no sync.
package protocol AccountAttendant: AnyObject, Sendable {
  /// Somebody signed in: what waits for that is to be sent soon. Returns at once.
  func syncIsWanted()

  /// Somebody of that name wants to sign in. Throws ``DocumentError/unsentEdits(_:)`` if that
  /// can't be.
  @concurrent func mayBecome(_ name: String, _ unsent: UnsentEdits) async throws

  /// Somebody is about to take over: what is under way is ended.
  @concurrent func endSyncs() async

  /// Somebody of that name takes over: what another account left is dealt with, and what was here
  /// before anybody signed in becomes theirs, in one transaction, at whose end `enter` says that
  /// they did. What it throws undoes all of it.
  ///
  /// - Returns: whether it was done: not where a sync has begun meanwhile.
  /// - Throws: ``DocumentError/unsentEdits(_:)`` if it can't be.
  @concurrent func becomes(
    _ name: String, _ unsent: UnsentEdits, then enter: @escaping @Sendable () throws -> Void
  ) async throws -> Bool

  /// Who is signed in has become known, and `enter` says so: what was here before anybody was
  /// known is theirs, at the latest with the next sync, where another process syncs just now.
  ///
  /// - Returns: whether it was done: not where a sync is under way that doesn't know it.
  @concurrent func isKnown(
    as name: String, then enter: @escaping @Sendable () -> Void
  ) async throws -> Bool

  /// Somebody signs out: what is under way is ended, and what is known of the server's lists counts
  /// no more.
  @concurrent func willLeave(_ name: String) async throws

  /// Nobody is signed in any more. Returns at once.
  func hasLeft()
}
