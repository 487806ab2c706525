/// What is to become of one account's changes that weren't sent, when another signs in.
public enum UnsentEdits: Sendable, Hashable {
  /// Nobody said it: as long as there are some, nobody else can sign in.
  case refuse
  /// They become changes of the new account.
  case keep
  /// They are thrown away: what they changed is as the server had it last.
  case drop
}

/// What becomes of changes that weren't sent under other accounts of a server, when somebody signs
/// in there.
package struct AccountChange: Sendable, Equatable {
  package enum Decision: Sendable, Equatable {
    case nothing
    /// Nobody said what is to become of so many: it can't be.
    case refused(Int)
    /// They become changes of the new account.
    case moves
    /// They are thrown away.
    case drops
  }

  /// How many wait to be sent under other accounts.
  package let unsent: Int
  /// What was said about them.
  package let wish: UnsentEdits

  /// What is to be done. Local contents that were never to be sent follow those that are kept.
  package var decision: Decision {
    switch (wish, unsent) {
    case (.keep, _): .moves
    case (_, 0): .nothing
    case (.refuse, _): .refused(unsent)
    case (.drop, _): .drops
    }
  }
}
