package import SyncText
package import SyncFetching
import SyncFolder

/// Fetches a catalog, page by page as ``ListingAssembly`` decides, and gives the listing.
package struct CatalogSource: Sendable {
  /// A listing, and the validators of its pages for next time: without the catalog's own query,
  /// which may hold a secret.
  struct Fetched: Equatable, Sendable {
    var listing: Listing
    var pages: [ListingValidators.Page]
  }

  static let width = 8

  package let source: any ByteSource
  package let root: URLReference
  package let formats: CatalogFormats
  package let options: ListingAssembly.Options
  /// What pages have to be signed by; `nil` where nobody asks.
  var signatures: SignatureCheck?
  /// Whoever has to have signed a catalog of format 1; `nil` where nobody asks.
  var verifyKeys: VerifyKeys?
  let onPage: @Sendable (_ url: String, _ isNotModified: Bool) -> Void

  struct Before: Sendable {
    /// The pages of last time: where they have validators, the catalog is asked conditionally.
    var recorded: ListingValidators?
    var bypassesCaches = false
    var highestRevision: Int64?
    /// Until when the state may be taken that was taken last, in seconds since 1970.
    var expires: Int64?
    /// The lines that needn't be read again. Called while a body comes, on a thread that may be
    /// blocked.
    var knownLines: @Sendable () throws -> KnownLines = { .none }
    /// Whether each entry is to know its line by a digest. A plan without an index has no use for
    /// them.
    var tellsLines = true
    /// What the copy holds under this key. Default: nothing.
    var held: @Sendable (CatalogKey) async throws -> IndexedContent? = { _ in nil }
    /// What the index has for these keys, as far as it knows them. Default: nothing.
    var entries: @Sendable ([CatalogKey]) async throws -> [CatalogKey: CatalogEntry] = { _ in [:] }

    /// What is known where there is an index, but for the listing of last time.
    init(highestRevision: Int64? = nil, _ index: MirrorIndex? = nil) {
      self.highestRevision = highestRevision
      guard let index else { return }
      held = { key in try await index.read { try $0.item(key)?.content } }
      entries = { keys in
        try await index.read { try $0.items(keys).mapValues(\.entry) }
      }
    }
  }

  /// What an index knows. Where names are folded, every key has to be held against every other one,
  /// and no line is known.
  func before(
    _ index: MirrorIndex, fingerprint: String, highestRevision: Int64?
  ) async throws -> Before {
    var before = Before(highestRevision: highestRevision, index)
    before.recorded = try await index.read { try $0.validators(fingerprint: fingerprint) }
    if options.folding == .none {
      before.knownLines = { try index.readAndWait { try $0.knownLines() } }
    }
    return before
  }

  /// The listing as it is now, of a catalog that is only looked at.
  package func listing() async throws -> Listing { try await fetch().listing }

  /// The same catalog, of which so many pages are read at most.
  package func limited(toPages most: Int) -> CatalogSource {
    var options = options
    options.limits.pages = min(most, options.limits.pages)
    options.readsInPart = true
    return with(options)
  }

  func with(_ options: ListingAssembly.Options) -> CatalogSource {
    CatalogSource(
      source: source, root: root, formats: formats, options: options, signatures: signatures,
      verifyKeys: verifyKeys, onPage: onPage)
  }

  /// Fetches the listing.
  /// - Throws: ``CatalogError``, what finding the known lines threw, or what cancelled it.
  func fetch(_ before: Before = Before()) async throws -> Fetched {
    let query = HiddenQuery(of: root)
    var before = before
    if var pages = before.recorded?.pages {
      pages = query.shown(in: pages)
      pages.nameFirst(root.text)
      before.recorded?.pages = pages
    }
    var fetched: Fetched
    do {
      fetched = try await listAgainIfPublished(before)
    } catch let error as CatalogError {
      throw expiry(of: before.expires, after: error) ?? error
    }
    fetched.pages = query.hidden(in: fetched.pages)
    fetched.pages.nameFirst(root.redacted)
    return fetched
  }

  /// The listing; read once more, past all caches, where it names pages that aren't what it says
  /// they are: it was read while it was being published, or a cache gave an earlier state of them.
  private func listAgainIfPublished(_ before: Before) async throws -> Fetched {
    do {
      return try await list(before)
    } catch let error as CatalogError where error.mayBeOfPublishing {
      var again = before
      (again.recorded, again.bypassesCaches) = (nil, true)
      return try await list(again)
    }
  }

  private func list(_ before: Before) async throws -> Fetched {
    let recorded = before.recorded
    let validators = Dictionary(
      (recorded?.pages ?? []).map { ($0.url, $0) }, uniquingKeysWith: { first, _ in first })
    var assembly = ListingAssembly(
      root: root, opening: opening(after: recorded), options: options,
      recorded: recorded.map {
        RecordedListing(
          pages: $0.pages.map(\.record),
          revision: $0.revision.flatMap(CatalogRevision.init(stored:)), itemCount: $0.itemCount)
      }, highestRevision: before.highestRevision)
    var answers: [String: ByteAnswer] = [:]
    let fetch = PageFetch(
      catalog: self, allowance: ByteAllowance(options.limits.bytes),
      known: KnownOnce(before.knownLines), tellsLines: before.tellsLines,
      bypassesCaches: before.bypassesCaches, held: before.held, entries: before.entries)
    let listing = try await withThrowingTaskGroup(of: (String, PageEnd).self) { group in
      defer { group.cancelAll() }
      var waiting: [PageRequest] = []
      var underWay: [String: CatalogRequest] = [:]
      var action = assembly.begin()
      while true {
        switch action {
        case .fetch(let requests): waiting += requests
        case .finish(let listing): return listing
        case .fail(let error):
          try Task.checkCancellation()
          throw error
        }
        while underWay.count < Self.width, let request = Self.next(&waiting, after: underWay) {
          underWay[request.id] = request.request
          group.addTask { [format = assembly.format] in
            let page = request.isConditional ? validators[request.id] : nil
            return (
              request.id, try await fetch.end(of: request.request, validatedBy: page, as: format)
            )
          }
        }
        guard let (id, end) = try await group.next() else {
          preconditionFailure("the assembly waits for pages that nobody fetches")
        }
        underWay[id] = nil
        action = Self.tell(&assembly, id, end, &answers)
      }
    }
    let pages = listing.pages.map { record in
      Self.page(record, answers[record.url], recorded: validators[record.url])
    }
    return Fetched(listing: listing, pages: pages)
  }

  /// Takes what is asked next. To unpack xz may take as much memory as a whole run else, so that
  /// only one such file comes at a time.
  private static func next(
    _ waiting: inout [PageRequest], after underWay: [String: CatalogRequest]
  ) -> PageRequest? {
    let isBusy = underWay.values.contains { $0.packing == .xz }
    let place = waiting.firstIndex { !isBusy || $0.request.packing != .xz }
    return place.map { waiting.remove(at: $0) }
  }

  /// What is asked first: what a format that was named wants; and for changes, what the one wants
  /// that left a checkpoint.
  package func opening(after recorded: ListingValidators?) -> ListingAssembly.Opening {
    let whole = options.format.flatMap { formats[name: $0] }?.firstRequest(to: root)
    let first = recorded?.pages.first?.record
    let changes = first?.checkpoint.flatMap { checkpoint in
      formats[name: options.format ?? first?.format ?? .catalog]?
        .firstRequest(to: root, since: checkpoint)
    }
    return ListingAssembly.Opening(
      whole: whole ?? CatalogRequest(root.text), changes: changes)
  }

  /// What to remember of a page. Only a 304 leaves the validators of last time in force: a body
  /// that came without any has none.
  private static func page(
    _ record: PageRecord, _ answer: ByteAnswer?, recorded: ListingValidators.Page?
  ) -> ListingValidators.Page {
    guard let answer, answer.isNotModified else {
      return ListingValidators.Page(
        record: record, etag: answer?.provenETag, lastModified: answer?.provenLastModified)
    }
    return ListingValidators.Page(
      record: record, etag: answer.provenETag ?? recorded?.etag,
      lastModified: answer.provenLastModified ?? recorded?.lastModified)
  }

  /// The answer to a request of its own, whatever it is; `nil` where it can't be had, or is longer
  /// than that.
  package func body(of asked: CatalogRequest, atMost most: Int) async throws -> CatalogBody? {
    for url in [asked.url] + asked.alternatives {
      var asked = asked
      asked.url = url
      do {
        return try await givenBody(of: asked, atMost: most)
      } catch let error where !(error is CancellationError) {}
    }
    return nil
  }

  /// The answer from one address.
  ///
  /// - Parameter begun: Called with each answer whose body begins.
  /// - Throws: What came instead: also where it is longer than that.
  func givenBody(
    of asked: CatalogRequest, atMost most: Int,
    begun: @escaping @Sendable (ByteAnswer) -> Void = { _ in }
  ) async throws -> CatalogBody? {
    let allowance = ByteAllowance(min(most, options.limits.bytes))
    let limits = options.limits
    let sink = PageSink(allowance, packing: asked.packing, size: asked.size) { answer in
      begun(answer)
      return LineSieve({ .none }, gate: PieceGate(limits, of: answer), opened: { _ in nil })
    }
    let answer = try await source.fetch(ByteRequest(asked), into: sink)
    return CatalogBody(answer, asked, bytes: try sink.take().rest.bytes)
  }

  private static func tell(
    _ assembly: inout ListingAssembly, _ url: String, _ end: PageEnd,
    _ answers: inout [String: ByteAnswer]
  ) -> ListingAssembly.Action {
    switch end {
    case .fetched(let page, let digest, let answer):
      answers[url] = answer
      return assembly.fetched(url, page: page, digest: digest, isFramed: answer.isFramed)
    case .notModified(let answer):
      answers[url] = answer
      return assembly.notModified(url)
    case .unfetched(let reason, let advice, _):
      return assembly.unfetched(url, reason: reason, advice: advice)
    case .unreadable(let error): return assembly.unreadable(url, error)
    }
  }
}

extension [ListingValidators.Page] {
  fileprivate mutating func nameFirst(_ url: String) {
    if !isEmpty { self[0].record.url = url }
  }
}
