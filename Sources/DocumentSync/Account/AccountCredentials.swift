private import SyncLock
private import SyncText

/// What an account shows a server to be let in. Never printed.
public enum AccountCredentials: Sendable, Hashable {
  /// A name and a password, which every request carries (HTTP Basic, RFC 7617).
  case password(name: String, password: String)
  /// A token that a service gave to the account of that name; with one to renew it by, if there is.
  case token(name: String, token: String, refresh: String? = nil)

  /// Whose they are.
  public var name: String {
    switch self {
    case .password(let name, _), .token(let name, _, _): name
    }
  }

  /// All that must appear nowhere: for those who keep and show what was asked and answered, see
  /// ``EndpointCall``.
  package var secrets: [String] {
    switch self {
    case .password(let name, let password):
      [password, Base64.text(of: Array("\(name):\(password)".utf8))]
    case .token(_, let token, let refresh): [token] + (refresh.map { [$0] } ?? [])
    }
  }

  /// The value of a field `Authorization`.
  func authorization(tokenPrefix: String) -> String {
    switch self {
    case .password(let name, let password):
      "Basic " + Base64.text(of: Array("\(name):\(password)".utf8))
    case .token(_, let token, _): tokenPrefix + token
    }
  }
}

extension AccountCredentials: CustomStringConvertible, CustomReflectable {
  /// Says that there is something, not what.
  public var description: String { "(credentials)" }
  /// Empty, so that no dump shows what is secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where credentials are kept between two starts of a program.
///
/// An ``Account`` calls one method at a time. What a method throws, whoever signs in is told;
/// nothing of what is secret may stand in it.
public protocol CredentialStore: Sendable {
  /// What was kept; `nil` if nothing was.
  @concurrent func load() async throws -> AccountCredentials?

  /// Keeps these in the place of all others. When it throws, the others are kept still.
  @concurrent func keep(_ credentials: AccountCredentials) async throws

  /// Keeps none any more. That there were none is no error.
  @concurrent func remove() async throws
}

/// Keeps credentials as long as the program runs.
package final class MemoryCredentials: CredentialStore {
  private let kept: Locked<AccountCredentials?>

  /// Keeps these at first; none by default.
  package init(_ credentials: AccountCredentials? = nil) {
    kept = Locked(credentials)
  }

  @concurrent package func load() async -> AccountCredentials? { kept.withLock { $0 } }

  @concurrent package func keep(_ credentials: AccountCredentials) async {
    kept.withLock { $0 = credentials }
  }

  @concurrent package func remove() async {
    kept.withLock { $0 = nil }
  }
}
