import SyncText

/// What the pages of a finished ``ListingAssembly`` are worth together.
struct ListingVerdict {
  private let assembly: ListingAssembly
  let nodes: [(url: String, node: PageNode)]

  /// A verdict on an assembly of which every page has settled.
  init(_ assembly: ListingAssembly) {
    self.assembly = assembly
    nodes = Self.inOrder(assembly)
  }

  /// Nothing changed since the recorded listing, and it is what it was.
  /// - Throws: when it may be taken no longer.
  func unchanged() throws(CatalogError) -> Listing {
    try checkExpiry()
    var listing = Listing(format: assembly.format ?? .catalog)
    listing.isUnchanged = true
    listing.unchangedCount = assembly.recorded?.itemCount ?? 0
    listing.header.revision = assembly.recorded?.revision
    listing.pages = nodes.compactMap(\.node.record)
    listing.unreadable = unreadable
    return listing
  }

  /// What the pages say of the listing as a whole; its entries are still to be collected.
  /// - Throws: what is wrong with the whole.
  func head() throws(CatalogError) -> Listing {
    let header = try agreedHeader()
    try checkRevision(header.revision)
    try checkExpiry()
    try checkDate(header.date)
    var listing = Listing(format: assembly.format ?? .catalog)
    listing.header = header
    listing.pages = nodes.compactMap(\.node.record)
    listing.unreadable = unreadable
    listing.isPart = assembly.isPart
    for (_, page, _) in pages { listing.packs.add(page.packs) }
    listing.notes.last = pages.flatMap(\.page.last)
    listing.notes.emptyDirectories = nodes.compactMap(\.node.emptyDirectory)
    if let first = listing.pages.indices.first {
      listing.pages[first].checkpoint = pages.last { $0.page.checkpoint != nil }?.page.checkpoint
    }
    return listing
  }

  /// Judges a listing of so many entries, all collected: whether it is the whole.
  /// - Throws: for another number than it declares.
  func judge(_ listing: inout Listing, of count: Int) throws(CatalogError) {
    try checkCount(listing.header.count, count)
    let reasons = partialReasons(listing)
    if !reasons.isEmpty { listing.completeness = .partial(reasons) }
  }

  /// What the pages say together, where they are changes.
  var changes: ChangedKeys? {
    guard pages.contains(where: { $0.page.claim == .changes }) else { return nil }
    var changes = ChangedKeys(format: assembly.format ?? .catalog)
    for (_, node) in nodes {
      if case .page(let page, _) = node.state { changes.take(page) }
    }
    return changes
  }

  /// The pages as the catalog orders them: a page, its directories, the pages after it.
  private static func inOrder(_ assembly: ListingAssembly) -> [(url: String, node: PageNode)] {
    var ordered: [(url: String, node: PageNode)] = []
    var pending = [assembly.root.text]
    while let url = pending.popLast() {
      guard let node = assembly.nodes[url] else { continue }
      ordered.append((url, node))
      pending += node.children.reversed().map(\.id)
    }
    return ordered
  }

  private var pages: [(url: String, page: CatalogPage, isFramed: Bool)] {
    nodes.compactMap { url, node in
      guard node.record?.repeats == nil, case .page(let page, let isFramed) = node.state else {
        return nil
      }
      return (url, page, isFramed)
    }
  }

  /// What the first page declares; a later one may leave it out, but not contradict.
  private func agreedHeader() throws(CatalogError) -> CatalogHeader {
    let header = pages.first?.page.header ?? CatalogHeader()
    for (url, page, _) in pages.dropFirst() {
      if let count = page.header.count, count != header.count {
        throw .pagesDisagree(url: shown(url), about: .count)
      }
      if let revision = page.header.revision, revision != header.revision {
        throw .pagesDisagree(url: shown(url), about: .revision)
      }
    }
    return header
  }

