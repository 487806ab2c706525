import Foundation
import SyncLock
import SyncTransport
import SynchronizerTesting
import TransportTesting
import XCTest

@testable import CatalogMirror

/// A file on a site whose server gives any range of it, and the whole where `If-Range` says that it
/// was another one. Everything else is the site's.
final class RangedFile: Transport {
  /// A request for the file.
  struct Asked: Equatable {
    var range: String?
    var condition: String?
  }

  typealias Change =
    @Sendable (_ answer: inout MemoryTransport.Answer, _ number: Int) throws -> Void

  fileprivate struct State {
    var bytes: [UInt8] = []
    var etag = "\"1\""
    var asked: [Asked] = []
    var change: Change = { _, _ in }
  }

  let site: Site
  let url: String
  /// Whether one connection carries all requests at once, as over HTTP/2.
  let isMultiplexed = Locked(false)
  private let state: Locked<State>

  init(_ text: String, at url: String, on site: Site) {
    (self.site, self.url) = (site, url)
    state = Locked(State(bytes: Array(text.utf8)))
  }

  /// Has it be another text under another tag.
  func become(_ text: String, etag: String) {
    state.withLock { ($0.bytes, $0.etag) = (Array(text.utf8), etag) }
  }

  /// Changes each answer; its number counts from 1.
  func onAnswer(_ change: @escaping Change) {
    state.withLock { ($0.change, $0.asked) = (change, []) }
  }

  var asked: [Asked] { state.withLock { $0.asked } }

  /// The ranges of the requests, in order.
  var ranges: [String?] { asked.map(\.range) }

  func exchange(
    _ request: HTTPRequest, into receiver: any BodyReceiver
  ) async throws -> HTTPResponse {
    let response = try await answer(request, into: receiver)
    let head = response.head
    return HTTPResponse(
      head: HTTPHead(
        address: head.address, status: head.status, headers: head.headers,
        framing: head.framing, isMultiplexed: isMultiplexed.withLock { $0 }),
      bodyBytes: response.bodyBytes)
  }

  private func answer(
    _ request: HTTPRequest, into receiver: any BodyReceiver
  ) async throws -> HTTPResponse {
    guard request.address.text == url else {
      return try await site.exchange(request, into: receiver)
    }
    let (answer, number, change) = state.withLock { state in
      let asked = Asked(
        range: request.headers["Range"], condition: request.headers["If-Range"])
      state.asked.append(asked)
      return (state.answer(to: asked), state.asked.count, state.change)
    }
    var changed = answer
    try change(&changed, number)
    let memory = MemoryTransport()
    memory.answer(request.address, with: changed)
    return try await memory.exchange(request, into: receiver)
  }
}

extension RangedFile.State {
  fileprivate func answer(to asked: RangedFile.Asked) -> MemoryTransport.Answer {
    var answer = Site.Answer(headers: HTTPHeaders([("ETag", etag)]), body: bytes)
    guard let range = asked.range, asked.condition ?? etag == etag else { return answer }
    let ends = range.dropFirst("bytes=".count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard let start = Int(ends[0]), start < bytes.count else { return .status(416) }
    let end = min(Int(ends[1]) ?? .max, bytes.count - 1)
    answer.status = 206
    answer.body = Array(bytes[start...end])
    answer.headers.add("Content-Range", "bytes \(start)-\(end)/\(bytes.count)")
    return answer
  }
}

/// A test of a file that may come in parts.
class PartsTestCase: RunTestCase {
  static let whole = longText()
  var whole: String { Self.whole }
  var size: Int { whole.utf8.count }
  lazy var file = RangedFile(whole, at: Self.root + "a", on: site)
  let sizes = Locked(PartSizes(worthwhile: 1_000_000, least: 256 << 10, most: 1 << 20))

  override var environment: MirrorEnvironment {
    var environment = super.environment
    let file = file
    environment.makeTransport = { _ in file }
    environment.partSizes = sizes.withLock { $0 }
    return environment
  }

  /// Serves the file with a catalog that says of it what `change` leaves.
  func serveFile(_ change: (inout Thing) -> Void = { _ in }) throws {
    try serve([
      Thing("a", whole) {
        $0.version = "1"
        change(&$0)
      }
    ])
    file.become(whole, etag: "\"1\"")
    file.onAnswer { _, _ in }
  }

  /// A first run, into a new folder, of which the site says what `change` leaves, and that comes to
  /// a good end.
  @discardableResult
  func fetchAnew(
    streams: Int = 3, line: UInt = #line, _ change: @escaping RangedFile.Change
  ) async throws -> MirrorReport {
    try? FileManager.default.removeItem(atPath: folder)
    try serveFile()
    file.onAnswer(change)
    let mirror = mirror { $0.streams = streams }
    let report = try await mirror.sync()
    assertEnds(report, .done, line: line)
    XCTAssertTrue(try tree() == ["a": whole], "other bytes", line: line)
    XCTAssertEqual(mirror.progress.bytesDone, Int64(size), line: line)
    XCTAssertEqual(mirror.progress.bytesTotal, Int64(size), line: line)
    XCTAssertEqual(report.bytes, Int64(size), line: line)
    XCTAssertEqual(try staged(), [], line: line)
    try await assertIndexIsTrue(line: line)
    return report
  }

  func staged() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder + "/.mirror/staging")
  }
}
