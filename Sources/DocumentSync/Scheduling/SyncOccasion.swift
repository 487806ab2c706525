/// A sync, as it's told to those who want to know of it.
public struct SyncOccasion: Sendable, Hashable {
  /// Its number, from 1 at each start of the program.
  public let number: Int
  /// What it's made for, in the order in which that came up.
  public let reasons: [SyncReason]

  /// Whether a person asked for it.
  public var isByHand: Bool { reasons.contains(where: \.isByHand) }
}
