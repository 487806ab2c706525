import Console
import Foundation
import SyncFiles
import SyncLock
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import mirror

/// Metrics that are written into a FIFO.
///
/// It was opened and written while a lock was held, and on one of Swift's few threads: all runs
/// that ended, and a reload, waited for its reader, ten seconds each, one after the other.
final class MetricsPipeTests: XCTestCase {
  private let end = RunEnd(
    status: .done, report: MirrorReport(outcome: .done), startedAt: 100, duration: .zero)
  private var path = ""

  override func setUpWithError() throws {
    path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    XCTAssertEqual(mkfifo(path, 0o600), 0)
  }

  override func tearDown() {
    unlink(path)
  }

  /// Opens the FIFO to read it.
  private func reader() -> Int32 { open(path, O_RDONLY | O_NONBLOCK) }

  /// What the FIFO holds.
  private func text(of reader: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(reader, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  private func unread(_ path: String) -> [String] {
    ["the file of metrics '\(path)' can't be written: nobody reads it"]
  }

  func testThatNobodyReadsIsSaid() async {
    let file = MetricsFile(path, until: { _ in true })
    await assertEqual(file.note("a", end), unread(path))
  }

  func testWhileAReaderIsWaitedForMirrorsAreKeptAndRunsEnd() async {
    let (looks, look) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let file = MetricsFile(
      path,
      until: { _ in
        look.yield()
        return false
      })
    let first = Task { [end] in await file.note("a", end) }
    for await _ in looks { break }
    file.keep(["b"])
    let second = Task { [end] in await file.note("b", end) }
    let reader = reader()
    defer { close(reader) }
    let troubles = await first.value + second.value
    XCTAssertEqual(troubles, [])
    XCTAssertTrue(text(of: reader).contains("mirror=\"b\""))
  }

  func testACancelledRunWaitsForNoReader() async {
    let file = MetricsFile(path, until: { _ in false })
    let run = Task { [end] in await file.note("a", end) }
    run.cancel()
    await assertEqual(run.value, unread(path))
  }

  func testRunsThatEndWhileAReaderIsWaitedForAreToldAtOnce() async {
    let (queue, reader) = (HeldQueue(), reader())
    defer { close(reader) }
    let file = MetricsFile(path, on: OutputQueue(queue))
    let runs = ["a", "b", "c"].map { name in Task { [end] in await file.note(name, end) } }
    await queue.holds(3)
    queue.letGo()
    for run in runs { _ = await run.value }
    let text = text(of: reader)
    XCTAssertEqual(text.components(separatedBy: "# TYPE mirror_last_run_items").count, 2, text)
    for name in ["a", "b", "c"] { XCTAssertTrue(text.contains("mirror=\"\(name)\""), text) }
  }

  func testThatNobodyReadsIsSaidOfEachRunAndWaitedForOnce() async {
    let (queue, looks) = (HeldQueue(), Locked(0))
    let file = MetricsFile(
      path, on: OutputQueue(queue),
      until: { _ in
        looks.withLock { $0 += 1 }
        return true
      })
    let runs = ["a", "b", "c"].map { name in Task { [end] in await file.note(name, end) } }
    await queue.holds(3)
    queue.letGo()
    for run in runs {
      await assertEqual(run.value, unread(path))
    }
    XCTAssertEqual(looks.withLock { $0 }, 1)
  }
}

/// Keeps what it is given until it is told to do it.
private final class HeldQueue: DiskQueue {
  private let works = Locked<[@Sendable () -> Void]>([])
  private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
  private let queue = DispatchDiskQueue()

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    works.withLock { $0.append(work) }
    arrival.yield()
  }

  func enqueue(after delay: Duration, _ work: @escaping @Sendable () -> Void) { enqueue(work) }

  /// Waits until it was given so many.
  func holds(_ count: Int) async {
    var (rest, arrivals) = (count, arrivals.makeAsyncIterator())
    while rest > 0, await arrivals.next() != nil { rest -= 1 }
  }

  /// Does what it holds, in its order.
  func letGo() {
    for work in works.withLock({ $0 }) { queue.enqueue(work) }
  }
}
