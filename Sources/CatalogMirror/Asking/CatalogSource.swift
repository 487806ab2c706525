import SyncLedger
import SyncLock
import SyncTransport
import SyncText
import SyncFetching
import SyncFolder

/// Fetches a catalog, page by page as ``ListingAssembly`` decides, and gives the listing.
struct CatalogSource: Sendable {
  /// A listing, and the validators of its pages for next time: the first, the catalog itself, is
  /// named without its query, which may hold a secret.
  struct Fetched: Equatable, Sendable {
    var listing: Listing
    var pages: [ListingValidators.Page]
  }

  /// What one page came to.
  private enum PageEnd: Sendable {
    case fetched(CatalogPage, SHA256Digest, ByteAnswer)
    case notModified(ByteAnswer)
    case unfetched(String, MirrorAdvice?)
    case unreadable(CatalogError)
  }

  /// Pages that are fetched side by side.
  static let width = 8

  let source: any ByteSource
  let root: URLReference
  let options: ListingAssembly.Options
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
    var before = before
    before.recorded?.pages.nameFirst(root.text)
    var fetched = try await list(before)
    fetched.pages.nameFirst(root.redacted)
    return fetched
  }

  private func list(_ before: Before) async throws -> Fetched {
    let recorded = before.recorded
    let validators = Dictionary(
      (recorded?.pages ?? []).map { ($0.url, $0) }, uniquingKeysWith: { first, _ in first })
    var assembly = ListingAssembly(
      root: root, options: options,
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
            let page = request.isConditional ? validators[request.url] : nil
            return (
              request.url,
              try await end(
                of: request.url, validatedBy: page, as: format, within: allowance, known: known)
            )
          }
        }
        guard let (url, end) = try await group.next() else {
          preconditionFailure("the assembly waits for pages that nobody fetches")
        }
        underWay -= 1
        action = Self.tell(&assembly, url, end, &answers)
      }
    }
    let pages = listing.pages.map { record in
      Self.page(record, answers[record.url], recorded: validators[record.url])
    }
    return Fetched(listing: listing, pages: pages)
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
    case .unfetched(let reason, let advice):
      return assembly.unfetched(url, reason: reason, advice: advice)
    case .unreadable(let error): return assembly.unreadable(url, error)
    }
  }

  private func end(
    of url: String, validatedBy page: ListingValidators.Page?, as format: CatalogFormat.Name?,
    within allowance: ByteAllowance, known: KnownOnce
  ) async throws -> PageEnd {
    let sink = PageSink(allowance) { [options] answer in
      LineSieve(known.lines) { firstLine in
        CatalogBody(answer, bytes: firstLine).flatMap {
          CatalogFormats.standard.lines(of: $0, as: format, limits: options.limits)
        }
      }
    }
    var request = ByteRequest(url: url)
    request.acceptsCompression = true
    request.etag = page?.etag
    request.lastModified = page?.lastModified
    do {
      let answer = try await source.fetch(request, into: sink)
      onPage(url, answer.isNotModified)
      if answer.isNotModified { return .notModified(answer) }
      return try decode(sink.take(), answer, as: format)
    } catch let error as CatalogError {
      return .unreadable(error)
    } catch let error as TransportError {
      return .unfetched(error.reason, error.advice)
    } catch let error as FileSourceError {
      return .unfetched(error.reason, nil)
    }
  }

  private func decode(
    _ rest: LineSieve.Rest, _ answer: ByteAnswer, as format: CatalogFormat.Name?
  ) throws -> PageEnd {
    guard var body = CatalogBody(answer, bytes: rest.bytes) else {
      throw CatalogError.unreadable(
        url: root.redacted, expected: .anyFormat, found: .noURL)
    }
    body.known = rest.known
    body.positions = rest.positions
    // What the sieve has taken out was read as this.
    let format = body.known.isEmpty ? format : .catalog
    let page = try CatalogFormats.standard.decode(body, as: format, limits: options.limits)
    return .fetched(page, rest.digest, answer)
  }
}

extension CatalogBody {
  /// A body that came with this answer; `nil` when nobody could tell where from.
  fileprivate init?(_ answer: ByteAnswer, bytes: [UInt8]) {
    guard let url = URLReference(answer.url) else { return nil }
    self.init(
      url: url, mediaType: answer.mediaType, date: answer.date, nextLink: answer.nextLink,
      bytes: bytes)
  }
}

extension [ListingValidators.Page] {
  /// Gives the first page another URL.
  fileprivate mutating func nameFirst(_ url: String) {
    if !isEmpty { self[0].record.url = url }
  }
}

/// What all pages of a listing may still take: pages without end must not fill the memory, however
/// small each of them is.
private final class ByteAllowance: Sendable {
  let limit: Int
  private let left: Locked<Int>

  init(_ limit: Int) {
    self.limit = limit
    left = Locked(limit)
  }

  /// Takes so many, or none where there aren't so many left.
  func take(_ count: Int) -> Bool {
    left.withLock { left in
      guard count <= left else { return false }
      left -= count
      return true
    }
  }

  /// Gives back what was taken for a body that starts over.
  func giveBack(_ count: Int) {
    left.withLock { $0 += count }
  }
}

/// The lines that are known, looked up for the first body that they are of use for.
private final class KnownOnce: Sendable {
  private let find: @Sendable () throws -> KnownLines
  private let found = Locked<KnownLines?>(nil)

  init(_ find: @escaping @Sendable () throws -> KnownLines) {
    self.find = find
  }

  func lines() throws -> KnownLines {
    try found.withLock { found in
      let lines = try found ?? find()
      found = lines
      return lines
    }
  }
}

/// Collects and hashes one page, without the lines that are known.
private final class PageSink: ByteSink {
  private struct State {
    var url = ""
    var count = 0
    var sieve = LineSieve({ .none }, opened: { _ in nil })
  }

  private let allowance: ByteAllowance
  private let makeSieve: @Sendable (ByteAnswer) -> LineSieve
  private let state = Locked(State())

  init(
    _ allowance: ByteAllowance, sieve: @escaping @Sendable (ByteAnswer) -> LineSieve
  ) {
    self.allowance = allowance
    makeSieve = sieve
  }

  func begin(_ answer: ByteAnswer) throws {
    let sieve = makeSieve(answer)
    state.withLock { state in
      allowance.giveBack(state.count)
      state = State(url: URLReference(answer.url)?.redacted ?? "", sieve: sieve)
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try state.withLock { state in
      guard allowance.take(bytes.count) else {
        throw CatalogError.limit(url: state.url, .bytes, most: allowance.limit)
      }
      state.count += bytes.count
      try state.sieve.take(bytes)
    }
  }

  /// What came; nothing is left after that.
  func take() -> LineSieve.Rest {
    state.withLock { state in
      defer { state = State() }
      return state.sieve.finish()
    }
  }
}
