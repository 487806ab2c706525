import SyncFetching
import SyncFolder
import SyncLock
import SyncText

/// Fetches items. A worker returns when its item's bytes are checked and staged; the batch that
/// makes them durable is the committer's.
final class ItemDownloads: Sendable {
  let context: RunContext
  let pass: Locked<MirrorPass>
  let means: ItemMeans
  /// What comes together with others.
  let packs = PackedFiles()
  let committer: BatchCommitter<CommitRecord>
  let late: LateFiles

  /// Downloads from a source.
  /// - Parameter onFatal: Told of an error that ends the pass while files are placed in the
  ///   background, where nobody awaits it.
  init(
    _ context: RunContext, from source: any ByteSource, pass: Locked<MirrorPass>,
    onFatal: @escaping @Sendable (any Error) -> Void
  ) {
    let (session, options) = (context.session, context.options)
    (self.context, self.pass) = (context, pass)
    late = LateFiles(session.staging)
    let transfer = ItemTransfer(
      source: source, staging: session.staging, partials: session.partials,
      fileQueue: session.fileQueue, flushQueue: session.diskQueue,
      maximumSize: options.maximumItemSize, allowsUnframed: options.allowsUnframed,
      allowsCoded: options.allowsCoded,
      streams: StreamRules(options, context.environment.partSizes), observer: context.observer)
    means = ItemMeans(context: context, transfer: transfer, packs: packs, shared: late.shared)
    let recorder = CommitRecorder(
      index: session.index, pass: pass, observer: context.observer, startedAt: context.startedAt)
    committer = BatchCommitter(
      session.staging, startedAt: context.startedAt, queue: session.diskQueue,
      owner: { try recorder.owner(of: $0) }, endsPass: { $0.endsRun }, onFatal: onFatal,
      announce: { try recorder.announce($0) }, record: { try recorder.record($0) })
  }

  private var observer: MirrorObserver { context.observer }

  /// Fetches an item's preview, if it is wanted.
  func preview(of item: MirrorItem) async throws {
    let (need, held) = pass.withLock { ($0.need(of: item), $0.copies(for: item).preview) }
    guard let reason = need.preview else { return }
    try await counting(item) {
      guard let entry = item.entry, let preview = entry.preview else { throw item.problem }
      guard pass.withLock({ $0.fits(preview.size) }) else { throw ItemError.largerThanDisk }
      let target = ItemTransfer.Target(
        locators: [preview.locator], size: preview.size, sha256: preview.sha256,
        piece: packs.preview(of: entry.listed))
      let outcome = try await means.bytes(of: item, target, copying: held)
      guard let arrived = ArrivedPreview(outcome, of: entry, at: preview.locator) else { return }
      committer.add(
        Placement(
          staged: arrived.staged, destination: .preview(name: arrived.name), expectation: .nothing,
          payload: CommitRecord(
            id: item.id, entry: entry.listed,
            what: .preview(version: preview.ownVersion, name: arrived.name),
            digest: arrived.staged.sha256, received: arrived.received, source: arrived.source,
            reason: reason)))
    } failing: { _ in
      pass.withLock { $0.last.fail() }
    }
  }

  /// Fetches an item's content, unless it is held, adopted, confirmed by the server, or was fetched
  /// ahead.
  func content(of item: MirrorItem) async throws {
    if let step = pass.withLock({ $0.contentStep(of: item) }) {
      try await counting(item) {
        try await fetchContent(of: item, as: try step.get())
      } failing: { error in
        pass.withLock { $0.failed(item, error) }
      }
    }
    pass.withLock { $0.last.succeed() }
  }

  private func fetchContent(of item: MirrorItem, as wanted: ContentFetch) async throws {
    let entry = wanted.entry
    if let ahead = late.takeAhead(of: entry.key) {
      packs.content(of: entry.listed)?.release()
      return try settle(try ahead.get(), as: wanted)
    }
    guard wanted.fitsDisk else { throw ItemError.largerThanDisk }
    switch try await means.content(of: item, wanted) {
    case .adopted(let found):
      packs.content(of: entry.listed)?.release()
      pass.withLock { $0.adopted(entry.listed, found, version: item.version) }
      observer.publish(.adopted(key: entry.key.description))
    case .proven:
      packs.content(of: entry.listed)?.release()
      confirm(entry.listed, version: item.version)
    case .made(let staged, let held):
      try place(item, staged, nil, madeOf: held?.source, as: wanted)
    case .unpacked(let staged): try place(item, staged, nil, received: staged.size, as: wanted)
    case .arrived(let arrival): try settle(arrival, as: wanted)
    }
  }

  /// What came of an item is confirmed, or handed on to be placed. Not inlined, since whoever waits
  /// for the item would hold the room for all of it.
  @inline(never)
  private func settle(_ arrival: Arrival, as wanted: ContentFetch) throws {
    switch arrival {
    case .confirmed(let item):
      if let entry = item.entry { confirm(entry.listed, version: item.version) }
    case .staged(let item, let staged, let answer): try place(item, staged, answer, as: wanted)
    }
  }

  /// Hands a staged content on to be placed.
  ///
  /// - Parameters:
  ///   - answer: What brought it alone; `nil` where it was made here, or came with others.
  ///   - received: Bytes of it that came, where there is no such answer.
  ///   - source: What it was made of.
  func place(
    _ item: MirrorItem, _ staged: Staged, _ answer: ByteAnswer?, received: Int64 = 0,
    madeOf source: CopySource? = nil, as wanted: ContentFetch
  ) throws {
    guard let entry = item.entry else { throw item.problem }
    let version = answer.map { item.version(sentIn: $0, listedBy: context.catalog.root) }
    let placement = Placement(
      staged: staged, destination: .item(entry.path),
      expectation: wanted.held?.content.map { .ours($0.stamp) } ?? .nothing,
      payload: CommitRecord(
        id: item.id, entry: entry.listed,
        what: .content(
          version: version ?? item.version, etag: answer?.provenETag,
          lastModified: answer?.provenLastModified),
        digest: staged.sha256, received: answer?.bodyBytes ?? received, source: source,
        reason: wanted.reason))
    if wanted.comesLast { late.add(placement) } else { committer.add(placement) }
  }

