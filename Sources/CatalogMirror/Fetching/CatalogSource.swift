import SyncLock
import SyncTransport

/// Fetches a catalog, page by page as ``ListingAssembly`` decides, and gives the listing.
struct CatalogSource: Sendable {
  /// A listing, and the validators of its pages for next time: the first, the catalog itself, is
  /// named without its query, which may hold a secret.
  struct Fetched: Sendable {
    var listing: Listing
    var pages: [ListingValidators.Page]
  }

  /// What one page came to.
  private enum PageEnd: Sendable {
    case fetched(CatalogPage, SHA256Digest, ByteAnswer)
    case notModified(ByteAnswer)
    case unfetched(String)
    case unreadable(CatalogError)
  }

  /// Pages that are fetched side by side.
  static let width = 8

  let source: any ByteSource
  let root: URLReference
  let options: ListingAssembly.Options
  let onPage: @Sendable (_ url: String, _ isNotModified: Bool) -> Void

  /// Fetches the listing; asks conditionally where `recorded`, the pages of last time, has
  /// validators. `highestRevision` is the highest ordered one that was seen here.
  /// - Throws: ``CatalogError``, or what cancelled it.
  func fetch(
    recorded: ListingValidators?, highestRevision: Int64? = nil
  ) async throws -> Fetched {
    var recorded = recorded
    recorded?.pages.nameFirst(root.text)
    var fetched = try await list(recorded, highestRevision: highestRevision)
    fetched.pages.nameFirst(root.redacted)
    return fetched
  }

  private func list(
    _ recorded: ListingValidators?, highestRevision: Int64?
  ) async throws -> Fetched {
    let validators = Dictionary(
      (recorded?.pages ?? []).map { ($0.url, $0) }, uniquingKeysWith: { first, _ in first })
    var assembly = ListingAssembly(
      root: root, options: options,
      recorded: recorded.map {
        RecordedListing(
          pages: $0.pages.map(\.record),
          revision: $0.revision.flatMap(CatalogRevision.init(stored:)))
      }, highestRevision: highestRevision)
    var answers: [String: ByteAnswer] = [:]
    let allowance = ByteAllowance(options.limits.bytes)
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
                of: request.url, validatedBy: page, as: format, within: allowance)
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
    case .unfetched(let reason): return assembly.unfetched(url, reason: reason)
    case .unreadable(let error): return assembly.unreadable(url, error)
    }
  }

  private func end(
    of url: String, validatedBy page: ListingValidators.Page?, as format: CatalogFormat.Name?,
    within allowance: ByteAllowance
  ) async throws -> PageEnd {
    let sink = PageSink(allowance)
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
      return .unfetched("\(error.reason)")
    } catch let error as FileSourceError {
      return .unfetched(error.reason)
    }
  }

  private func decode(
    _ taken: (bytes: [UInt8], digest: SHA256Digest), _ answer: ByteAnswer,
    as format: CatalogFormat.Name?
  ) throws -> PageEnd {
    guard let url = URLReference(answer.url) else {
      throw MirrorError.badCatalogAddress("the catalog")
    }
    let body = CatalogBody(
      url: url, mediaType: answer.mediaType, date: answer.date, nextLink: answer.nextLink,
      bytes: taken.bytes)
    let page = try CatalogFormats.standard.decode(body, as: format, limits: options.limits)
    return .fetched(page, taken.digest, answer)
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

/// Collects and hashes one page.
private final class PageSink: ByteSink {
  private struct State {
    var url = ""
    var bytes: [UInt8] = []
  }

  private let allowance: ByteAllowance
  private let state = Locked(State())

  init(_ allowance: ByteAllowance) {
    self.allowance = allowance
  }

  func begin(_ answer: ByteAnswer) throws {
    state.withLock { state in
      allowance.giveBack(state.bytes.count)
      state = State(url: URLReference(answer.url)?.redacted ?? "")
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try state.withLock { state in
      guard allowance.take(bytes.count) else {
        throw CatalogError.limit(url: state.url, what: "bytes", most: allowance.limit)
      }
      state.bytes.append(contentsOf: bytes)
    }
  }

  /// The whole body and its digest.
  func take() -> (bytes: [UInt8], digest: SHA256Digest) {
    let bytes = state.withLock { $0.bytes }
    var hasher = SHA256Hasher()
    bytes.withUnsafeBytes { hasher.update($0) }
    return (bytes, hasher.finish())
  }
}
