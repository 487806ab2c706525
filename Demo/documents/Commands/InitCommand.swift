import Console
import DocumentEndpoints
import DocumentSync

/// `documents init STORE --kinto URL --bucket NAME … | --service URL … | --rest URL …`
struct InitCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() async throws -> ExitStatus {
    let wanted = try wanted()
    // Both say no to what can't be: before a file is made.
    do {
      let endpoint = try wanted.endpoint()
      let filter = CollectionFilter(invocation.setting.filter)
      if let problem = filter.flatMap({ endpoint.problem(with: $0) }) { throw UsageError(problem) }
      try wanted.checkCollections()
    } catch let problem as ServiceError {
      throw UsageError("\(problem)")
    }
    do { _ = try wanted.types() } catch { throw UsageError("\(error)") }
    let path = invocation.store
    var (old, lock) = (nil as StoreSetup?, nil as ProgramLock?)
    defer { lock?.release() }
    let nobodys = wanted.account.isEmpty ? 0 : try await Self.nobodys(at: path)
    let ended = invocation.setting.endedKinds
    // No file is made for what can't be in it.
    if !ended.isEmpty { try OpenStore.checkIsThere(path) }
    let kept: StoreSetup
    do {
      kept = try await DocumentReplica.setUp(storeAt: path, unsent: invocation.setting.unsent) {
        try checkUnsent(wanted, $0)
        let joined = try Self.joined(wanted, $0, at: path)
        let new = try Self.checked(joined.without(ended, of: $0))
        // A sync or watch goes on with the server, the account and the collections it began with.
        if let known = $0, !known.goesOn(as: new), lock == nil {
          lock = try ProgramLock(ofStore: path)
        }
        old = $0
        return (new, wanted.scopeName)
      }
    } catch DocumentError.unsentEdits(let count) {
      throw ProgramProblem.unsent(count, account: old?.account ?? wanted.account)
    } catch DocumentError.typeInUse(let name, let count)
      where count > 0 && !ended.contains(name)
    {
      let known = try old?.types().collection(of: name) ?? name
      throw ProgramProblem.otherCollection(path, type: name, known)
    }
    Streams.out("\(path) goes with \(kept.placeAndTypes)")
    if let problem = Password.problem(withFileOf: kept) {
      tell("no sync can begin with the password file that is named: \(problem)")
    }
    if kept.account.isEmpty, let before = old?.account, !before.isEmpty {
      tell(
        "the store was of the account \(before.escaped), whose documents aren't shown now; to go on"
          + " with them, say --account \(before.escaped)")
    }
    if let caution = try kept.caution() { tell(caution) }
    if nobodys > 0 {
      Streams.error(
        "documents: \(Amounts.count(nobodys, "document")) of the time before anybody was signed in"
          + " \(nobodys == 1 ? "is" : "are") now of the account \(kept.account.escaped).")
    }
    return .done
  }

  private func tell(_ sentence: String) {
    Streams.error("documents: \(Sentence.ending(sentence))")
  }

  /// How many documents are in a store that nobody was signed in to; none if there is no store.
  private static func nobodys(at path: String) async throws -> Int {
    guard let open = try? await OpenStore.open(path) else { return 0 }
    let count = open.setup.account.isEmpty ? try await open.replica.summary().counts.documents : 0
    await open.replica.close()
    return count
  }

  private func wanted() throws -> StoreSetup {
    let setting = invocation.setting
    let (kind, address) = setting.server
    var setup = StoreSetup(
      service: kind.rawValue, server: StoreSetup.address(address, kind),
      bucket: setting.bucket ?? "", account: setting.account ?? "")
    if setting.rest != RestSetting() {
      setup.dialect = try DocumentValue.encode(setting.rest).text
    }
    setup.passwordFile = setting.passwordFile.map { URL(filePath: $0).path }
    setup.kinds = setting.kinds
    for place in setup.kinds.indices {
      if setting.isLatest { setup.kinds[place].isLatest = true }
      if setting.hasNoFilter || !setting.filter.isEmpty {
        setup.kinds[place].filter = setting.filter
      }
      if setting.makesKeys { setup.kinds[place].makesKeys = true }
      if !setting.naturalKey.isEmpty { setup.kinds[place].naturalKey = setting.naturalKey }
      if !setting.references.isEmpty { setup.kinds[place].references = setting.references }
    }
    return setup
  }

  /// Nobody else's edits can be there to be kept or dropped where nobody else comes or goes.
  private func checkUnsent(_ wanted: StoreSetup, _ old: StoreSetup?) throws {
    guard invocation.setting.unsent != .refuse, wanted.account.isEmpty,
      old?.account.isEmpty ?? true
    else { return }
    throw UsageError(
      "--keep and --drop are about edits of the account that the store had before; say with"
        + " --account whose documents they are to be")
  }

  /// What is to be kept, if each type that a member names documents of is there.
  private static func checked(_ setup: StoreSetup) throws -> StoreSetup {
    let types = try setup.types()
    let files = try setup.restSetting()
    if let template = files.files, files.fileAnswer == nil, !template.contains("{type}"),
      Set(setup.kinds.map(\.collection)).count > 1
    {
      throw UsageError("--files \(template): the store holds several types; write {type} in it")
    }
    for (member, type) in setup.kinds.flatMap({ $0.references ?? [:] }).sorted(by: <) {
      guard types.collection(of: type) == nil else { continue }
      throw UsageError("--reference \(member)=\(type): there is no type '\(type)' in this store")
    }
    return setup
  }

  /// What was kept before, with what is wanted now. A store with nothing in it is told anew what
  /// was mistaken.
  private static func joined(
    _ wanted: StoreSetup, _ old: StoreSetup?, at path: String
  ) throws -> StoreSetup {
    guard var joined = old else { return wanted }
    guard joined.isOf(wanted) else {
      guard !joined.isUsed else { throw ProgramProblem.otherServer(path, joined) }
      return wanted
    }
    // What is here was read by the old rules.
    if wanted.dialect != nil {
      let (new, known) = (try wanted.restSetting(), try joined.restSetting())
      var rest = known
      if new.ofRows != RestSetting(), new.ofRows != known.ofRows {
        guard !joined.isUsed else { throw ProgramProblem.otherDialect(path) }
        rest = new.ofRows
        (rest.files, rest.fileAnswer) = (known.files, known.fileAnswer)
      }
      if new.files != nil { (rest.files, rest.fileAnswer) = (new.files, new.fileAnswer) }
      joined.dialect = try DocumentValue.encode(rest).text
    }
    joined.account = wanted.account
    joined.passwordFile =
      wanted.passwordFile
      ?? (old?.account == wanted.account
        ? joined.passwordFile : nil)
    for kind in wanted.kinds {
      if let place = joined.kinds.firstIndex(where: { $0.name == kind.name }) {
        joined.kinds[place] = kind.completed(by: joined.kinds[place])
      } else {
        joined.kinds.append(kind)
      }
      // It's the collection's, whichever of its types was named.
      for place in joined.kinds.indices where joined.kinds[place].collection == kind.collection {
        joined.kinds[place].filter = kind.filter ?? joined.kinds[place].filter
      }
    }
    return joined
  }
}

