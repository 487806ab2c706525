import SyncLock

extension Account {
  /// Changes the password at the service. The kept one is replaced only once that is done.
  public func changePassword(to password: String) async throws {
    if let why = service.problem(withPassword: password) { throw AccountProblem.badPassword(why) }
    let (old, number) = try await present()
    let credentials = try await service.changePassword(to: password, of: old)
    try await keeping.alone { [self] in
      let isReplaced = change { held in
        let isReplaced = held.state.replaced(number)
        if isReplaced { held.credentials = credentials }
        return isReplaced
      }
      // The service has it: whoever signed in meanwhile is asked for it there.
      guard isReplaced else { throw AccountProblem.overtaken }
      try await store.keep(credentials)
    }
    attendant?.syncIsWanted()
  }

  /// Has the service send the owner of an account a way to a new password. Nobody needs to be
  /// signed in.
  public func askForPassword(name: String) async throws {
    if let why = service.problem(withName: name) { throw AccountProblem.badName(why) }
    try await service.askForPassword(name: name)
  }

  /// The settings of the account that is signed in.
  public func settings() async throws -> DocumentValue {
    try await service.settings(of: present().credentials)
  }

  /// Changes settings of the account that is signed in; gives what they are from then on.
  @discardableResult
  public func changeSettings(to settings: DocumentValue) async throws -> DocumentValue {
    try await service.changeSettings(to: settings, of: present().credentials)
  }

  private func present() async throws -> (credentials: AccountCredentials, number: Int) {
    try await load()
    let (credentials, number) = held.change { ($0.credentials, $0.state.number) }
    guard let credentials else { throw AccountProblem.signedOut }
    return (credentials, number)
  }
}
