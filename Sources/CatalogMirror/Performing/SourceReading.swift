import SyncEngine
import SyncFiles
import SyncFolder
import SyncLock

/// Finds out what there is to do: looks at the files while the listing is fetched, and has the pass
/// decide on both.
struct SourceReading: Sendable {
  let context: RunContext
  /// The listing of a first run, which was fetched before the folder was made.
  let firstListing: CatalogSource.Fetched?
  let pass: Locked<MirrorPass>
  /// What fetches items; `nil` for a plan.
  let downloads: ItemDownloads?

  private var options: MirrorOptions { context.options }
  private var target: PassTarget { context.target }
  private var observer: MirrorObserver { context.observer }
  private var scope: HeldScope { context.scope }

  /// What there is to do, as the engine wants it told.
  func sourceList() async throws -> SourceList<MirrorItem> {
    if let repairs = pass.withLock({ $0.rules.repairs }) {
      try await look()
      let rows = try await target.session.index.read {
        try $0.items(repairs.contents.union(repairs.previews))
      }
      return pass.withLock { $0.repairing(rows) }
    }
    let (fetched, survey) = try await fetchListingAndLook()
    try await compareScopes()
    guard !fetched.listing.isUnchanged else {
      let (rows, packs) = try await located(try await incompleteItems(), in: fetched.listing)
      return pass.withLock { $0.unchanged(fetched, rows, in: packs) }
    }
    let list = try await decide(on: fetched, after: survey)
    guard !target.isInspection else { return list }
    let partial = fetched.listing.partialReasons
    let isNews = try await PartialNews(partial).remember(in: target.session.index)
    observer.publish(
      .listed(entries: fetched.listing.count, partial: partial, isNews: isNews))
    // From here on the folder may come to differ from the listing that the validators speak of.
    try await target.session.index.write { try $0.clearValidators() }
    if case .changes(let items, _) = list, options.wants.contents {
      try await forgetPartialFiles(notOf: items)
    }
    return list
  }

  /// Unless the index is to be trusted, or there is none yet.
  private func look() async throws {
    guard !options.trustsIndex, let folder = target.folder, let index = target.index else {
      pass.withLock { _ = $0.looked(nil) }
      return
    }
    let look = LocalLook(
      folder: folder, index: index, queue: target.fileQueue, wants: options.wants,
      scope: scope.boundary)
    let findings = try await look.look()
    let changes = pass.withLock { $0.looked(findings) }
    guard !target.isInspection, !changes.isEmpty else { return }
    try await target.session.index.write { try $0.record(changes) }
  }

  private func incompleteItems() async throws -> [CatalogKey: IndexedItem] {
    let (findings, wants) = (pass.withLock { $0.view.findings }, options.wants)
    return try await target.index?.read { [scope] in
      try $0.incompleteItems(after: findings, wants: wants, within: scope.boundary)
    } ?? [:]
  }

  private func decide(
    on fetched: CatalogSource.Fetched, after survey: ItemSurvey?
  ) async throws -> SourceList<MirrorItem> {
    let (findings, wants) = (pass.withLock { $0.view.findings }, options.wants)
    let folding = context.catalog.options.folding
    let comparison = try await target.index?.read { [scope] in
      try $0.compare(
        fetched.listing, findings, wants, within: scope, after: survey, folding: folding)
    }
    let superseded = try await target.index?.read { try PathList(.supersededNames, in: $0).keys }
    let known = comparison ?? ListingComparison(fetched.listing)
    let located = try await located(known)
    return try pass.withLock {
      try $0.listed(located, of: fetched.pages, supersededBefore: superseded ?? [])
    }
  }

  /// Partial files of contents that needn't be fetched: of what the catalog has no longer, or not
  /// in that version, and of what is held.
  private func forgetPartialFiles(notOf items: [MirrorItem]) async throws {
    let (partials, queue) = (target.session.partials, target.fileQueue)
    guard !partials.isEmpty else { return }
    let wanted = Set(items.compactMap(\.entry).map { PartialIdentity($0.listed).slot })
    try await queue.run { partials.keep(only: wanted) }
  }

