import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// A catalog whose ordered revision goes backwards.
final class RollbackTests: RunTestCase {
  private let old = [Thing("a", "old")]
  private let new = [Thing("a", "new"), Thing("b", "beta")]

  private func revision(_ number: Int) -> String { #","revision":\#(number)"# }

  private func assertRefused(_ report: MirrorReport, line: UInt = #line) throws {
    XCTAssertEqual(report.outcome, .failed, line: line)
    XCTAssertEqual(report.failures.count, 1, line: line)
    XCTAssertEqual(report.failures.first?.advice, .allowRollback, line: line)
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson"], "nothing is downloaded", line: line)
    XCTAssertEqual(try tree(), ["a": "new", "b": "beta"], line: line)
  }

  func testAnOrderedRevisionThatWentBackwardsIsRefused() async throws {
    try await syncWell(to: new, header: revision(10))
    try assertRefused(try await sync(to: old, header: revision(9)))
    try assertRefused(try await sync(), line: #line)
    let error = await thrown(MirrorError.self, by: try await mirror().plan())
    XCTAssertEqual(error?.advice, .allowRollback)
  }

  func testAllowRollbackAcceptsItAndRemembersTheNewRevision() async throws {
    try await syncWell(to: new, header: revision(10))
    try serve(old, header: revision(5))
    try await assertEqual(mirror { $0.allowsRollback = true }.plan().removals, ["b"])
    try await syncWell { $0.allowsRollback = true }
    XCTAssertEqual(try tree(), ["a": "old"])
    try await syncWell(to: new, header: revision(6))
    XCTAssertEqual(try tree(), ["a": "new", "b": "beta"])
  }

  func testARunWithFailedItemsRemembersItsRevisionAllTheSame() async throws {
    // Otherwise one item that always fails would open the way back to any revision.
    try await syncWell(to: old, header: revision(3))
    try serve(new, header: revision(10))
    try site.answer(Self.root + "b", .status(404))
    try await sync(ending: .someFailed)
    try serve(new, header: revision(4))
    try await assertEqual(sync(ending: .failed).failures.first?.advice, .allowRollback)
    // One that is accepted is remembered too, whatever fails in it.
    try site.answer(Self.root + "b", .status(404))
    try await sync(ending: .someFailed) { $0.allowsRollback = true }
    try await syncWell(to: new, header: revision(4))
  }

  func testTheRevisionsOfAnotherCatalogSayNothing() async throws {
    try await syncWell(to: new, header: revision(10))
    let other = Self.root + "other.ndjson"
    try site.answer(
      other,
      .text(
        try catalog(new, header: #","revision":1"#), ("Content-Type", "application/x-ndjson")))
    try await syncWell {
      $0.catalog = other
      $0.acceptsNewCatalog = true
    }
  }

  func testTheRevisionsSeenOverHTTPCountOverHTTPS() async throws {
    let plain = Self.root.replacing("https:", with: "http:")
    for (root, revision) in [(plain, 10), (Self.root, 9)] {
      for thing in new { try site.answer(root + thing.key, .text(thing.text)) }
      try site.answer(
        root + "catalog.ndjson",
        .text(
          try catalog(new, header: #","revision":\#(revision)"#),
          ("Content-Type", "application/x-ndjson")))
    }
    try await syncWell { $0.catalog = plain + "catalog.ndjson" }
    try assertRefused(try await sync { $0.catalog = Self.root + "catalog.ndjson" })
  }

  func testTheHighestRevisionSurvivesTheIndex() async throws {
    try await syncWell(to: new, header: revision(10))
    for suffix in ["", "-wal"] { try? remove(".mirror/index.sqlite" + suffix) }
    try assertRefused(try await sync(to: old, header: revision(9)))
  }

  func testTheIndexKeepsTheHighestRevisionToo() async throws {
    try await syncWell(to: new, header: revision(10))
    try place("rubbish", at: ".mirror/revision")
    try assertRefused(try await sync(to: old, header: revision(9)))
  }

  func testATextIsNotOrdered() async throws {
    try await syncWell(to: new, header: #","revision":"10""#)
    try await syncWell(to: old, header: #","revision":"9""#)
    XCTAssertEqual(try tree(), ["a": "old"])
  }
}
