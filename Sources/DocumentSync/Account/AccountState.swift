/// Decides whose credentials count, and what becomes of a request that the server refused with 401.
///
/// Each set of credentials has a *number*: a request remembers under which it was sent, so that one
/// that was refused under old ones is sent again, and makes nobody's new ones doubtful. What is
/// secret isn't here.
struct AccountState: Sendable, Equatable {
  /// What an account is doing.
  enum Phase: Sendable, Equatable {
    /// There are no credentials. Goes to `signingIn`, or to `ready` with those that were kept.
    case signedOut
    /// Somebody is about to sign in, by that attempt. Goes to `ready`, or back to where it came
    /// from; to itself by another attempt.
    case signingIn(attempt: Int)
    /// There are credentials. Goes to all others.
    case ready
    /// The server refuses them. Goes to `signingIn`, `signedOut`, or to `ready` with a changed
    /// password.
    case refused
  }

  /// What becomes of a request that was refused.
  enum Answer: Sendable, Equatable {
    /// It's sent again at once: there are newer credentials.
    case again
    /// It waits until somebody is signed in, or isn't.
    case waitForSignIn
    case waitForRenewal
    /// It waits for a renewal, which is to be begun.
    case renew
    case giveOn
  }

  /// What came of asking for newer credentials.
  enum Renewal: Sendable, Equatable {
    case renewed
    case refused
    /// Nobody knows: the service couldn't be asked.
    case failed
  }

  private(set) var phase = Phase.signedOut
  /// Whose credentials there are.
  private(set) var name: String?
  /// The number of the credentials that there are, or of their end.
  private(set) var number = 0
  /// Whether newer credentials are being asked for.
  private(set) var isRenewing = false
  /// Whether the server refuses those that there are, while somebody is about to sign in.
  private var isRefused = false
  private var lastAttempt = 0

  var status: AccountStatus {
    switch (phase, name) {
    case (.signingIn, _): .signingIn
    case (.ready, let name?): .ready(name: name)
    case (.refused, let name?): .refused(name: name)
    case (.signedOut, _), (.ready, nil), (.refused, nil): .signedOut
    }
  }

  // MARK: - Signing in and out

  /// Credentials were kept from before. They count if nothing has happened yet.
  mutating func loaded(_ name: String) -> Bool {
    guard phase == .signedOut, number == 0 else { return false }
    take(name)
    return true
  }

  /// Somebody is about to sign in; an attempt before that counts no more. Answers its number.
  mutating func signInBegan() -> Int {
    lastAttempt += 1
    phase = .signingIn(attempt: lastAttempt)
    return lastAttempt
  }

  /// An attempt succeeded. Answers whether it still counts.
  mutating func signedIn(_ attempt: Int, as name: String) -> Bool {
    guard phase == .signingIn(attempt: attempt) else { return false }
    take(name)
    return true
  }

  /// An attempt failed: it's as it was before.
  mutating func signInFailed(_ attempt: Int) {
    guard phase == .signingIn(attempt: attempt) else { return }
    phase = name == nil ? .signedOut : isRefused ? .refused : .ready
  }

  mutating func signedOut() {
    number += 1
    (phase, name, isRenewing, isRefused) = (.signedOut, nil, false, false)
  }

  /// There are newer credentials of the same account, in the place of those of that number. Answers
  /// whether they count.
  mutating func replaced(_ old: Int) -> Bool {
    guard old == number, let name else { return false }
    take(name, keeping: phase)
    return true
  }

  // MARK: - Refusals

  /// The server refused a request that was sent under credentials of that number, for the first
  /// time, or for the second.
  mutating func refused(_ old: Int, isSecond: Bool) -> Answer {
    switch phase {
    case .signedOut, .refused: return .giveOn
    case .signingIn: return isSecond ? .giveOn : .waitForSignIn
    case .ready: break
    }
    if isSecond {
      if old == number, !isRenewing { refuse() }
      return .giveOn
    }
    if old != number { return .again }
    if isRenewing { return .waitForRenewal }
    isRenewing = true
    return .renew
  }

  /// The renewal of the credentials of that number has ended. Answers whether what it brought
  /// counts.
  mutating func renewalEnded(_ old: Int, _ renewal: Renewal) -> Bool {
    guard old == number, isRenewing else { return false }
    isRenewing = false
    switch renewal {
    case .renewed: return replaced(old)
    case .refused: refuse()
    case .failed: break
    }
    return true
  }

  private mutating func refuse() {
    isRefused = true
    if phase == .ready { phase = .refused }
  }

  private mutating func take(_ name: String, keeping phase: Phase = .ready) {
    number += 1
    self.name = name
    (isRenewing, isRefused) = (false, false)
    // Who is about to sign in still is.
    if case .signingIn = phase { self.phase = phase } else { self.phase = .ready }
  }
}

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
  package var name: String? {
    switch self {
    case .signedOut, .signingIn: nil
    case .ready(let name), .refused(let name): name
    }
  }

  /// Whether syncs that nobody asked for by hand may be made.
  package var allowsTriggeredSyncs: Bool {
    switch self {
    case .ready: true
    case .signedOut, .signingIn, .refused: false
    }
  }
}
