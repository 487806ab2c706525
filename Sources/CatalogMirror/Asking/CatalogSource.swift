import SyncLedger
import SyncLock
import SyncTransport
import SyncText
import SyncFetching
import SyncFolder

/// Fetches a catalog, page by page as ``ListingAssembly`` decides, and gives the listing.
struct CatalogSource: Sendable {
  /// A listing, and the validators of its pages for next time: without the catalog's own query,
  /// which may hold a secret.
  struct Fetched: Equatable, Sendable {
    var listing: Listing
    var pages: [ListingValidators.Page]
  }

  /// What one page came to.
  private enum PageEnd: Sendable {
    case fetched(CatalogPage, SHA256Digest, ByteAnswer)
    case notModified(ByteAnswer)
    case unfetched(String, MirrorAdvice?, isAbsent: Bool)
    case unreadable(CatalogError)

    var isFailure: Bool {
      switch self {
      case .fetched, .notModified: false
      case .unfetched, .unreadable: true
      }
    }

    /// Why there is nothing, where the source says that there isn't.
    var absence: String? {
      if case .unfetched(let reason, _, isAbsent: true) = self { reason } else { nil }
    }

    /// The same without the validators of an answer from another address than the first, which is
    /// the one that is asked with them next time.
    var ofAnotherAddress: PageEnd {
      guard case .fetched(let page, let digest, var answer) = self else { return self }
      (answer.etag, answer.lastModified) = (nil, nil)
      return .fetched(page, digest, answer)
    }
  }

  /// Pages that are fetched side by side.
  static let width = 8

  let source: any ByteSource
  let root: URLReference
  /// What reads the pages.
  let formats: CatalogFormats
  let options: ListingAssembly.Options
  /// What pages have to be signed by; `nil` where nobody asks.
  var signatures: SignatureCheck?
  let onPage: @Sendable (_ url: String, _ isNotModified: Bool) -> Void

  /// What is known before a listing is fetched.
  struct Before: Sendable {
    /// The pages of last time: where they have validators, the catalog is asked conditionally.
    var recorded: ListingValidators?
    /// The highest ordered revision that was seen here.
    var highestRevision: Int64?
    /// The lines that needn't be read again. Called while a body comes, on a thread that may be
    /// blocked.
    var knownLines: @Sendable () throws -> KnownLines = { .none }
  }

