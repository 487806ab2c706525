import SyncFetching
import SyncLock
import SyncText
import SyncTransport

/// Fetches one page of a catalog after the other, from wherever it can be had, and reads it.
struct PageFetch: Sendable {
  let catalog: CatalogSource
  /// What all pages of the catalog may take together.
  let allowance: ByteAllowance
  let known: KnownOnce
  let tellsLines: Bool
  /// Whether caches on the way are passed by, as one of them may have given an earlier state.
  let bypassesCaches: Bool
  let held: @Sendable (CatalogKey) async throws -> IndexedContent?
  let entries: @Sendable ([CatalogKey]) async throws -> [CatalogKey: CatalogEntry]
  /// Whose the names are that templates made on earlier pages. An item's name needn't be that of
  /// its identifier then, and what a later page says isn't of the same item.
  let named = Locked<[CatalogKey: String]>([:])

  /// Asks at one address after the other, until one gives the page. Where nobody knows what it has
  /// to be, only what isn't there is looked for elsewhere.
  func end(
    of asked: CatalogRequest, validatedBy page: ListingValidators.Page?,
    as format: CatalogFormatName?
  ) async throws -> PageEnd {
    let first = try await firstEnd(of: asked, validatedBy: page, as: format)
    var end = first
    for url in asked.alternatives
    where asked.sha256 == nil ? end.absence != nil : end.isFailure {
      var other = asked
      other.url = url
      let next = try await firstEnd(of: other, validatedBy: nil, as: format).ofAnotherAddress
      // What may be there and be forbidden is told rather than what isn't there.
      if end.absence?.isCertain ?? true || next.absence == nil { end = next }
    }
    if let refusal = try await refusal(of: end, inPlaceOf: first) { return refusal }
    guard let absence = end.absence, absence.isCertain,
      let format = format.flatMap({ catalog.formats[name: $0] }),
      let error = format.problem(ofNothingAt: asked, because: absence.event)
    else { return end }
    return .unreadable(error)
  }

  /// A page that is read where another file isn't there says that this one is gone. Where the copy
  /// holds it, it may only be missing for a moment, as where a suite is being published.
  private func refusal(of end: PageEnd, inPlaceOf first: PageEnd) async throws -> PageEnd? {
    guard case .fetched(let page, _, let answer) = end, let absence = first.absence,
      let key = page.terms.standsFor, try await held(key) != nil
    else { return nil }
    let other = URLReference(answer.url)?.redacted ?? catalog.root.redacted
    return .unfetched(
      """
      \(absence.event), and the copy holds it from before; try again later, or let the folder \
      follow \(other) if it is gone for good
      """, .acceptOtherCatalog, nil)
  }

  private func firstEnd(
    of asked: CatalogRequest, validatedBy page: ListingValidators.Page?,
    as format: CatalogFormatName?
  ) async throws -> PageEnd {
    // A page that was asked for by its digest is as good as the page that names it.
    let keys = asked.sha256 == nil ? catalog.verifyKeys : nil
    let sink = PageSink(allowance, packing: asked.packing, size: asked.size) {
      [catalog, known, tellsLines] answer in
      LineSieve(
        known.lines, gate: PieceGate(catalog.options.limits, of: answer), signedBy: keys,
        at: URLReference(answer.url)?.redacted ?? catalog.root.redacted
      ) { firstLine in
        guard let body = CatalogBody(answer, asked, bytes: firstLine) else { return nil }
        var lines = catalog.formats.lines(of: body, as: format, limits: catalog.options.limits)
        lines?.tellsEntries = tellsLines
        return lines
      }
    }
    var request = ByteRequest(asked, validatedBy: page)
    request.bypassesCaches = bypassesCaches
    do {
      let answer = try await catalog.source.fetch(request, into: sink)
      catalog.onPage(asked.url, answer.isNotModified)
      guard !answer.isNotModified else { return Self.notModified(answer, to: request) }
      let page = try sink.take()
      guard asked.sha256.map({ $0 == page.sent }) ?? true else {
        let shown = URLReference(asked.url)?.redacted ?? catalog.root.redacted
        throw CatalogError.pagesDisagree(url: shown, about: .digest)
      }
      return try await decode(page, answer, to: asked, as: format)
    } catch let error as CatalogError {
      // Whoever gives up reading says so in his own words.
      try Task.checkCancellation()
      return .unreadable(error)
    } catch let error as TransportError {
      return .unfetched(error.reason, error.advice, error.absence)
    } catch let error as FileSourceError {
      let absence = error.absence.map { PageEnd.Absence(event: $0, isCertain: true) }
      return .unfetched(error.reason, error.isFolder ? .publishFolder : nil, absence)
    }
  }

