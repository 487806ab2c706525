/// How it stands with an account.
public enum AccountStatus: Sendable, Hashable {
  /// Nobody is signed in: nothing is sent.
  case signedOut
  /// Somebody is about to be: requests wait for what comes of it.
  case signingIn
  /// This one is signed in.
  case ready(name: String)
  /// The server refuses the credentials of this one: only who asks by hand is heard until somebody
  /// signs in.
  case refused(name: String)

  /// Who is signed in, or was until the server refused.
  public var name: String? {
    switch self {
    case .signedOut, .signingIn: nil
    case .ready(let name), .refused(let name): name
    }
  }

  /// Whether syncs that nobody asked for by hand may be made.
  public var allowsTriggeredSyncs: Bool {
    switch self {
    case .ready: true
    case .signedOut, .signingIn, .refused: false
    }
  }
}
