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
    let outcome = Outcome(
      end: try child.end(within: .seconds(60)), printed: child.printed, said: child.said)
    assertEnd(outcome, status, line: line)
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
    let count = Extent.count(quick: 40_000, full: 1_000_000)
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
    let found = try await Self.untruths(in: copy)
    XCTAssertEqual(found, [])
    try Extent.record(
      "F21", "sync of as many items, all there already", count: count,
      "\(words(uses[1].0)); the look at all of them in the next run \(words(uses[1].1))")
  }
}
