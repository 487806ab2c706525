import Foundation
import TestSupport
import XCTest

/// F15: the disk of a database is full at every 4 KiB step of a sync of records.
final class F15RecordsTests: RecordsFaultTestCase {
  override var world: World { RecordsWorld(users: 100) }

  private static let plenty = "size=64m"

  func testF15_aDiskFullAtAnyStepIsOneErrorAndTheOldState() throws {
    let volume = try TestDisk(inMemoryAt: folder, options: Self.plenty)
    atEnd { try volume.end() }
    for journal in World.Journal.allCases {
      try startAnew(journal)
      let start = try usedPages()
      // A journal holds each page once at most; a log takes one each time that it is written.
      let size = try Data(contentsOf: database).count
      let most = (journal == .log ? 10 : 2) * size / 4_096
      let steps = Set(Steps.chosen(of: most, quick: 4) + [1]).sorted()
      var failures = 0
      for step in steps {
        try startAnew(journal)
        try volume.remount("size=\((start + step - 1) * 4)k")
        let outcome = try sync(to: .new)
        // With a log, even who reads needs a little room.
        try volume.remount(Self.plenty)
        let claim = "\(step - 1) pages free, with \(journal)"
        if outcome.end == .exited(0) {
          XCTAssertEqual(try state(claim), .new, "\(claim)\n\(outcome)")
        } else {
          failures += 1
          XCTAssertTrue(outcome.said.contains("is full"), "\(claim)\n\(outcome)")
          try assertFailed(outcome, claim)
        }
        try assertConverges(claim)
      }
      XCTAssertGreaterThan(failures, Extent.asked == .full ? 10 : 0)
      if Extent.asked == .full { XCTAssertLessThan(failures, steps.count, "it never got enough") }
      try Extent.record(
        "F15", "disk full by bytes in a sync of records, with \(journal)", count: steps.count,
        "\(failures) times one error, status 1 and the old state; with room the next one goes through"
      )
    }
  }

  private func usedPages() throws -> Int {
    let facts = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
    let all = try XCTUnwrap(facts[.systemSize] as? NSNumber).intValue
    let free = try XCTUnwrap(facts[.systemFreeSize] as? NSNumber).intValue
    return (all - free) / 4_096
  }
}
