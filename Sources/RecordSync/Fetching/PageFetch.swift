import SyncFetching
import SyncFiles
import SyncLock
import SyncText
import SyncTransport

struct PageFetch: Sendable {
  enum Fetched: Sendable {
    case pages(FetchedPages)
    /// The list is as it was: one page.
    case notModified
  }

  let address: RecordAddress
  /// How elements stand in a page.
  let form: PayloadForm
  let environment: SourceEnvironment
  /// Told of each page: how many pages and bytes are there.
  let progress: @Sendable (_ pages: Int, _ bytes: Int) -> Void
  /// Told of what is waited for before a request is made again.
  let onRetry: @Sendable (RecordRetry) -> Void

  /// - Parameter validators: Those of last time, where the server may say that nothing changed.
  /// - Throws: ``PayloadProblem``, or what cancelled it.
  func fetch(_ validators: PageValidators? = nil) async throws -> Fetched {
    let connection = try connect()
    do {
      let fetched = try await fetch(over: connection, validators)
      await connection.close()
      return fetched
    } catch {
      await connection.close()
      throw error
    }
  }

  private func connect() throws -> SourceConnection {
    var options = SourceOptions()
    options.access = address.access
    options.allowedHosts = address.allowedHosts
    options.retries = address.retries
    options.connectionsPerOrigin = 1
    options.adaptsRequests = false
    options.userAgent = "records (OneWaySynchronizer)"
    let shown = URLReference(address.url)?.redacted ?? WebAddress.redact(address.url)
    guard URLReference(address.url)?.isWebAddress ?? false else {
      throw PayloadProblem.source(shown, .badAddress)
    }
    do {
      return try SourceConnection(address.url, options, in: environment) { [onRetry] event in
        guard case .retrying(let address, _, let wait, let reason) = event else { return }
        let shown = WebAddress.redact(address.text)
        onRetry(RecordRetry(address: shown, wait: wait, reason: reason.reason))
      }
    } catch SourceProblem.unreadableFile(let file, let path) {
      throw PayloadProblem.source(shown, .unreadableFile(file, path: path))
    } catch is SourceProblem {
      throw PayloadProblem.source(shown, .badAddress)
    }
  }

  private func fetch(
    over connection: SourceConnection, _ validators: PageValidators?
  ) async throws -> Fetched {
    var chain = PageChain(connection.root)
    var fetched = FetchedPages(in: Spool())
    var counting = address.paging.isCounted ? PageCount(form: form) : nil
    while true {
      let sink = SpoolSink(fetched.spool, next: address.paging.scan, counting)
      var request = ByteRequest(url: chain.current.text)
      request.acceptsCompression = true
      if fetched.pages.isEmpty {
        request.etag = validators?.etag
        request.lastModified = validators?.lastModified
      }
      let shown = chain.current.redacted
      let answer = try await ask(request, shown, of: connection.source, into: sink)
      if answer.isNotModified {
        // A page may follow on one that is as it was.
        guard answer.links.next == nil else { return try await fetch(over: connection, nil) }
        return .notModified
      }
      fetched.validators = fetched.pages.isEmpty ? PageValidators(answer) : nil
      if sink.isPacked, address.paging != .links { throw PayloadProblem.source(shown, .packed) }
      let scan = sink.scan
      let found = scan?.found ?? .nothing
      fetched.add(
        FetchedPages.Page(
          address: shown, range: sink.start..<fetched.spool.count, isFramed: answer.isFramed,
          hasBrokenLinks: answer.links.isBroken && found == .nothing,
          hasNext: scan?.isThere ?? false))
      if let scan, let name = scan.dotted, !scan.isThere {
        throw PayloadProblem.source(shown, .nextHasDots(ByteString.escape(name)))
      }
      progress(fetched.pages.count, fetched.spool.count)
      counting = sink.counting
      let next = try next(found, answer, shown, connection.root, &counting, fetched.pages.count)
      guard try chain.follow(next, from: answer.url) else {
        fetched.mayLack = address.paging.slides && counting?.provesAll != true
        return .pages(fetched)
      }
    }
  }

