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
/// Every method has a default: names and passwords go with each request as they are, and nothing
/// else is offered.
public protocol AccountService: Sendable {
  /// Why there can be no such name; `nil` if there can. By default: none that is empty, holds a
  /// colon or control characters (RFC 7617, section 2).
  func problem(withName name: String) -> String?

  /// Why there can be no such password; `nil` if there can. By default: none that is empty or holds
  /// control characters.
  func problem(withPassword password: String) -> String?

  /// Signs in. By default nobody is asked: every request carries name and password.
  @concurrent func signIn(name: String, password: String) async throws -> AccountCredentials

  /// Newer credentials in the place of some that a server refused; `nil` if there are none. By
  /// default there are none.
  @concurrent func renew(_ credentials: AccountCredentials) async throws -> AccountCredentials?

  /// Makes an account, and signs in.
  @concurrent func makeAccount(name: String, password: String) async throws -> AccountCredentials

  /// Changes the password; gives the credentials that count from then on.
  @concurrent func changePassword(
    to password: String, of credentials: AccountCredentials
  ) async throws -> AccountCredentials

  /// Has the service send the owner of an account a way to a new password.
  @concurrent func askForPassword(name: String) async throws

  /// The settings of an account.
  @concurrent func settings(of credentials: AccountCredentials) async throws -> DocumentValue

  /// Changes settings of an account; gives what they are from then on.
  @concurrent func changeSettings(
    to settings: DocumentValue, of credentials: AccountCredentials
  ) async throws -> DocumentValue
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

  /// Asks nobody.
  @concurrent public func signIn(
    name: String, password: String
  ) async throws -> AccountCredentials {
    .password(name: name, password: password)
  }

  /// There are none.
  @concurrent public func renew(
    _ credentials: AccountCredentials
  ) async throws -> AccountCredentials? { nil }

  /// Isn't offered.
  @concurrent public func makeAccount(
    name: String, password: String
  ) async throws -> AccountCredentials {
    throw DocumentError.notOffered("making an account")
  }

  /// Isn't offered.
  @concurrent public func changePassword(
    to password: String, of credentials: AccountCredentials
  ) async throws -> AccountCredentials {
    throw DocumentError.notOffered("changing a password")
  }

  /// Isn't offered.
  @concurrent public func askForPassword(name: String) async throws {
    throw DocumentError.notOffered("asking for a password")
  }

  /// Isn't offered.
  @concurrent public func settings(
    of credentials: AccountCredentials
  ) async throws -> DocumentValue {
    throw DocumentError.notOffered("settings")
  }

  /// Isn't offered.
  @concurrent public func changeSettings(
    to settings: DocumentValue, of credentials: AccountCredentials
  ) async throws -> DocumentValue {
    throw DocumentError.notOffered("settings")
  }

  private func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
}

/// A service that lets in whom its server lets in, by name and password with each request.
struct PlainAccountService: AccountService {}
