/// Why a sync is made.
public enum SyncReason: String, Sendable, Hashable, CaseIterable {
  /// The program began.
  case launch
  /// The program came to the foreground.
  case foreground
  /// A document was changed here.
  case edit
  /// It was time.
  case timer
  /// The network is back.
  case networkBack = "network back"
  /// Somebody signed in.
  case signIn = "sign-in"
  /// The system gave the program a moment in the background.
  case background
  /// A person wanted it.
  case manual

  /// Whether it's made also where the server isn't to be reached, as far as is known, and nobody is
  /// signed in: who asked is told.
  var isByHand: Bool { self == .manual }
}

/// A sync, as it's told to those who want to know of it.
package struct SyncOccasion: Sendable, Hashable {
  /// Its number, from 1 at each start of the program.
  package let number: Int
  /// What it's made for, in the order in which that came up.
  package let reasons: [SyncReason]
}
