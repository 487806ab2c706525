import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// Catalogs of very many entries: memory and time grow with them, and not faster.
final class F21LargeCatalogTests: FaultTestCase {
  /// Runs `mirror` to its end and tells what it used.
  private func measure(
    _ arguments: [String], status: Int32 = 0, line: UInt = #line
  ) throws -> ProcessUse {
    let child = try start(arguments)
    let use = try ProcessUse.watch(child, within: .seconds(3_600))
    assertEnd(try child.outcome(within: .seconds(60)), status, line: line)
    return use
  }

  private func words(_ use: ProcessUse) -> String {
    "\(use.peakMemory >> 20) MiB, \(String(format: "%.1f", use.processorTime)) s of processor time"
  }

  /// Four times as many take about four times as long; a quadratic step would take sixteen times.
  private func assertNotQuadratic(_ few: ProcessUse, _ many: ProcessUse, line: UInt = #line) {
    let (short, long) = (max(few.processorTime, 0.1), many.processorTime)
    XCTAssertLessThan(long, 8 * short, "\(few), \(many)", line: line)
    XCTAssertLessThan(many.peakMemory, 5 * few.peakMemory, "\(few), \(many)", line: line)
  }

  func testF21_aPlanOfManyEntriesTakesNoQuadraticStep() async throws {
    let count = Extent.count(quick: 24_000, full: 1_000_000)
    let server = try serve()
    let uses = try [count / 4, count].map { count in
      try LargeCatalog(count: count, bytes: Data()).write(to: source)
      return try measure(
        ["plan", server.url + LargeCatalog.name, copy.path, "--quiet"])
    }
    assertNotQuadratic(uses[0], uses[1])
    try Extent.record(
      "F21", "plan of a catalog of many entries", count: count,
      "\(words(uses[1])); of a quarter of them \(words(uses[0]))")
  }

  /// In the full form more than ten million entries, which is the limit; in the quick one, one line
  /// of a gibibyte.
  func testF21_aCatalogPastTheLimitIsAnErrorInBoundedMemory() async throws {
    let server = try serve()
    let entries = Extent.asked == .full ? 10_000_001 : 0
    try writeCatalog(of: entries)
    let child = try start(["plan", server.url + LargeCatalog.name, copy.path, "--quiet"])
    let use = try ProcessUse.watch(child, within: .seconds(3_600))
    let outcome = try child.outcome(within: .seconds(60))
    assertRefused(outcome, 1, saying: entries > 0 ? "10000000" : "1.0 MiB")
    let bound = entries > 0 ? 2_048 * entries : 200 << 20
    XCTAssertLessThan(use.peakMemory, bound, outcome.said)
    XCTAssertFalse(isThere(copy))
    try Extent.record(
      "F21", "more than \(entries > 0 ? "10 million entries" : "1 GiB in one line")", count: 1,
      "an error that names the limit; \(words(use))")
  }

  /// Short entries; for none of them, a file without bytes on the disk that is longer than a
  /// catalog may be.
  private func writeCatalog(of entries: Int) throws {
    let file = source.appending(path: LargeCatalog.name)
    try Data("{\"catalog\":1,\"complete\":true}\n".utf8).write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    if entries == 0 { try handle.truncate(atOffset: (1 << 30) + 1) }
    try handle.seekToEnd()
    for start in stride(from: 0, to: entries, by: 100_000) {
      let lines = (start..<min(start + 100_000, entries)).map { "{\"key\":\"\($0)\"}\n" }
      try handle.write(contentsOf: Data(lines.joined().utf8))
    }
    try handle.close()
  }

  func testF21_aSyncOfManyItemsThatAreThereTakesNoQuadraticStep() async throws {
    let count = Extent.count(quick: 8_000, full: 1_000_000)
    let server = try serve()
    let uses = try [count / 4, count].map { count in
      try? FileManager.default.removeItem(at: copy)
      let catalog = LargeCatalog(count: count, bytes: Data())
      try catalog.write(to: source)
      try age(catalogIn: source)
      try catalog.place(in: copy)
      let arguments = ["sync", server.url + LargeCatalog.name, copy.path, "--quiet"]
      let first = try measure(arguments)
      _ = try server.takeRequests()
      let second = try measure(arguments)
      XCTAssertEqual(try server.takeRequests().map(\.status), [304])
      return (first, second)
    }
    assertNotQuadratic(uses[0].0, uses[1].0)
    assertNotQuadratic(uses[0].1, uses[1].1)
    try await assertEqual(Self.untruths(in: copy), [])
    try Extent.record(
      "F21", "sync of as many items, all there already", count: count,
      "\(words(uses[1].0)); the look at all of them in the next run \(words(uses[1].1))")
  }
}
