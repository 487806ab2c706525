import SyncFetching
import SyncFiles
import SyncLock
import SyncText
import SyncTransport

struct PageFetch: Sendable {
  enum Fetched: Sendable {
    case pages(FetchedPages)
    /// The first page is as it was.
    case notModified
  }

  let address: RecordAddress
  let environment: SourceEnvironment
  /// Told of each page: how many pages and bytes are there.
  let progress: @Sendable (_ pages: Int, _ bytes: Int) -> Void

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
      return try SourceConnection(address.url, options, in: environment) { _ in }
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
    while true {
      let sink = SpoolSink(fetched.spool, next: address.next)
      var request = ByteRequest(url: chain.current.text)
      request.acceptsCompression = true
      if fetched.pages.isEmpty {
        request.etag = validators?.etag
        request.lastModified = validators?.lastModified
      }
      let shown = chain.current.redacted
      let answer = try await ask(request, shown, of: connection.source, into: sink)
      if answer.isNotModified { return .notModified }
      if fetched.pages.isEmpty { fetched.validators = PageValidators(answer) }
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
      let next = try next(found, answer, shown)
      guard try chain.follow(next, from: answer.url) else { return .pages(fetched) }
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

  /// What the body names goes before what the header does.
  private func next(
    _ found: NextScan.Found, _ answer: ByteAnswer, _ shown: String
  ) throws(PayloadProblem) -> String? {
    switch found {
    case .text(let next): return next
    case .nothing: return answer.links.next
    case .other: throw .source(shown, .nextIsNoText(address.next?.text ?? ""))
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
  }

  private let spool: Spool
  private let next: PayloadPath?
  private let state: Locked<State>

  init(_ spool: Spool, next: PayloadPath?) {
    self.spool = spool
    self.next = next
    state = Locked(State(start: spool.count, scan: next.map { NextScan($0) }))
  }

  var start: Int { state.withLock { $0.start } }

  var scan: NextScan? { state.withLock { $0.scan } }

  func begin(_ answer: ByteAnswer) {
    state.withLock { $0 = State(start: spool.count, scan: next.map { NextScan($0) }) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try spool.write(bytes)
    state.withLock { $0.scan?.read(bytes) }
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

/// Which page of a chain comes next. A value without I/O.
struct PageChain: Equatable {
  private var asked: Set<String>
  private(set) var count = 1
  private(set) var current: URLReference
  private let isSecure: Bool

  /// A server that makes up pages without end shall not fill the disk.
  static let most = 100_000

  init(_ first: URLReference) {
    current = first
    asked = [first.text]
    isSecure = first.scheme == "https"
  }

  /// Steps to the page that the last one names, as text that may be relative to the address that
  /// answered. `false` when there is none.
  mutating func follow(_ next: String?, from answered: String) throws(PayloadProblem) -> Bool {
    guard let next else { return false }
    let base = URLReference(answered) ?? current
    guard let target = URLReference(next)?.resolved(against: base), target.isWebAddress,
      !target.hasUserInfo, !isSecure || target.scheme == "https"
    else { throw .source(current.redacted, .nextPage(ByteString.escape(next))) }
    guard asked.insert(target.text).inserted else { throw .pageTwice(target.redacted) }
    guard count < Self.most else { throw .source(current.redacted, .tooManyPages(Self.most)) }
    count += 1
    current = target
    return true
  }
}

extension URLReference {
  var isWebAddress: Bool {
    (scheme == "http" || scheme == "https") && !(authority ?? "").isEmpty
  }
}