  private func ask(
    _ request: ByteRequest, _ shown: String, of source: any ByteSource, into sink: SpoolSink
  ) async throws -> ByteAnswer {
    do {
      return try await source.fetch(request, into: sink)
    } catch let error as TransportError {
      var status: Int?
      if case .status(let number) = error.code { status = number }
      throw PayloadProblem.source(shown, .failed(reason: error.reason, status: status))
    } catch let error as Errno {
      throw PayloadProblem.source(shown, .noRoom(reason: error.text))
    }
  }

  /// What the elements of a page tell of the next one, where that is asked.
  private func told(
    _ counting: inout PageCount?, _ shown: String
  ) throws(PayloadProblem) -> PageCount.Told? {
    let page: PageCount.Told?
    do throws(PayloadProblem) {
      page = try counting?.end()
    } catch {
      throw .page(shown, error)
    }
    if page?.isAlone == true { throw .source(shown, .noList) }
    if page?.isOld == true { throw .pageTwice(shown) }
    return page
  }

  /// The address of the page that follows on one; what a body names goes before what `Link` does.
  private func next(
    _ found: NextScan.Found, _ answer: ByteAnswer, _ shown: String, _ first: URLReference,
    _ counting: inout PageCount?, _ pages: Int
  ) throws(PayloadProblem) -> String? {
    if found == .other {
      throw .source(shown, .nextIsNoText(address.paging.path?.text ?? ""))
    }
    let page = try told(&counting, shown)
    switch address.paging {
    case .links: return answer.links.next
    case .next:
      guard case .number = found else { return found.text ?? answer.links.next }
      throw .source(shown, .nextIsNoText(address.paging.path?.text ?? ""))
    case .cursor(_, let parameter):
      return found.text.map { first.setting(parameter, to: $0).text }
    case .after(let parameter):
      guard let page, page.count > 0, !page.saysLast else { return nil }
      guard let key = page.lastKey else { throw .source(shown, .lastHasNoKey) }
      return first.setting(parameter, to: key).text
    case .offset(let parameter):
      guard let page, page.count > 0 else { return nil }
      let start = first.number(of: parameter) ?? 0
      return first.setting(parameter, to: "\(start + (counting?.count ?? 0))").text
    case .page(let parameter):
      guard let page, page.count > 0 else { return nil }
      return first.setting(parameter, to: "\((first.number(of: parameter) ?? 1) + pages)").text
    }
  }
}

extension PageValidators {
  /// Those that prove something; `nil` where there are none.
  fileprivate init?(_ answer: ByteAnswer) {
    guard answer.provenETag ?? answer.provenLastModified != nil else { return nil }
    self.init(etag: answer.provenETag, lastModified: answer.provenLastModified)
  }
}

private final class SpoolSink: ByteSink {
  private struct State {
    var start: Int
    var scan: NextScan?
    var counting: PageCount?
    /// The first bytes of the body.
    var head: [UInt8] = []
  }

  private let spool: Spool
  /// What looks for the next page, before it has read anything.
  private let next: NextScan?
  private let state: Locked<State>

  init(_ spool: Spool, next: NextScan?, _ counting: PageCount?) {
    self.spool = spool
    self.next = next
    state = Locked(State(start: spool.count, scan: next, counting: counting))
    state.withLock { $0.counting?.begin() }
  }

  var start: Int { state.withLock { $0.start } }

  var scan: NextScan? { state.withLock { $0.scan } }

  var counting: PageCount? { state.withLock { $0.counting } }

  /// Whether the body itself is gzip, in which nothing is looked for here.
  var isPacked: Bool { state.withLock { UnpackedSource.isPacked($0.head) } }

  func begin(_ answer: ByteAnswer) {
    state.withLock { state in
      (state.start, state.scan) = (spool.count, next)
      state.head = []
      state.counting?.begin()
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try spool.write(bytes)
    state.withLock { state in
      if state.head.count < 2 { state.head += bytes.prefix(2) }
      state.scan?.read(bytes)
      state.counting?.read(bytes)
    }
  }
}

extension SourceEnvironment {
  static var real: SourceEnvironment {
    SourceEnvironment(
      clock: ContinuousClock(), random: { .random(in: 0..<1) },
      makeTransport: { CurlTransport($0) }, makeDiskQueue: { DispatchDiskQueue() },
      fileSystem: SystemFileSystem())
  }
}
