/// What somebody wants of a sync of documents.
public struct SyncWishes: Sendable {
  /// The ways that documents travel.
  public struct Ways: OptionSet, Sendable, Hashable {
    /// Which ways, a bit each.
    public let rawValue: Int

    /// Ways by their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// What is in the outbox is sent.
    public static let push = Ways(rawValue: 1)
    /// What changed at the server is brought here.
    public static let pull = Ways(rawValue: 2)
    /// Both.
    public static let both: Ways = [.push, .pull]
  }

  /// The ways that documents travel. By default both.
  public var ways: Ways
  /// Who decides where both sides changed a document, before those that its collection names; none
  /// by default.
  public var policies: [ConflictPolicy]
  /// What becomes of what the server refuses; `nil`, the default, for what its collection says.
  public var onError: ErrorPolicy?
  /// How many documents may be removed; `nil`, the default, for the replica's own rule.
  public var removals: RemovalRule?
  /// Whether a person asked for it: then a wait of our own is over. By default `true`.
  public var isByHand: Bool
  /// Whether what the server asked for, to be left alone, is overridden. By default `false`.
  public var overridesWait: Bool

  /// The defaults, as stated at each property, but for what is given.
  public init(
    ways: Ways = .both, policies: [ConflictPolicy] = [], onError: ErrorPolicy? = nil,
    removals: RemovalRule? = nil, isByHand: Bool = true, overridesWait: Bool = false
  ) {
    self.ways = ways
    self.policies = policies
    self.onError = onError
    self.removals = removals
    self.isByHand = isByHand
    self.overridesWait = overridesWait
  }

  /// What two want who are served by one sync: whatever either of them does. Where they contradict
  /// each other, the later one counts.
  func joined(by later: SyncWishes) -> SyncWishes {
    SyncWishes(
      ways: ways.union(later.ways), policies: later.policies.isEmpty ? policies : later.policies,
      onError: later.onError ?? onError, removals: later.removals ?? removals,
      isByHand: isByHand || later.isByHand, overridesWait: overridesWait || later.overridesWait)
  }
}