  /// Runs a transfer and counts it, whichever way it ends. An error that ends the run is told once,
  /// by the run's ending.
  private func counting(
    _ item: MirrorItem, _ body: () async throws -> Void, failing: (any Error) -> Void
  ) async throws {
    do {
      try await body()
      observer.update { $0.itemsDone += 1 }
    } catch let error where !(error is CancellationError) {
      failing(error)
      guard !error.endsRun else { throw error }
      observer.update { progress in
        progress.itemsDone += 1
        progress.failed += 1
      }
      observer.publish(.failed(key: item.id.description, error))
      throw error
    }
  }

  private func confirm(_ entry: CatalogEntry, version: ItemVersion) {
    guard pass.withLock({ $0.confirmed(entry, version: version) }) else { return }
    observer.publish(.confirmed(key: entry.key.description))
  }
}

/// Once everything was handed on.
extension ItemDownloads {
  /// Waits until all of it is in its place, and gives what isn't. An error that ends the run is no
  /// item's.
  func failures() async -> [PlacementFailure<CommitRecord>] {
    let failures = await committer.drain().filter { !$0.error.endsRun }
    if !failures.isEmpty { pass.withLock { $0.last.fail() } }
    return failures
  }

  /// Does with the files that come last what the pass says, and gives those that aren't placed.
  func settleLate(_ step: LastItems.Verdict?) async -> [MirrorItem.ID: any Error] {
    switch step {
    case nil: return [:]
    case .place:
      let last = pass.withLock { $0.last }
      for placement in late.take(by: last.rank) { committer.add(placement) }
      let failures = await failures()
      late.discardAll()
      return Dictionary(failures.map { ($0.payload.id, $0.error) }) { first, _ in first }
    case .drop:
      late.discardAll()
      return [:]
    case .holdBack:
      let waiting = late.discardAll()
      if !waiting.isEmpty { pass.withLock { $0.last.heldBack() } }
      return Dictionary(waiting.map { ($0, ItemError.heldBack) }) { first, _ in first }
    }
  }
}

/// Before the rest is listed.
extension ItemDownloads {
  /// Fetches an item into the staging area, as it is now, or has the server confirm what is held.
  func fetchAhead(_ item: MirrorItem) async throws -> Arrival {
    guard let entry = item.entry else { throw item.problem }
    let row = try await context.session.index.read { try $0.item(entry.key) }
    var target = ItemTransfer.Target(asItIsNow: entry.listed)
    let need = ItemNeed(item, held: row, damage: nil, wants: .init(contents: true, previews: false))
    // Where the catalog says that it has changed, no server is believed that says it hasn't.
    if need.content == .unsettled { target.ask(for: row, mayBeOlder: need.mayBeOlder) }
    return try await means.fetch(item, target)
  }

  /// What an item is by now; `nil` when it is what it was.
  func newer(than arrival: Arrival) async throws -> Arrival? {
    switch arrival {
    case .confirmed(let item):
      let newer = try await fetchAhead(item)
      if case .confirmed = newer { return nil }
      return newer
    case .staged(let item, let staged, let answer):
      guard let entry = item.entry else { return nil }
      var target = ItemTransfer.Target(asItIsNow: entry.listed)
      // What may change once more under the same validators is fetched once more.
      target.question = ItemQuestion(of: answer, holding: staged.size)
      let newer = try await means.fetch(item, target)
      guard case .staged(_, let other, _) = newer else { return nil }
      guard other.sha256 == staged.sha256 else { return newer }
      context.session.staging.discard(other)
      return nil
    }
  }
}

extension ItemTransfer.Target {
  @inline(never)
  init(of wanted: ContentFetch) {
    self.init(wanted.entry.listed)
    if wanted.reason == .unsettled { ask(for: wanted.held, mayBeOlder: wanted.mayBeOlder) }
  }

  init(_ entry: CatalogEntry) {
    self.init(
      locators: entry.locators, size: entry.size, roughSize: entry.roughSize,
      sha256: entry.sha256, checks: entry.checks,
      algorithms: entry.algorithms, modified: entry.modified, identity: PartialIdentity(entry))
  }

  /// Whatever the server has: the catalog may have been listed a moment before or after.
  fileprivate init(asItIsNow entry: CatalogEntry) {
    self.init(
      locators: entry.locators, algorithms: entry.algorithms, modified: entry.modified)
  }

  /// Asks only for what is another state than what is held.
  ///
  /// - Parameter mayBeOlder: See ``ItemNeed/mayBeOlder``.
  fileprivate mutating func ask(for row: IndexedItem?, mayBeOlder: Bool) {
    guard let held = row?.content, row?.entry.locators.first == locators.first else { return }
    passesCaches = mayBeOlder
    question = ItemQuestion(of: held, mayBeOlder: mayBeOlder)
  }
}

extension CatalogEntry {
  fileprivate var algorithms: Set<ContentDigest.Algorithm> {
    checks.isEmpty ? [] : Set(checks.map(\.algorithm))
  }
}

extension MirrorItem {
  /// Why the item can't be fetched as the catalog has it.
  fileprivate var problem: any Error {
    switch self {
    case .unusable(let unusable): unusable
    case .entry: ItemError.unframed
    }
  }
}
