/// Why something can't be done with an account.
public enum AccountProblem: Error, Sendable, Hashable {
  /// What a service may offer beside signing in.
  public enum Offer: String, Sendable, Hashable {
    /// Making an account.
    case making = "making an account"
    /// Changing its password.
    case changingPassword = "changing a password"
    /// Asking for a new password.
    case askingForPassword = "asking for a password"
    /// An account's settings.
    case settings = "settings"
  }

  /// Nobody is signed in.
  case signedOut
  /// The service takes no such name, for this reason; nothing was sent.
  case badName(String)
  /// The service takes no such password, for this reason; nothing was sent.
  case badPassword(String)
  /// The service doesn't offer that.
  case notOffered(Offer)
  /// So many changes of another account wait to be sent: nobody said what is to become of them.
  case unsentEdits(Int)
  /// Who is signed in could be read only now, during a sync that doesn't know it.
  case knownTooLate
  /// Somebody signed in or out meanwhile: that counts.
  case overtaken
}

extension AccountProblem: CustomStringConvertible {
  /// What is wrong, for a place behind a colon.
  public var description: String {
    switch self {
    case .signedOut: "nobody is signed in"
    case .badName(let why): "the name can't be used: \(why)"
    case .badPassword(let why): "the password can't be used: \(why)"
    case .notOffered(let offer): "the service doesn't offer \(offer.rawValue)"
    case .unsentEdits(let count):
      "\(count == 1 ? "a change" : "\(count) changes") of another account "
        + "\(count == 1 ? "waits" : "wait") to be sent: say whether to keep or to drop "
        + (count == 1 ? "it" : "them")
    case .knownTooLate: "who is signed in became known only during this sync: sync once more"
    case .overtaken: "somebody else signed in or out meanwhile"
    }
  }
}
