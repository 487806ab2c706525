package import SyncFolder
package import SyncText

/// Puts the pages of a catalog together to one ``Listing``: decides what to fetch next, and what
/// the whole is worth.
///
/// A value without I/O. Whoever fetches calls ``begin()``, then one method for each request that
/// ended, and does what the returned action says until it is `finish` or `fail`; answers that come
/// after that change nothing.
///
/// Pages of a chain come one after the other, sub-directories side by side. A page that was
/// recorded is asked for conditionally. As soon as one page turns out to differ, pages that had
/// answered 304 are fetched whole, since their entries are needed too. Servers that send no
/// validators (nginx's directory listings) prove the same by the digests of all bodies: every page
/// equal to its record and the same set of pages is `unchanged` as well.
///
/// Where the last pass left a checkpoint, what has changed since is asked for. If that can't be had
/// or read, the whole list is asked for instead: a checkpoint is only ever a shorter way.
package struct ListingAssembly: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// Fetch these as well. Empty: wait for what is under way.
    case fetch([PageRequest])
    case finish(Listing)
    /// Give up; cancel what is under way.
    case fail(CatalogError)
  }

  package struct Options: Hashable, Sendable {
    /// The format of the first page; `nil` goes by media type and content.
    package var format: CatalogFormatName?
    /// A person vouches that the list is whole (``MirrorOptions/vouchesForCompleteness``). A
    /// catalog that says of itself that it isn't stays partial.
    package var isVouchedFor = false
    package var allowsRollback = false
    /// Whether what is past its time is taken; the date, in seconds since 1970, if it is looked at.
    package var (allowsExpired, now) = (false, nil as Double?)
    package var limits = CatalogLimits()
    /// Of more pages than there may be, the first are read, and the rest is left; the listing says
    /// so, and is of no use but to look at.
    package var readsInPart = false
    package var folding = NameFolding.none
    /// What isn't mirrored: directories that aren't asked for, entries that aren't listed.
    package var scope = ScopeBoundary.none
    /// What comes last, to be told where nothing fits it.
    package var last: [KeyPattern] = []

    package init() {}
  }

  package struct Opening: Hashable, Sendable {
    package var whole: CatalogRequest
    /// For what has changed since the last pass, where that can be asked.
    package var changes: CatalogRequest?
  }

  let root: URLReference
  let opening: Opening
  let options: Options
  let recorded: RecordedListing?
  let highestRevision: Int64?
  private let records: [String: PageRecord]

  /// Every page known so far, by its URL.
  private(set) var nodes: [String: PageNode] = [:]
  /// What was known before the one restart; whatever was read then isn't fetched again.
  private var kept: [String: PageNode] = [:]
  private var waiting = 0
  private var listed = 0
  /// From here on everything is fetched whole: the listing is known to differ, or nothing recorded
  /// could prove that it doesn't.
  private var needsEverything: Bool
  private var isOver = false
  private(set) var asksForChanges = false
  /// Whether pages were left that there are.
  private(set) var isPart = false

  /// The format that the first page had or was told to have; decode every page after it as this.
  package private(set) var format: CatalogFormatName?

  /// An assembly of the catalog at `root`.
  /// - Parameters:
  ///   - opening: what is asked first; `nil` for the address itself.
  ///   - recorded: the listing of last time, if its options were the same.
  ///   - highestRevision: the highest ordered revision that was ever seen here.
  package init(
    root: URLReference, opening: Opening? = nil, options: Options = Options(),
    recorded: RecordedListing? = nil, highestRevision: Int64? = nil
  ) {
    self.root = root
    self.opening = opening ?? Opening(whole: CatalogRequest(root.text))
    self.options = options
    self.recorded = recorded
    self.highestRevision = highestRevision
    let pages = recorded?.pages ?? []
    records = Dictionary(pages.map { ($0.url, $0) }, uniquingKeysWith: { first, _ in first })
    needsEverything = pages.isEmpty || !pages.allSatisfy(\.isSettled)
    format = options.format
  }

  package mutating func begin() -> Action {
    asksForChanges = opening.changes != nil
    if asksForChanges { needsEverything = true }
    return ask(opening.changes ?? opening.whole)
  }

  private mutating func ask(_ first: CatalogRequest) -> Action {
    nodes = [root.text: .first(first)]
    waiting = 1
    return .fetch([request(root.text)])
  }

  /// What has changed can't be had: asks for the whole list.
  private mutating func askForEverything() -> Action {
    asksForChanges = false
    listed = 0
    format = options.format
    return ask(opening.whole)
  }

  /// A page came with 200 and was read. `isFramed`: its body ended where the server said.
  package mutating func fetched(
    _ url: String, page: CatalogPage, digest: SHA256Digest, isFramed: Bool
  ) -> Action {
    guard settle(url), let node = nodes[url] else { return .fetch([]) }
    if asksForChanges, page.claim != .changes {
      // A list where changes were asked for is read as one; within changes it is a contradiction.
      guard node.role == .first else { return askForEverything() }
      asksForChanges = false
    }
    listed += page.count
    guard listed <= options.limits.entries else {
      return fail(.limit(url: root.redacted, .entries, most: options.limits.entries))
    }
    var record = PageRecord(
      url: url, page: page, digest: digest, within: options.scope, prefix: node.prefix)
    let isSame = records[url]?.digest == record.digest
    if isSame, !needsEverything { record.repeats = records[url]?.repeats }
    var page = page
    page.moveKeys(beneath: node.prefix)
    nodes[url]?.state = .page(page, isFramed: isFramed)
    nodes[url]?.record = record
    if format == nil { format = page.format }
    return isSame || needsEverything ? follow([url]) : restart()
  }

  package mutating func notModified(_ url: String) -> Action {
    guard let record = records[url], !record.isUnreadable else {
      return unfetched(url, reason: "it answered 304 to a request without conditions")
    }
    guard settle(url) else { return .fetch([]) }
    nodes[url]?.record = record
    if format == nil { format = record.format }
    guard !needsEverything else {  // another page changed while this one was under way
      nodes[url]?.state = .waiting
      waiting += 1
      return .fetch([request(url)])
    }
    nodes[url]?.state = .notModified
    return follow([url])
  }

  /// A page could not be fetched. Those of a chain are needed, from the first one on; a directory
  /// speaks only for itself.
  package mutating func unfetched(
    _ url: String, reason: String, advice: MirrorAdvice? = nil
  ) -> Action {
    guard settle(url), let node = nodes[url] else { return .fetch([]) }
    guard !asksForChanges else { return askForEverything() }
    guard node.role == .directory else {
      return fail(.unfetched(url: shown(url), reason: reason, advice: advice))
    }
    return setAside(url, reason, advice)
  }

  /// A page came and could not be read. In a chain that is an error, as the page that was promised
  /// is something else; a sub-directory may just have a page of its own instead of a listing. A
  /// limit holds for the whole.
  package mutating func unreadable(_ url: String, _ error: CatalogError) -> Action {
    guard settle(url), let node = nodes[url] else { return .fetch([]) }
    guard !asksForChanges else { return askForEverything() }
    if case .limit = error { return fail(error) }
    guard node.role == .directory else { return fail(error) }
    // The format is that of the pages above: no other name of it makes a listing of this one.
    return setAside(url, error.reason, error.advice == .nameFormat ? nil : error.advice)
  }

  /// Goes on without a directory. That it couldn't be read last time either changes nothing.
  private mutating func setAside(
    _ url: String, _ reason: String, _ advice: MirrorAdvice?
  ) -> Action {
    let wasUnreadable = records[url]?.isUnreadable ?? false
    nodes[url]?.state = .missing(reason, advice)
    nodes[url]?.record = PageRecord(unreadable: url, format: format ?? .catalog)
    return wasUnreadable || needsEverything ? follow([url]) : restart()
  }

  /// Goes on from pages that have just settled: asks for what they lead to, or finishes.
  private mutating func follow(_ settled: [String]) -> Action {
    var asked: [PageRequest] = []
    var pending = settled
    while let url = pending.popLast() {
      let way = follows(url)
      if way == .everything { pending += release(above: url) }
      for (child, place) in children(of: url, along: way) {
        if options.readsInPart, nodes.count >= options.limits.pages {
          isPart = true
          continue
        }
        if let error = check(child, place) { return fail(error) }
        nodes[child] = kept[child].flatMap { $0.moved(to: place) } ?? place
        // What has to have the digest that it had last time hasn't changed.
        if !needsEverything, place.request.sha256 != nil, let record = records[child] {
          nodes[child]?.record = record
          nodes[child]?.state = .notModified
        }
        if nodes[child]?.state == .waiting {
          waiting += 1
          asked.append(request(child))
        } else {
          pending.append(child)
        }
      }
    }
    return waiting > 0 ? .fetch(asked) : finish()
  }

  /// Decides where to go on from a page, and notes it.
  private mutating func follows(_ url: String) -> DirectoryWay {
    guard needsEverything, nodes[url]?.isReleased == false else { return .everything }
    let way = way(from: url)
    switch way {
    case .everything: break
    case .only: nodes[url]?.isSuspected = true
    case .nowhere(let first, let above): nodes[first]?.record?.repeats = above
    }
    return way
  }

  /// Pages that were suspected to repeat others and don't, as a page below them shows.
  private mutating func release(above url: String) -> [String] {
    let suspected = pagesAbove(url).filter { nodes[$0]?.isSuspected == true }
    for id in suspected { nodes[id]?.release() }
    return suspected
  }

  /// Something differs: walks again from the first page, keeps what was read, and asks for the rest
  /// whole. Happens once at most.
  private mutating func restart() -> Action {
    needsEverything = true
    kept = nodes
    let place = PageNode.first(opening.whole)
    let first = kept[root.text]?.moved(to: place) ?? place
    nodes = [root.text: first]
    waiting = first.state == .waiting ? 1 : 0
    return waiting > 0 ? .fetch([request(root.text)]) : follow([root.text])
  }

  func shown(_ id: String) -> String {
    URLReference(nodes[id]?.address ?? id)?.redacted ?? root.redacted
  }

  private func request(_ id: String) -> PageRequest {
    PageRequest(
      nodes[id]?.request ?? CatalogRequest(id), id: id,
      isConditional: !needsEverything && records[id] != nil)
  }

  private mutating func settle(_ url: String) -> Bool {
    guard !isOver, nodes[url]?.state == .waiting else { return false }
    waiting -= 1
    return true
  }

  private mutating func fail(_ error: CatalogError) -> Action {
    isOver = true
    return .fail(error)
  }

  private mutating func finish() -> Action {
    if !needsEverything, Set(nodes.keys) != Set(records.keys) { return restart() }
    isOver = true
    do throws(CatalogError) {
      let verdict = ListingVerdict(self)
      guard needsEverything else { return .finish(try verdict.unchanged()) }
      var (listing, collector) = (try verdict.head(), EntryCollector(options))
      try collector.collect(verdict, from: root.text, into: &listing)
      try verdict.judge(&listing, of: collector.count)
      return .finish(listing)
    } catch {
      return .fail(error)
    }
  }
}
