/// What a service offers for accounts: signing in, and what goes with it.
///
/// An ``Account`` calls it, with names and passwords that the service's own rules allow; it isn't
/// asked for documents, and what it does goes through no endpoint. So signing in waits
/// for none of the requests that wait for it.
///
/// **Throwing.** A refusal is an ``EndpointError`` with the reason `refused`; any other error is
/// taken for trouble that may pass. None may hold what is secret.
///
/// **Cancelling.** A call whose task is cancelled ends soon, with `CancellationError` unless it is
/// done.
///
/// All but ``credentials(for:)`` have defaults.
public protocol AccountService: Sendable {
  /// Why there can be no such name; `nil` if there can. By default: none that is empty, holds a
  /// colon or control characters (RFC 7617, section 2).
  func problem(withName name: String) -> String?

  /// Why there can be no such password; `nil` if there can. By default: none that is empty or holds
  /// control characters.
  func problem(withPassword password: String) -> String?

  /// Credentials by a request; `nil` where there are none. What isn't offered is
  /// ``DocumentError/notOffered(_:)``.
  @concurrent func credentials(for request: AccountRequest) async throws -> AccountCredentials?

  /// The settings of an account, changed to others if there are such. By default there are none.
  @concurrent func settings(
    of credentials: AccountCredentials, changedTo settings: DocumentValue?
  ) async throws -> DocumentValue
}

/// What a service is asked for that has to do with credentials. Never printed.
public enum AccountRequest: Sendable, Hashable {
  /// To sign in.
  case signIn(name: String, password: String)
  /// To make an account, and sign in.
  case makeAccount(name: String, password: String)
  /// For newer credentials in the place of some that a server refused.
  case renew(AccountCredentials)
  /// To change the password; gives the credentials that count from then on.
  case changePassword(to: String, of: AccountCredentials)
  /// To send the owner of an account a way to a new password; gives none.
  case askForPassword(name: String)
}

extension AccountRequest: CustomStringConvertible, CustomReflectable {
  /// Says that there is something, not what.
  public var description: String { "(a request for credentials)" }
  /// Empty, so that no dump shows what is secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension AccountService {
  /// None that is empty, holds a colon or control characters.
  public func problem(withName name: String) -> String? {
    if name.isEmpty { return "it is empty" }
    if name.utf8.contains(UInt8(ascii: ":")) { return "it holds a colon" }
    return name.utf8.contains(where: isControl) ? "it holds a control character" : nil
  }

  /// None that is empty or holds control characters.
  public func problem(withPassword password: String) -> String? {
    if password.isEmpty { return "it is empty" }
    return password.utf8.contains(where: isControl) ? "it holds a control character" : nil
  }

  /// There are none.
  @concurrent public func settings(
    of credentials: AccountCredentials, changedTo settings: DocumentValue?
  ) async throws -> DocumentValue {
    throw DocumentError.notOffered("settings")
  }

  private func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
}

/// A service that lets in whom its server lets in, by name and password with each request.
struct PlainAccountService: AccountService {
  /// Asks nobody: a sign-in gives name and password themselves, a renewal nothing.
  @concurrent func credentials(
    for request: AccountRequest
  ) async throws -> AccountCredentials? {
    switch request {
    case .signIn(let name, let password): .password(name: name, password: password)
    case .renew: nil
    case .makeAccount: throw DocumentError.notOffered("making an account")
    case .changePassword: throw DocumentError.notOffered("changing a password")
    case .askForPassword: throw DocumentError.notOffered("asking for a password")
    }
  }
}