  /// The listing, fetched while the files are looked at; and once more, if it lay waiting so long
  /// that by now the catalog may say something else, and its addresses may be void.
  private func fetchListingAndLook() async throws -> (CatalogSource.Fetched, ItemSurvey?) {
    let before = try await whatIsKnown()
    if let downloads, !options.last.isEmpty, options.wants.contents {
      // What has to be fetched ahead, only a look tells.
      try await look()
      observer.enter(.list)
      return (try await listing(ahead: downloads).fetch(before), nil)
    }
    // A look at the files goes through all items by itself.
    if options.trustsIndex, let index = target.index {
      try await look()
      observer.enter(.list)
      let survey = SurveyAhead(index)
      return try await survey.look { try await fetchListing(survey.following(before)) }
    }
    let clock = context.environment.clock
    if let listing = try await fetchListingAndLook(before, timedBy: clock) { return (listing, nil) }
    return (try await fetchListing(before), nil)
  }

  /// How to list a catalog of which some items come last.
  private func listing(ahead downloads: ItemDownloads) -> ListingAhead {
    let (last, findings) = pass.withLock { ($0.last, $0.view.findings) }
    return ListingAhead(
      context: context, first: firstListing, downloads: downloads, last: last, findings: findings)
  }

  private func whatIsKnown() async throws -> CatalogSource.Before {
    guard let folder = target.folder else { return nothingIsKnown(but: nil) }
    let highest = try await context.highestRevision(in: folder)
    guard let index = target.index else { return nothingIsKnown(but: highest) }
    // A plan tells what is left out, and what grows too old has to go.
    let readsAnew = target.isInspection && !options.scope.isEverything
    var before = CatalogSource.Before(highestRevision: highest, index)
    if !readsAnew, !options.changesWithTime {
      before = try await context.catalog.before(
        index, fingerprint: context.fingerprint, highestRevision: highest)
    }
    before.expires = try await context.lastExpiry
    return before
  }

  private func nothingIsKnown(but highestRevision: Int64?) -> CatalogSource.Before {
    var before = CatalogSource.Before(highestRevision: highestRevision)
    before.tellsLines = !target.isInspection
    return before
  }

  /// Whether the scope is the one of the last run; a folder without items had none.
  private func compareScopes() async throws {
    let (digest, everything) = (options.scope.digest.description, Scope().digest.description)
    let isNew = try await target.index?.read { reader in
      if let before = try reader.value(.scope) { return before != digest }
      return try digest != everything && reader.itemCount() > 0
    }
    pass.withLock { $0.scopeIsKnown(isNew: isNew ?? false) }
  }

  /// `nil` for a listing that has aged; one that hasn't changed holds whenever it came.
  ///
  /// What the look found counts first: it may be that nothing can be done here, whatever the server
  /// says.
  private func fetchListingAndLook(
    _ before: CatalogSource.Before, timedBy clock: some Clock<Duration>
  ) async throws -> CatalogSource.Fetched? {
    async let arrival = (listing: fetchListing(before), at: clock.now)
    try await look()
    observer.enter(.list)
    let (listing, arrived) = try await arrival
    let hasAged = arrived.duration(to: clock.now) >= context.environment.listingPatience
    return hasAged && !listing.listing.isUnchanged ? nil : listing
  }

  private func fetchListing(_ before: CatalogSource.Before) async throws -> CatalogSource.Fetched {
    // A folder that lost its marker may still know more than its first listing was held against.
    if let firstListing, before.highestRevision == nil { return firstListing }
    return try await context.catalog.fetch(before)
  }
}

/// Looks at every item of an index while the catalog's lines are held against those that are known:
/// the one takes one processor, the other another.
///
/// Only once the lines are asked for: before that, the catalog may turn out to be the one of last
/// time, and nobody needs the look.
final class SurveyAhead: Sendable {
  private let index: MirrorIndex
  private let (begun, begin) = AsyncStream.makeStream(of: Void.self)

  init(_ index: MirrorIndex) {
    self.index = index
  }

  /// What is known before a listing, with lines after which the look begins.
  func following(_ before: CatalogSource.Before) -> CatalogSource.Before {
    var following = before
    following.knownLines = { [begin] in
      let lines = try before.knownLines()
      HeldLocks.assertNone()
      if !lines.isEmpty { begin.yield() }
      return lines
    }
    return following
  }

  /// Has a listing fetched, with what ``following(_:)`` gives. What was found is `nil` where no
  /// line was asked for, and of an unchanged listing.
  func look(
    while fetch: () async throws -> CatalogSource.Fetched
  ) async throws -> (fetched: CatalogSource.Fetched, survey: ItemSurvey?) {
    async let survey = survey()
    let fetched = try await fetch()
    begin.finish()
    return (fetched, fetched.listing.isUnchanged ? nil : try await survey)
  }

  private func survey() async throws -> ItemSurvey? {
    for await _ in begun { return try await index.read { try $0.survey() } }
    return nil
  }
}