  /// Of a server that says so unasked nobody knows what it means.
  private static func notModified(_ answer: ByteAnswer, to request: ByteRequest) -> PageEnd {
    guard request.etag != nil || request.lastModified != nil else {
      return .unfetched("it answered 304 to a request without conditions", nil, nil)
    }
    return .notModified(answer)
  }

  private func decode(
    _ page: PageSink.Page, _ answer: ByteAnswer, to asked: CatalogRequest,
    as format: CatalogFormatName?
  ) async throws -> PageEnd {
    let rest = page.rest
    guard var body = CatalogBody(answer, asked, bytes: rest.bytes) else {
      throw CatalogError.unreadable(
        url: catalog.root.redacted, expected: .anyFormat, found: .noURL)
    }
    body.known = rest.known
    body.read = rest.read
    body.positions = rest.positions
    body.sha256 = page.sent
    body.isMeasured = true
    // What the sieve has taken out was read as this.
    let format = rest.lacksLines ? .catalog : format
    var decoded = try catalog.formats.decode(body, as: format, limits: catalog.options.limits)
    try catalog.settle(rest.signed, of: &decoded, body)
    try await catalog.settleSignature(of: &decoded, body)
    try await catalog.settleForms(of: &decoded, body, held: held)
    var answer = answer
    // Every byte of it is there that was signed, however it came.
    if !decoded.header.verifiedBy.isEmpty { answer.isFramed = true }
    if try await !catalog.settleDirectories(of: &decoded) {
      // What wasn't told is asked again next time, though the page may be the same.
      (answer.etag, answer.lastModified) = (nil, nil)
    }
    if !decoded.items.isEmpty {
      let held = try await entries(decoded.decidingKeys)
      named.withLock { decoded.nameItems(held: held, named: &$0) }
    }
    return .fetched(decoded, rest.digest, answer)
  }
}

/// What asking for one page came to.
indirect enum PageEnd: Sendable {
  case fetched(CatalogPage, SHA256Digest, ByteAnswer)
  case notModified(ByteAnswer)
  /// It can't be had; why, which option may help, and whether the source says that it isn't there.
  case unfetched(String, MirrorAdvice?, Absence?)
  case unreadable(CatalogError)

  struct Absence: Equatable, Sendable {
    var event: String
    /// Whether it says just that. Servers of buckets say of what isn't there that it is forbidden,
    /// to who may not list.
    var isCertain: Bool
  }

  var isFailure: Bool {
    switch self {
    case .fetched, .notModified: false
    case .unfetched, .unreadable: true
    }
  }

  /// What the source says, where it says that there is nothing.
  var absence: Absence? {
    if case .unfetched(_, _, let absence) = self { absence } else { nil }
  }

  /// The same without the validators of an answer from another address than the first, which is
  /// the one that is asked with them next time.
  var ofAnotherAddress: PageEnd {
    guard case .fetched(let page, let digest, var answer) = self else { return self }
    (answer.etag, answer.lastModified) = (nil, nil)
    return .fetched(page, digest, answer)
  }
}

extension TransportError {
  /// What a server says of whether there is anything; `nil` where it says nothing of that, as who
  /// forbids it for a while.
  var absence: PageEnd.Absence? {
    switch code {
    case .status(404), .status(410): PageEnd.Absence(event: event, isCertain: true)
    case .status(403) where !isTransient: PageEnd.Absence(event: event, isCertain: false)
    default: nil
    }
  }
}
