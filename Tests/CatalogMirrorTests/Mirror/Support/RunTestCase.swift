import Foundation
import SyncLock
import SyncTransport
import SynchronizerTesting
import TransportTesting
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFiles
@testable import SyncFolder

/// A test that runs whole mirrors: a site in memory, a folder of published files, and a mirror of
/// either.
class RunTestCase: XCTestCase {
  let site = Site()
  let clock = ManualClock()
  /// The date that the mirror sees.
  let now = Locked(1_738_324_800.0)
  private(set) var base = ""
  var folder: String { base + "/folder" }
  var published: String { base + "/published" }
  static let root = "https://mirror.test/pub/"
  static let catalogURL = root + "catalog.ndjson"

  override func setUpWithError() throws {
    base = try temporaryFolder().path
    try makeFolder(at: published)
  }

  var environment: MirrorEnvironment {
    var environment = MirrorEnvironment()
    environment.now = { [now] in now.withLock { $0 } }
    environment.clock = clock
    environment.random = { 1 }
    environment.makeTransport = { [site] _ in site }
    environment.makeDiskQueue = { PromptDiskQueue() }
    environment.folding = NameFolding.none
    environment.indexPatience = .milliseconds(50)
    return environment
  }

  /// A mirror of the site.
  func mirror(_ change: (inout MirrorOptions) -> Void = { _ in }) -> FolderMirror {
    var options = MirrorOptions(catalog: Self.catalogURL, folder: folder)
    options.retries = 0
    options.durability = .none
    change(&options)
    return FolderMirror(options, in: environment)
  }

  /// A run, of `things` where they are given, which are served first; and how it has to end, where
  /// that is said.
  @discardableResult
  func sync(
    to things: [Thing]? = nil, isComplete: Bool = true, header: String = "", etag: String? = nil,
    ending outcome: MirrorReport.Outcome? = nil, line: UInt = #line,
    _ change: (inout MirrorOptions) -> Void = { _ in }
  ) async throws -> MirrorReport {
    if let things { try serve(things, isComplete: isComplete, header: header, etag: etag) }
    site.forgetLog()
    let report = try await mirror(change).sync()
    if let outcome { assertEnds(report, outcome, line: line) }
    return report
  }

  /// A run that has to come to a good end, and nothing failed.
  @discardableResult
  func syncWell(
    to things: [Thing]? = nil, isComplete: Bool = true, header: String = "", etag: String? = nil,
    line: UInt = #line, _ change: (inout MirrorOptions) -> Void = { _ in }
  ) async throws -> MirrorReport {
    let report = try await sync(
      to: things, isComplete: isComplete, header: header, etag: etag, ending: .done, line: line,
      change)
    XCTAssertEqual(report.failures, [], line: line)
    return report
  }

  /// A run that finds nothing new.
  func syncUnchanged(line: UInt = #line) async throws {
    assertTrue(try await syncWell(line: line).wasUnchanged, line: line)
  }

  func assertEnds(
    _ report: MirrorReport, _ outcome: MirrorReport.Outcome = .done, line: UInt = #line
  ) {
    XCTAssertEqual(report.outcome, outcome, "\(report.failures)", line: line)
  }

  var fileCatalog: String { "file://\(published)/catalog.ndjson" }

  /// Publishes a catalog and the bytes of its items on the site; what was there before is gone.
  func serve(
    _ things: [Thing], isComplete: Bool = true, header: String = "", etag: String? = nil
  ) throws {
    site.clear()
    let text = try catalog(things, isComplete: isComplete, header: header)
    try serveCatalog(text, etag: etag)
    for thing in things {
      for url in thing.urls ?? [Self.root + thing.key] {
        guard let address = try? WebAddress(Self.catalogURL).resolving(url) else { continue }
        try site.answer(address.text, .text(thing.text))
      }
      guard let preview = thing.preview else { continue }
      var answer = Site.Answer.text(preview.text)
      if let type = preview.mediaType { answer.headers.add("Content-Type", type) }
      try site.answer(try WebAddress(Self.catalogURL).resolving(preview.url).text, answer)
    }
  }

  func serveCatalog(_ text: String, etag: String? = nil) throws {
    var answer = Site.Answer.text(text, ("Content-Type", "application/x-ndjson"))
    if let etag { answer.headers.add("ETag", etag) }
    try site.answer(Self.catalogURL, answer)
  }

  /// Publishes a catalog and the bytes of its items as files.
  func publish(_ things: [Thing]) throws {
    for thing in things { try put(thing.text, at: "\(published)/\(thing.key)") }
    try put(catalog(things), at: published + "/catalog.ndjson")
  }
}

/// A queue that works at once and closes a batch only when it is full or drained.
struct PromptDiskQueue: DiskQueue {
  private let queue = DispatchDiskQueue()

  func enqueue(_ work: @escaping @Sendable () -> Void) { queue.enqueue(work) }

  func enqueue(after delay: Duration, _ work: @escaping @Sendable () -> Void) {}
}
