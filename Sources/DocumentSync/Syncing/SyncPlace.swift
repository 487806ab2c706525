/// A collection of documents that is kept in step with a server's.
public struct SyncedCollection: Sendable {
  package let name: String
  package var policies: [ConflictPolicy]
  package var mergers: [DocumentPath: MemberMerger]
  package var onError: ErrorPolicy
  package var typeMember: String
  package var sender: DocumentSender?
  package var longestSend: Duration
  package var naturalKey: [DocumentPath]
  package var references: [DocumentPath: String]
  package var serverOwned: Set<String>
  package var filter: CollectionFilter?

  /// A collection of documents.
  ///
  /// - Parameters:
  ///   - name: its name at the server.
  ///   - policies: who decides where both sides changed a document, first to last. By default, the
  ///     server's change stays.
  ///   - mergers: how single members are merged. By default as values.
  ///   - onError: what becomes of what the server refuses. By default it's left until somebody does
  ///     something.
  ///   - typeMember: the member in which its documents say their type, see
  ///     ``SyncDocument/typeMember``: an answer that only names it shows nothing of a document.
  ///   - longestSend: after so long, a send by `sender` is cancelled and has failed.
  ///   - naturalKey: members that tell the server's documents from each other, where the server
  ///     makes the ids (``DocumentEndpoint/makesKeys(in:)``): one that has the same values as a
  ///     creation without an answer was made by it. By default all of its content tells.
  ///   - references: members that name documents of other collections, or of this one, by their
  ///     ids, each with the collection that is meant; a value is an id or an array of them. Where
  ///     the server makes the ids of that collection, the member has the new id as soon as that is
  ///     known, and the document is sent after those that it names.
  ///   - serverOwned: members, of the top level, that the server writes itself whatever it's sent,
  ///     as the date of a change, or who made it: where it stores something else of them than was
  ///     sent, that takes its place here as soon as no other edit waits, and isn't told as lost. No
  ///     edit conflicts with the server's in these alone. They don't tell whose a new document is:
  ///     where the server makes the ids, and one that it shows differs in these alone from a
  ///     creation without an answer, that is set aside.
  ///   - filter: which of its documents are held here; `nil` for all. What is made or edited here
  ///     is sent whatever the filter says. What it doesn't let through any more, or was deleted at
  ///     the server, leaves with a list of all that it lets through, which is made once a day, see
  ///     ``SyncWishes``.
  ///   - sender: sends documents in place of the server's endpoint; `nil` for the endpoint.
  public init(
    _ name: String, policies: [ConflictPolicy] = [],
    mergers: [DocumentPath: MemberMerger] = [:], onError: ErrorPolicy = .leave,
    typeMember: String = "docType", longestSend: Duration = .seconds(60),
    naturalKey: [DocumentPath] = [], references: [DocumentPath: String] = [:],
    serverOwned: Set<String> = [], filter: CollectionFilter? = nil, sender: DocumentSender? = nil
  ) {
    self.name = name
    self.policies = policies
    self.mergers = mergers
    self.onError = onError
    self.typeMember = typeMember
    self.longestSend = longestSend
    self.naturalKey = naturalKey
    self.references = references
    self.serverOwned = serverOwned
    self.filter = filter
    self.sender = sender
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
  var deciders = SyncDeciders()
  /// The collections whose ids the server makes.
  var keyless: Set<String> = []
  /// What a member says that names a document, by its id, its version and its collection.
  var written = KeyRules().written

  /// Whose documents they are.
  var owner: DocumentOwner { DocumentOwner(server: server, account: account) }

  func scope(of collection: SyncedCollection) -> DocumentScope { scope(named: collection.name) }

  /// Where a collection of this name is in the store.
  func scope(named name: String) -> DocumentScope {
    DocumentScope(server: server, account: account, collection: name)
  }

  /// Which documents of a collection are held here; `nil` for all.
  func filter(of name: String) -> CollectionFilter? {
    collections.first { $0.name == name }?.filter
  }

  var scopes: [DocumentScope] { collections.map { scope(of: $0) } }

  /// The collections that something else than the server's endpoint sends.
  var routed: Set<String> { Set(collections.filter { $0.sender != nil }.map(\.name)) }

  /// What becomes of what the server refuses of a collection, in a sync with these wishes.
  func errorPolicy(of name: String, _ wishes: SyncWishes) -> ErrorPolicy {
    wishes.onError ?? collections.first { $0.name == name }?.onError ?? .leave
  }

  func rules(of name: String, _ wishes: SyncWishes) -> MeetingRules {
    let collection = collections.first { $0.name == name }
    return MeetingRules(
      policies: wishes.policies + (collection?.policies ?? []),
      mergers: collection?.mergers ?? [:],
      typeMember: collection?.typeMember ?? DocumentTypes.usualMember,
      serverOwned: collection?.serverOwned ?? [], keys: keys(of: name))
  }

  /// Where the ids of a collection come from, and which members name others.
  func keys(of name: String) -> KeyRules {
    var keys = KeyRules()
    guard !keyless.isEmpty else { return keys }
    let collection = collections.first { $0.name == name }
    keys.areServers = keyless.contains(name)
    keys.natural = collection?.naturalKey ?? []
    keys.references = collection?.references.filter { keyless.contains($0.value) } ?? [:]
    for other in collections {
      let paths = other.references.filter { $0.value == name }.map(\.key)
      if keys.areServers, !paths.isEmpty { keys.referring[other.name] = paths }
    }
    keys.written = written
    return keys
  }
}

/// What somebody wants of a sync of documents.
public struct SyncWishes: Sendable {
  /// The ways that documents travel.
  public enum Ways: Sendable, Hashable {
    /// What is in the outbox is sent, and what changed at the server is brought here.
    case both
    /// What is in the outbox is sent.
    case push
    /// What changed at the server is brought here.
    case pull
  }

