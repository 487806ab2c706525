import Foundation
import TestSupport
import XCTest

/// F30: the publisher of packs is killed before each call that changes the disk, meets calls that
/// fail, and a disk that is full.
final class F30PackPublisherTests: PackPublisherTestCase {
  private var template: URL { base.appending(path: "template") }

  /// Makes a folder whose first state is published, and whose second one isn't yet.
  private func makeTemplate() throws {
    try write(1)
    assertEnd(try mirror(arguments), 0)
    try assertPacksAreTrue("at first")
    try write(2)
    try FileManager.default.copyItem(at: source, to: template)
  }

  private func startAnew() throws {
    try FileManager.default.removeItem(at: source)
    try FileManager.default.copyItem(at: template, to: source)
  }

  /// How many calls it takes to publish the second state.
  private func calls() throws -> Int {
    try startAnew()
    assertEnd(try mirror(arguments, environment: disk.environment(nil, in: source)), 0)
    return try disk.calls(in: source).count
  }

  /// Whatever was left is gone after the next time, and the new state is published.
  private func assertGoesOn(_ claim: String) throws {
    assertEnd(try mirror(arguments), 0)
    try assertPacksAreTrue("published after \(claim)")
    XCTAssertEqual(try unnamed(), [], claim)
    XCTAssertFalse(try mirror(arguments).printed.contains("published"), claim)
  }

  func testF30_killedBeforeAnyCallTheCatalogThatStandsHasAllItsPacks() throws {
    try makeTemplate()
    let started = try Data(contentsOf: catalog)
    let calls = try calls()
    XCTAssertGreaterThan(calls, 8)
    var (old, new, killed) = (0, 0, 0)
    for number in 1...calls {
      try startAnew()
      let fault = FaultyDisk.Fault(act: .kill, kinds: FaultyDisk.Kind.changing, number: number)
      let end = try mirror(arguments, environment: disk.environment(fault, in: source)).end
      if end == .killed(by: SIGKILL) { killed += 1 }
      if try Data(contentsOf: catalog) == started { old += 1 } else { new += 1 }
      try assertPacksAreTrue("\(fault)")
      try assertGoesOn("\(fault)")
    }
    XCTAssertGreaterThan(killed, 8)
    XCTAssertGreaterThan(old, 3)
    XCTAssertGreaterThan(new, 0)
    try Extent.record(
      "F30", "the publisher of packs killed before a system call", count: killed,
      "the old catalog or the new one, with all its packs; nothing of it is left after the next")
  }

  func testF30_aCallThatFailsLeavesACatalogWithAllItsPacks() throws {
    try makeTemplate()
    let calls = try calls()
    var failed = 0
    for number in 1...calls {
      try startAnew()
      let fault = FaultyDisk.Fault(
        act: .fail(number.isMultiple(of: 2) ? ENOSPC : EIO), kinds: FaultyDisk.Kind.changing,
        number: number)
      let outcome = try mirror(arguments, environment: disk.environment(fault, in: source))
      if outcome.end == .exited(1) {
        failed += 1
        XCTAssertEqual(outcome.said.split(separator: "\n").count, 1, "\(fault)\n\(outcome)")
      }
      try assertPacksAreTrue("\(fault)\n\(outcome)")
      try assertGoesOn("\(fault)")
    }
    XCTAssertGreaterThan(failed, 5)
    try Extent.record(
      "F30", "the publisher of packs meets ENOSPC or EIO", count: calls,
      "one error, or done; the catalog that stands has all its packs")
  }

  func testF30_aDiskThatIsFullLeavesTheOldCatalogAndNothingOfANewPack() throws {
    let volume = try TestDisk(inMemoryAt: source, options: "size=16m")
    atEnd { try volume.end() }
    try write(1)
    assertEnd(try mirror(arguments), 0)
    let started = try Data(contentsOf: catalog)
    let kept = try FileManager.default.contentsOfDirectory(atPath: packs.path).sorted()
    for number in 0..<40 {
      try Data(repeating: UInt8(number), count: 256 << 10)
        .write(to: source.appending(path: "large\(number)"))
    }
    let outcome = try mirror(arguments)
    assertEnd(outcome, 1)
    XCTAssertTrue(outcome.said.contains(String(cString: strerror(ENOSPC))), outcome.said)
    XCTAssertEqual(try Data(contentsOf: catalog), started)
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: packs.path).sorted(), kept)
    try assertPacksAreTrue("full")
    try volume.remount("size=64m")
    try assertGoesOn("a full disk")
  }

  func testF30_twoPublishersAtOnceEachLeaveACatalogWithAllItsPacks() throws {
    try makeTemplate()
    let both = try (0..<2).map { _ in try start(arguments + ["--wait"]) }
    for child in both {
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    }
    try assertPacksAreTrue("two at once")
    try assertGoesOn("two at once")
  }

  func testF30_somebodyElsesDirectoryIsRefusedAndNotTouched() throws {
    try write(1)
    try makeFolder(at: packs)
    let note = packs.appending(path: String(repeating: "ab", count: 32))
    try Data("mine".utf8).write(to: note)
    assertRefused(try mirror(arguments), 64, saying: "--packs", ".made-by-publish")
    XCTAssertEqual(try readText(note), "mine")
    XCTAssertFalse(isThere(catalog))
    // Without packs it is a directory as any.
    assertEnd(try mirror(["publish", source.path]), 0)
    XCTAssertTrue(try readText(catalog).contains(note.lastPathComponent))
  }

  func testF30_aFileThatCantBeReadLeavesTheOldCatalogWithItsPacks() throws {
    try makeTemplate()
    let started = try Data(contentsOf: catalog)
    let fault = FaultyDisk.Fault(act: .fail(EIO), kinds: [.read], number: 40)
    let outcome = try mirror(arguments, environment: disk.environment(fault, in: source))
    assertEnd(outcome, 1)
    XCTAssertEqual(try Data(contentsOf: catalog), started)
    try assertPacksAreTrue("unreadable")
    try assertGoesOn("an unreadable file")
  }
}
