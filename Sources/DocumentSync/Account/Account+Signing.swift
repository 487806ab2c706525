import SyncLock

extension Account {
  /// Signs somebody in. Whatever else waits for that, this doesn't wait for it; of two who sign in
  /// at once, the later one counts.
  ///
  /// - Parameters:
  ///   - name: who signs in.
  ///   - password: what shows it; checked by the service's rules before anything is sent.
  ///   - unsent: what is to become of changes of another account that weren't sent.
  /// - Throws: ``DocumentError``, and whatever the service, the place where credentials are kept,
  ///   or the store throws; then it's as it was before, but that nobody is signed in where the very
  ///   end of the store's transaction failed.
  public func signIn(
    name: String, password: String, unsent: UnsentEdits = .refuse
  ) async throws {
    try check(name: name, password: password)
    try await becoming(name, unsent) { service in
      try await service.credentials(for: .signIn(name: name, password: password))
    }
  }

  /// Signs in with credentials that are at hand, such as a token from the user's browser.
  public func signIn(
    with credentials: AccountCredentials, unsent: UnsentEdits = .refuse
  ) async throws {
    if let why = service.problem(withName: credentials.name) { throw DocumentError.badName(why) }
    try await becoming(credentials.name, unsent) { _ in credentials }
  }

  /// Makes an account at the service, and signs in to it. Once that is done, a sync is asked for;
  /// if it fails, nothing is kept.
  public func makeAccount(
    name: String, password: String, unsent: UnsentEdits = .refuse
  ) async throws {
    try check(name: name, password: password)
    try await becoming(name, unsent) { service in
      try await service.credentials(for: .makeAccount(name: name, password: password))
    }
  }

  /// Signs out: what is under way is ended, the credentials go, and so does what is known of the
  /// server's lists. The documents stay, unseen until their account is back.
  ///
  /// - Throws: whatever the store, and the place where credentials are kept, throws; then the same
  ///   one is signed in still.
  public func signOut() async throws {
    try await loadAlone()
    if let name = held.state.state.name { try await attendant?.willLeave(name) }
    // Removed first and announced then: whoever is signed out isn't signed in again by a restart.
    try await keeping.alone { [self] in
      try await store.remove()
      let renewal = change { held in
        defer { (held.credentials, held.renewal) = (nil, nil) }
        held.state.signedOut()
        return held.renewal
      }
      renewal?.cancel()
      attendant?.hasLeft()
    }
  }

  func check(name: String, password: String) throws {
    if let why = service.problem(withName: name) { throw DocumentError.badName(why) }
    if let why = service.problem(withPassword: password) { throw DocumentError.badPassword(why) }
  }

  private func becoming(
    _ name: String, _ unsent: UnsentEdits,
    _ ask: @Sendable (any AccountService) async throws -> AccountCredentials?
  ) async throws {
    try await loadAlone()
    try await attendant?.mayBecome(name, unsent)
    let attempt = change { $0.state.signInBegan() }
    do {
      guard let credentials = try await ask(service) else {
        throw DocumentError.noCredentials
      }
      // In nobody's turn while it waits for the end of a sync: what runs after that sync may sign
      // in or out, and waits for its own turn.
      repeat {
        await attendant?.endSyncs()
      } while try await !takesOver(credentials, attempt, unsent)
    } catch {
      change { $0.state.signInFailed(attempt) }
      throw error
    }
    attendant?.syncIsWanted()
  }

  /// Reads what was kept. A sync that doesn't know it is ended: it would be for who signs in or
  /// out, too.
  private func loadAlone() async throws {
    while true {
      do {
        return try await load()
      } catch DocumentError.knownTooLate {
        await attendant?.endSyncs()
      }
    }
  }

  /// Kept first and announced then: nobody is signed in who wouldn't be after a restart. Who was
  /// overtaken leaves everything as it was.
  ///
  /// - Returns: whether it was done: not where a sync has begun meanwhile.
  private func takesOver(
    _ credentials: AccountCredentials, _ attempt: Int, _ unsent: UnsentEdits
  ) async throws -> Bool {
    try await keeping.alone { [self] in
      guard held.state.state.phase == .signingIn(attempt: attempt) else {
        throw DocumentError.overtaken
      }
      let number = held.state.state.number
      do {
        try await store.keep(credentials)
        let isDone = try await becomes(credentials, attempt, unsent)
        if !isDone { try await writePresent() }
        return isDone
      } catch {
        // Where the very end of the transaction failed, they were announced by then.
        let isSignedOut = change { held in
          guard held.state.number != number else { return false }
          held.credentials = nil
          held.state.signedOut()
          return true
        }
        if isSignedOut { attendant?.hasLeft() }
        // The error of the sign-in is told: it's the one that can be mended.
        try? await writePresent()
        throw error
      }
    }
  }

  private func becomes(
    _ credentials: AccountCredentials, _ attempt: Int, _ unsent: UnsentEdits
  ) async throws -> Bool {
    let enter: @Sendable () throws -> Void = { [self] in
      let (isTaken, renewal) = change { held in
        let isTaken = held.state.signedIn(attempt, as: credentials.name)
        defer { if isTaken { (held.credentials, held.renewal) = (credentials, nil) } }
        return (isTaken, isTaken ? held.renewal : nil)
      }
      renewal?.cancel()
      if !isTaken { throw DocumentError.overtaken }
    }
    guard let attendant else {
      try enter()
      return true
    }
    return try await attendant.becomes(credentials.name, unsent, then: enter)
  }

  /// Writes or removes what is kept, as it's now; in a turn of ``keeping``.
  func writePresent() async throws {
    if let credentials = held.state.credentials {
      try await store.keep(credentials)
    } else {
      try await store.remove()
    }
  }
}