  package var ways: Ways
  package var policies: [ConflictPolicy]
  package var onError: ErrorPolicy?
  package var removals: RemovalRule?
  package var isByHand: Bool
  package var overridesWait: Bool
  package var listsFilters: Bool
  /// What a server that lost its data is to be given again before anything else is sent.
  package var republishing: Republishing?

  /// The defaults, but for what is given.
  ///
  /// - Parameters:
  ///   - ways: the ways that documents travel.
  ///   - policies: who decides where both sides changed a document, before those that its
  ///     collection names.
  ///   - onError: what becomes of what the server refuses; `nil` for what its collection says.
  ///   - removals: how many documents may be removed; `nil` for the replica's own rule.
  ///   - isByHand: whether a person asked for it: then a wait of our own is over.
  ///   - overridesWait: whether what the server asked for, to be left alone, is overridden.
  ///   - listsFilters: whether all that the collections' filters let through is listed, so that
  ///     what has left them goes; also where that was done less than a day ago.
  public init(
    ways: Ways = .both, policies: [ConflictPolicy] = [], onError: ErrorPolicy? = nil,
    removals: RemovalRule? = nil, isByHand: Bool = true, overridesWait: Bool = false,
    listsFilters: Bool = false
  ) {
    self.ways = ways
    self.policies = policies
    self.onError = onError
    self.removals = removals
    self.isByHand = isByHand
    self.overridesWait = overridesWait
    self.listsFilters = listsFilters
  }

  /// Whether what is in the outbox is sent.
  var pushes: Bool { ways != .pull }
  /// Whether what changed at the server is brought here.
  var pulls: Bool { ways != .push }

  /// What two want who are served by one sync: whatever either of them does. Where they contradict
  /// each other, the later one counts.
  func joined(by later: SyncWishes) -> SyncWishes {
    var joined = SyncWishes(
      ways: ways == later.ways ? ways : .both,
      policies: later.policies.isEmpty ? policies : later.policies,
      onError: later.onError ?? onError, removals: later.removals ?? removals,
      isByHand: isByHand || later.isByHand, overridesWait: overridesWait || later.overridesWait,
      listsFilters: listsFilters || later.listsFilters)
    joined.republishing = later.republishing ?? republishing
    return joined
  }
}