  /// What an index knows. Where names are folded, every key has to be held against every other one,
  /// and no line is known.
  func before(
    _ index: MirrorIndex, fingerprint: String, highestRevision: Int64?
  ) async throws -> Before {
    var before = Before(highestRevision: highestRevision)
    before.recorded = try await index.read { try $0.validators(fingerprint: fingerprint) }
    if options.folding == .none {
      before.knownLines = { try index.readAndWait { try $0.knownLines() } }
    }
    return before
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
    var fetched = try await list(before)
    fetched.pages = query.hidden(in: fetched.pages)
    fetched.pages.nameFirst(root.redacted)
    return fetched
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
          revision: $0.revision.flatMap(CatalogRevision.init(stored:)))
      }, highestRevision: before.highestRevision)
    var answers: [String: ByteAnswer] = [:]
    let allowance = ByteAllowance(options.limits.bytes)
    let known = KnownOnce(before.knownLines)
    let listing = try await withThrowingTaskGroup(of: (String, PageEnd).self) { group in
      defer { group.cancelAll() }
      var waiting: ArraySlice<PageRequest> = []
      var underWay = 0
      var action = assembly.begin()
      while true {
        switch action {
        case .fetch(let requests): waiting += requests
        case .finish(let listing): return listing
        case .fail(let error): throw error
        }
        while underWay < Self.width, let request = waiting.popFirst() {
          underWay += 1
          group.addTask { [format = assembly.format] in
            let page = request.isConditional ? validators[request.id] : nil
            return (
              request.id,
              try await end(
                of: request.request, validatedBy: page, as: format, within: allowance,
                known: known)
            )
          }
        }
        guard let (id, end) = try await group.next() else {
          preconditionFailure("the assembly waits for pages that nobody fetches")
        }
        underWay -= 1
        action = Self.tell(&assembly, id, end, &answers)
      }
    }
    let pages = listing.pages.map { record in
      Self.page(record, answers[record.url], recorded: validators[record.url])
    }
    return Fetched(listing: listing, pages: pages)
  }

  /// What is asked first: what a format that was named wants; and for changes, what the one wants
  /// that left a checkpoint.
  func opening(after recorded: ListingValidators?) -> ListingAssembly.Opening {
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
  func body(of asked: CatalogRequest, atMost most: Int) async throws -> CatalogBody? {
    for url in [asked.url] + asked.alternatives {
      let allowance = ByteAllowance(min(most, options.limits.bytes))
      let sink = PageSink(allowance, isPacked: asked.isPacked) { _ in
        LineSieve({ .none }, opened: { _ in nil })
      }
      var asked = asked
      asked.url = url
      do {
        let answer = try await source.fetch(ByteRequest(asked), into: sink)
        return CatalogBody(answer, asked, bytes: try sink.take().rest.bytes)
      } catch let error where !(error is CancellationError) {}
    }
    return nil
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

  /// Asks at one address after the other, until one gives the page. Where nobody knows what it has
  /// to be, only what isn't there is looked for elsewhere.
  private func end(
    of asked: CatalogRequest, validatedBy page: ListingValidators.Page?,
    as format: CatalogFormatName?, within allowance: ByteAllowance, known: KnownOnce
  ) async throws -> PageEnd {
    var end = try await firstEnd(
      of: asked, validatedBy: page, as: format, within: allowance, known: known)
    for url in asked.alternatives
    where asked.sha256 == nil ? end.absence != nil : end.isFailure {
      var other = asked
      other.url = url
      end = try await firstEnd(
        of: other, validatedBy: nil, as: format, within: allowance, known: known
      ).ofAnotherAddress
    }
    guard let reason = end.absence, let format = format.flatMap({ formats[name: $0] }),
      let error = format.problem(ofNothingAt: asked, because: reason)
    else { return end }
    return .unreadable(error)
  }

  private func firstEnd(
    of asked: CatalogRequest, validatedBy page: ListingValidators.Page?,
    as format: CatalogFormatName?, within allowance: ByteAllowance, known: KnownOnce
  ) async throws -> PageEnd {
    let sink = PageSink(allowance, isPacked: asked.isPacked) { [formats, options] answer in
      LineSieve(known.lines) { firstLine in
        CatalogBody(answer, asked, bytes: firstLine).flatMap {
          formats.lines(of: $0, as: format, limits: options.limits)
        }
      }
    }
    do {
      let answer = try await source.fetch(ByteRequest(asked, validatedBy: page), into: sink)
      onPage(asked.url, answer.isNotModified)
      if answer.isNotModified { return .notModified(answer) }
      let page = try sink.take()
      guard asked.sha256.map({ $0 == page.sent }) ?? true else {
        let shown = URLReference(asked.url)?.redacted ?? root.redacted
        throw CatalogError.pagesDisagree(url: shown, about: .digest)
      }
      return try await decode(page, answer, to: asked, as: format)
    } catch let error as CatalogError {
      return .unreadable(error)
    } catch let error as TransportError {
      return .unfetched(error.reason, error.advice, isAbsent: error.code.isAbsence)
    } catch let error as FileSourceError {
      return .unfetched(error.reason, nil, isAbsent: error.isAbsent)
    }
  }

  private func decode(
    _ page: PageSink.Page, _ answer: ByteAnswer, to asked: CatalogRequest,
    as format: CatalogFormatName?
  ) async throws -> PageEnd {
    let rest = page.rest
    guard var body = CatalogBody(answer, asked, bytes: rest.bytes) else {
      throw CatalogError.unreadable(
        url: root.redacted, expected: .anyFormat, found: .noURL)
    }
    body.known = rest.known
    body.read = rest.read
    body.positions = rest.positions
    body.sha256 = page.sent
    // What the sieve has taken out was read as this.
    let format = rest.lacksLines ? .catalog : format
    var decoded = try formats.decode(body, as: format, limits: options.limits)
    try await settleSignature(of: &decoded, body)
    return .fetched(decoded, rest.digest, answer)
  }
}

extension [ListingValidators.Page] {
  /// Gives the first page another URL.
  fileprivate mutating func nameFirst(_ url: String) {
    if !isEmpty { self[0].record.url = url }
  }
}