  private func checkRevision(_ revision: CatalogRevision?) throws(CatalogError) {
    guard let revision else { return }
    if let recorded = assembly.recorded, recorded.revision == revision {
      let digests = Dictionary(
        recorded.pages.map { ($0.url, $0.digest) }, uniquingKeysWith: { first, _ in first })
      for (url, node) in nodes {
        guard let new = node.record?.digest, let old = digests[url], new != old else { continue }
        throw .sameRevisionOtherBody(url: shown(url), revision: revision)
      }
    }
    if case .ordered(let number) = revision, let highest = assembly.highestRevision,
      number < highest, !assembly.options.allowsRollback
    {
      throw .rolledBack(url: assembly.root.redacted, from: highest, to: number)
    }
  }

  /// What stands still for ever, somebody may keep from us.
  private func checkExpiry() throws(CatalogError) {
    guard let now = assembly.options.now, !assembly.options.allowsExpired else { return }
    for (url, node) in nodes {
      guard let end = node.record?.validUntil, Double(end) < now else { continue }
      throw .expired(url: shown(url), at: end, now: Int64(now))
    }
  }

  /// What was signed once stays signed: only its date tells an old state from the newest.
  private func checkDate(_ date: Int64?) throws(CatalogError) {
    guard let date else { return }
    let url = assembly.root.redacted
    if let now = assembly.options.now, Double(date) > now + Self.longestFuture {
      throw .ofTheFuture(url: url, date: date, now: Int64(now))
    }
    if let last = assembly.highestRevision, date < last, !assembly.options.allowsRollback {
      throw .olderThanBefore(url: url, date: date, last: last)
    }
  }

  /// How much later than ours another clock may be, in seconds.
  static let longestFuture = 10.0

  /// A window may declare the count of the whole; directories that are missing make no count agree.
  private func checkCount(_ declared: Int64?, _ found: Int) throws(CatalogError) {
    guard let declared, declared != Int64(found), unreadable.isEmpty, !assembly.isPart,
      !pages.contains(where: { $0.page.claim == .window })
    else { return }
    throw .countDisagrees(
      url: assembly.root.redacted, declared: declared, found: Int64(found))
  }

  private var unreadable: [UnreadableDirectory] {
    nodes.compactMap { url, node in
      if let above = node.record?.repeats {
        return UnreadableDirectory(repeating: above, at: shown(url), prefix: node.prefix)
      }
      guard case .missing(let reason, let advice) = node.state else { return nil }
      // A name of which no URL can be made is shown by itself.
      let shown =
        URLReference(node.request.url)?.redacted ?? "\(CatalogKey(bytes: node.prefix))"
      return UnreadableDirectory(
        prefix: node.prefix, url: shown, reason: reason, advice: advice)
    }
  }

  private func partialReasons(_ listing: Listing) -> [PartialReason] {
    var reasons: [PartialReason] = pages.filter { !$0.isFramed }
      .map { .unframed(url: shown($0.url)) }
    let claims = pages.map(\.page.claim)
    if claims.contains(.window) {
      reasons.append(.window)
    } else if claims.contains(.changes), claims.contains(where: { $0 != .changes }) {
      reasons.append(.window)
    } else if listing.header.count == nil, !assembly.options.isVouchedFor {
      // The first page speaks for its chain; but what no page of its kind can say, none says for
      // another, such as for a directory whose server cuts long lists without a word.
      if claims.first == .unvouched { reasons.append(.unvouched) }
      if claims.contains(.unvouchable) { reasons.append(.unvouchable) }
    }
    if let first = listing.keyless.positions.first {
      reasons.append(.unreadableKeys(count: listing.keyless.count, first: first))
    }
    return reasons
      + pages.compactMap { url, page, _ in
        let links = page.notes.unreadLinks
        guard links.count > 0 else { return nil }
        return .unreadLinks(url: shown(url), count: links.count, example: links.example)
      }
  }

  private func shown(_ id: String) -> String { assembly.shown(id) }
}
