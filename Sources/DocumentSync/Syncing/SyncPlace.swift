/// A collection of documents that is kept in step with a server's.
public struct SyncedCollection: Sendable {
  /// Its name at the server.
  public let name: String
  /// Who decides where both sides changed a document, first to last. By default, the server's
  /// change stays.
  public var policies: [ConflictPolicy]
  /// How single members are merged. By default as values.
  public var mergers: MemberMergers
  /// Sends documents in place of the server's endpoint; `nil`, the default, for the endpoint.
  public var sender: DocumentSender?
  /// After so long, a send by ``sender`` is cancelled and has failed. By default 60 s.
  public var longestSend = Duration.seconds(60)
  /// What becomes of what the server refuses. By default it's left until somebody does something.
  public var onError: ErrorPolicy

  /// The member in which its documents say their type, see ``SyncDocument/typeMember``: an answer
  /// that only names it shows nothing of a document. By default `docType`.
  public var typeMember = DocumentTypes.usualMember

  /// A collection of that name.
  public init(
    _ name: String, policies: [ConflictPolicy] = [], mergers: MemberMergers = .none,
    onError: ErrorPolicy = .leave
  ) {
    self.name = name
    self.policies = policies
    self.mergers = mergers
    self.onError = onError
  }
}

/// What is kept in step with what.
struct SyncPlace: Sendable {
  /// The server, by the address that it's known by.
  let server: String
  /// Whose documents they are; empty where a server knows no accounts.
  var account: String
  /// Whether what was here before anybody was known is still to become theirs.
  var adopts = false
  /// The collections, in the order in which they are begun.
  let collections: [SyncedCollection]
  /// How many documents a sync may remove, unless it says otherwise.
  var removals = RemovalRule.careful
  /// The most requests side by side.
  var concurrency = 2
  /// Where the store's file is, so that nobody else syncs it at once; `nil` for one in memory.
  var storePath: String?
  /// Whom a sync asks.
  var deciders = SyncDeciders()

  func scope(of collection: SyncedCollection) -> DocumentScope { scope(named: collection.name) }

  /// Where a collection of this name is in the store.
  func scope(named name: String) -> DocumentScope {
    DocumentScope(server: server, account: account, collection: name)
  }

  var scopes: [DocumentScope] { collections.map { scope(of: $0) } }

  /// The collections that something else than the server's endpoint sends.
  var routed: Set<String> { Set(collections.filter { $0.sender != nil }.map(\.name)) }

  /// What becomes of what the server refuses of a collection, in a sync with these wishes.
  func errorPolicy(of name: String, _ wishes: SyncWishes) -> ErrorPolicy {
    wishes.onError ?? collections.first { $0.name == name }?.onError ?? .leave
  }

  /// Who decides in a collection, in a sync with these wishes.
  func rules(of name: String, _ wishes: SyncWishes) -> MeetingRules {
    let collection = collections.first { $0.name == name }
    return MeetingRules(
      policies: wishes.policies + (collection?.policies ?? []),
      mergers: collection?.mergers ?? .none,
      typeMember: collection?.typeMember ?? DocumentTypes.usualMember)
  }
}

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
