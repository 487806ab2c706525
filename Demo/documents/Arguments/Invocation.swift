import Console
import DocumentEndpoints
import DocumentSync

/// What a command line asks for.
struct Invocation: CommandRequest {
  /// What is to be done.
  enum Command: String, CaseIterable, Sendable {
    case `init`
    case put
    case stash
    case get
    case list
    case fetch
    case delete
    case sync
    case republish
    case watch
    case status
    case resolve
    case why
    case lost
    case restore
    case export
    case `import`
    case digest
    case attach
    case detach
    case completion
    case manual
  }

  var command: Command
  var store = ""
  /// What is named besides it.
  var words: [String] = []
  var setting = SettingUp()
  var syncing = SyncRequest()
  var query = DocumentQuery()
  var after: Set<DocumentID> = []
  /// Which of the values of a document is meant.
  var side: DocumentReplica.Side?
  var resolution: DocumentConflict.Resolution?
  var countsOnly = false
  /// The file with the preview of one that is attached.
  var preview: String?
  var fileMember: String?
  var makesNewID = false
  var ofAllAccounts = false
  var showsAnswers = false
  var isJSON = false

  init(command: Command) { self.command = command }

  mutating func take(_ operands: [String]) throws {
    guard command != .completion, command != .manual else { return words = operands }
    store = operands[0]
    words = Array(operands.dropFirst())
    switch command {
    case .`init`: try setting.check()
    case .sync where !words.isEmpty && !syncing.retries:
      throw UsageError("ids are for --retry: a sync is of everything")
    case .resolve where resolution == nil:
      throw UsageError("say which of them is to be: --server, --local, or --with JSON")
    case .attach where words.count < 3: throw UsageError("say which file: FILE")
    case .detach where words.count > 2: throw UsageError("'\(words[2])' is one word too many")
    case .restore where Int64(words[0]) == nil:
      throw UsageError("'\(words[0])' is no number; 'documents lost' prints them")
    default: break
    }
  }
}

/// What `init` is told.
struct SettingUp: Sendable {
  var kinto: String?
  var service: String?
  /// The address of a service of rows, and how it speaks of them.
  var restAddress: String?
  var rest = RestSetting()
  var bucket: String?
  var account: String?
  var passwordFile: String?
  var kinds: [DocumentTypes.Kind] = []
  /// The types that are to be gone again.
  var endedKinds: [String] = []
  var isLatest = false
  /// Whether the server makes the keys of these types.
  var makesKeys = false
  var naturalKey: [String] = []
  /// Types, by the members that name their documents.
  var references: [String: String] = [:]
  /// Which documents of these types are held.
  var filter: [CollectionFilter.Condition] = []
  /// Whether all of them are.
  var hasNoFilter = false
  var unsent = UnsentEdits.refuse

  /// Adds a type, which may be named more than once in the same way.
  mutating func add(_ kind: DocumentTypes.Kind) throws {
    guard let known = kinds.first(where: { $0.name == kind.name }) else {
      return kinds.append(kind)
    }
    guard known.collection == kind.collection else {
      throw UsageError(
        "the type '\(kind.name)' is said to be kept in '\(known.collection)' and in"
          + " '\(kind.collection)'; name one")
    }
  }

  func check() throws {
    guard [kinto, service, restAddress].compactMap(\.self).count == 1 else {
      throw UsageError("say which server, and only one: --kinto URL, --service URL or --rest URL")
    }
    if let inside = BucketAddress(server.address, isKinto: kinto != nil) {
      throw UsageError(
        "the address leads into a bucket of a Kinto server; say"
          + " --kinto \(inside.server) --bucket \(bucket ?? inside.bucket)")
    }
    guard (kinto == nil) == (bucket == nil) else {
      throw UsageError(
        kinto == nil ? "--bucket goes with --kinto" : "say which bucket of it: --bucket NAME")
    }
    if let both = kinds.first(where: { endedKinds.contains($0.name) })?.name {
      throw UsageError("say --type \(both) or --no-type \(both), not both")
    }
    guard !isLatest || !kinds.isEmpty else {
      throw UsageError("--latest is of types: say which with --type NAME")
    }
    guard !makesKeys && naturalKey.isEmpty && references.isEmpty || !kinds.isEmpty else {
      throw UsageError("keys and references are of types: say which with --type NAME")
    }
    guard filter.isEmpty && !hasNoFilter || !kinds.isEmpty else {
      throw UsageError("a filter is of types: say which with --type NAME")
    }
    guard filter.isEmpty || service == nil else {
      throw UsageError("--filter goes with --kinto and --rest: a plain service has no lists")
    }
    guard filter.isEmpty || !hasNoFilter else {
      throw UsageError("say --filter or --no-filter, not both")
    }
    guard !makesKeys || restAddress != nil else {
      throw UsageError("--server-keys goes with --rest")
    }
    guard naturalKey.isEmpty || makesKeys else {
      throw UsageError("--natural-key goes with --server-keys")
    }
    let names = [
      ("rows", rest.rows), ("row", rest.row), ("key", rest.key), ("modified", rest.modified),
      ("since", rest.since), ("deleted", rest.deleted), ("conflict-flag", rest.conflict),
    ]
    if let empty = names.first(where: { $0.1?.isEmpty ?? false })?.0 {
      throw UsageError("the name behind --\(empty) is empty; write one, or leave --\(empty) out")
    }
    let pagers = [rest.next, rest.cursor, rest.offsetParameter, rest.pageParameter]
    guard pagers.compactMap(\.self).count <= 1 else {
      throw UsageError("say one of --next, --cursor, --offset-param and --page-param")
    }
    guard (rest.cursor == nil) == (rest.cursorParameter == nil) else {
      throw UsageError("--cursor and --cursor-param go together; say both")
    }
    guard restAddress != nil || rest.ofRows == RestSetting() else {
      throw UsageError("what is said of rows goes with --rest")
    }
    guard rest.files != nil || rest.fileAnswer == nil else {
      throw UsageError("--files-answer goes with --files")
    }
    guard kinto == nil || rest.files == nil else {
      throw UsageError("--files goes with --rest or --service; a Kinto server keeps files itself")
    }
  }

  var server: (kind: ServerKind, address: String) {
    if let service { return (.service, service) }
    if let restAddress { return (.rest, restAddress) }
    return (.kinto, kinto ?? "")
  }
}

/// What `sync` and `watch` are told.
struct SyncRequest: Sendable {
  var ways = SyncWishes.Ways.both
  var policies: [ConflictPolicy] = []
  var onError: ErrorPolicy?
  var removals: RemovalRule?
  var isByHand = true
  var overridesWait = false
  var listsFilters = false
  var retries = false
  var republishesOlder = false
  var passwordFile: String?
  var interval = Duration.seconds(30)
  var access = SourceAccess()
  var allowedHosts: Set<String> = []

  var wishes: SyncWishes {
    SyncWishes(
      ways: ways, policies: policies, onError: onError, removals: removals, isByHand: isByHand,
      overridesWait: overridesWait, listsFilters: listsFilters)
  }
}