extension DocumentTypes.Kind {
  /// What is said of it, and what was said before where nothing is said now.
  fileprivate func completed(by known: Self) -> Self {
    var kind = self
    kind.isLatest = isLatest ?? known.isLatest
    kind.makesKeys = makesKeys ?? known.makesKeys
    kind.naturalKey = naturalKey ?? known.naturalKey
    kind.references = references ?? known.references
    kind.filter = filter ?? known.filter
    return kind
  }
}

extension StoreSetup {
  /// Makes sure that the server can have collections of these names: a Kinto server, to which the
  /// rules for buckets apply, or a service, of whose paths each is a step. To a plain document
  /// service nobody says them.
  fileprivate func checkCollections() throws {
    switch kind {
    case .service: break
    case .kinto:
      for kind in kinds {
        do {
          _ = try ServiceEndpoint.kinto(server: server, bucket: kind.collection)
        } catch ServiceError.badName(let name) {
          throw UsageError("--type \(kind.name): \(ServiceError.badName(name))")
        }
      }
    case .rest:
      for name in kinds.map(\.collection)
      where name.contains("/") || [".", ".."].contains(name) {
        throw UsageError(
          "a model is one step of a path, and '\(name)' isn't; write the steps before it into"
            + " --rest URL")
      }
    }
  }

  /// The same without some types, which a store must have been told.
  fileprivate func without(_ names: [String], of old: StoreSetup?) throws -> StoreSetup {
    var setup = self
    let known = old?.kinds.map(\.name) ?? []
    if let name = names.first(where: { !known.contains($0) }) {
      throw UsageError(
        "there is no type '\(name)' in this store that could go, but"
          + " \(known.isEmpty ? "none" : known.joined(separator: ", ")); nothing was changed")
    }
    setup.kinds.removeAll { names.contains($0.name) }
    return setup
  }

  /// Whether both go with the same server, whoever signs in there.
  fileprivate func isOf(_ other: StoreSetup) -> Bool {
    service == other.service && scopeName == other.scopeName
  }
}
