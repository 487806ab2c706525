import SyncLock

/// What an `AccountEndpoint` asks of an account.
extension Account {
  /// The number of the credentials under which a request may be sent; waits while somebody is about
  /// to sign in. Throws ``DocumentError/signedOut``, and what the place where they are kept does.
  func numberToSendUnder() async throws -> Int {
    try await load()
    let number = try await held.wait { held -> Int?? in
      switch held.state.phase {
      case .signingIn: nil
      case .signedOut: .some(nil)
      case .ready, .refused: held.state.number
      }
    }
    guard let number else { throw DocumentError.signedOut }
    return number
  }

  /// The server refused a request that was sent under credentials of that number: answers under
  /// which ones it's to be sent once more, or `nil` if the refusal is given on. It waits until that
  /// is known.
  ///
  /// Throws `CancellationError` if the task is cancelled meanwhile.
  func numberToRepeatUnder(after number: Int) async throws -> Int? {
    let (answer, renewal) = change { held in
      let answer = held.state.refused(number, isSecond: false)
      if answer == .renew { held.renewal = renewing(held.credentials, number) }
      return (answer, held.renewal)
    }
    if answer == .renew { renewal?.begin() }
    switch answer {
    case .giveOn: return nil
    case .again: break
    case .renew, .waitForRenewal:
      try await waitUntilOver(renewal, of: number)
    case .waitForSignIn:
      try await held.wait { $0.state.status == .signingIn ? nil : () }
    }
    return held.change { held in
      switch held.state.phase {
      case .signingIn, .signedOut, .refused: nil
      case .ready: held.state.number == number ? nil : held.state.number
      }
    }
  }

  func refusedAgain(under number: Int) {
    _ = change { $0.state.refused(number, isSecond: true) }
  }

  /// Until the renewal has ended, or somebody signed in or out, which makes it count for nothing.
  private func waitUntilOver(_ renewal: SharedWork<Void>?, of number: Int) async throws {
    try await held.wait { held in
      held.state.isRenewing && held.state.number == number ? nil : ()
    }
    try await held.wait { $0.state.status == .signingIn ? nil : () }
  }

  /// Asks the service for newer credentials, once for all that wait. None of them can end it: a
  /// service that gave a new token may not know the old one any more.
  private func renewing(
    _ credentials: AccountCredentials?, _ number: Int
  ) -> SharedWork<Void>? {
    guard let credentials else { return nil }
    return SharedWork { [self] in
      do {
        guard let newer = try await service.credentials(for: .renew(credentials)) else {
          return end(number, .refused)
        }
        try await keep(newer, insteadOf: number)
      } catch {
        end(number, AccountState.Renewal(failedWith: error))
      }
    }
  }

  private func keep(_ credentials: AccountCredentials, insteadOf number: Int) async throws {
    try await keeping.alone { [self] in
      guard held.state.state.number == number else { return }
      // They count also where they can't be kept: the old ones don't any more.
      var failure: (any Error)?
      do { try await store.keep(credentials) } catch { failure = error }
      let counts = change { held in
        let counts = held.state.renewalEnded(number, .renewed)
        if counts { (held.credentials, held.renewal) = (credentials, nil) }
        return counts
      }
      if !counts { try await writePresent() }
      if let failure { throw failure }
    }
  }

  private func end(_ number: Int, _ renewal: AccountState.Renewal) {
    change { held in
      if held.state.renewalEnded(number, renewal) { held.renewal = nil }
    }
  }
}

extension AccountState.Renewal {
  /// A refusal of the service is one; whatever else went wrong may pass.
  fileprivate init(failedWith error: any Error) {
    guard let error = error as? EndpointError, case .refused(let status, _, _) = error.reason,
      [400, 401, 403].contains(status)
    else {
      self = .failed
      return
    }
    self = .refused
  }
}
