import Foundation
import TestSupport
import XCTest

/// F30: the power is cut while packs are published.
final class F30PackPowerTests: PackPublisherTestCase {
  func testF30_afterAPowerCutTheCatalogThatStandsHasAllItsPacks() throws {
    for kind in [TestDisk.Kind.ext4, .xfs] {
      let calls = try publishAfterACut(kind, nil)
      let rounds = Extent.count(quick: 2, full: 60)
      var generator = SeededGenerator(seed: Extent.seed())
      for round in 0..<rounds {
        let fault = FaultyDisk.Fault(
          act: generator.oneIn(2) ? .cutPower : .cutPowerMeanwhile,
          kinds: FaultyDisk.Kind.changing,
          // The last ones place the packs and the catalog.
          number: round == 0 ? calls : Int.random(in: 1...calls, using: &generator))
        _ = try publishAfterACut(kind, fault)
      }
      try Extent.record(
        "F30", "power cut on \(kind) while packs are published", count: rounds,
        "the old catalog or the new one, with all its packs")
    }
  }

  func testF30_packsAreDurableBeforeTheCatalogThatNamesThem() throws {
    try write(1)
    for number in 0..<40 {
      try Data(repeating: UInt8(number), count: 256 << 10)
        .write(to: source.appending(path: "large\(number)"))
    }
    assertEnd(try mirror(arguments, environment: disk.environment(nil, in: source)), 0)
    try assertPacksAreTrue("published")
    let calls = try disk.calls(in: source)
    func places(_ kinds: Set<FaultyDisk.Kind>, _ isMeant: (String) -> Bool) -> [Int] {
      calls.filter { kinds.contains($0.kind) && isMeant($0.path) }.map(\.number)
    }
    let directory = packs.lastPathComponent
    let isDraft = { (path: String) in path.hasPrefix("\(directory)/0000") }
    let (written, renamed) = (places([.write], isDraft), places([.rename], isDraft))
    XCTAssertEqual(renamed.count, 2, "\(calls)")
    let catalogs = places([.rename]) { !$0.contains("/") && $0.contains(Self.catalogName) }
    let catalog = try XCTUnwrap(catalogs.first, "\(calls)")
    // Each draft after its last byte and its last rights, and before it is named.
    for draft in Set(calls.map(\.path).filter(isDraft)) {
      let changed = try XCTUnwrap(places([.write, .mode]) { $0 == draft }.last)
      let flushed = try XCTUnwrap(places([.fsync, .fdatasync]) { $0 == draft }.last, draft)
      XCTAssertGreaterThan(flushed, changed, draft)
      XCTAssertLessThan(flushed, try XCTUnwrap(renamed.first), draft)
    }
    let named = try XCTUnwrap(
      places([.fsync]) { $0 == directory || $0 == "\(directory)/." }.last, "\(calls)")
    XCTAssertGreaterThan(named, try XCTUnwrap(renamed.last))
    XCTAssertLessThan(named, catalog)
    XCTAssertFalse(written.isEmpty)
  }

  func testF30_aPackThatCannotBeRemovedKeepsNoOtherFromIt() throws {
    try write(1)
    assertEnd(try mirror(arguments), 0)
    for digits in ["ab", "cd", "ef"] {
      try Data("of nobody".utf8)
        .write(to: packs.appending(path: String(repeating: digits, count: 32)))
    }
    let fault = FaultyDisk.Fault(act: .fail(EIO), kinds: [.unlink], number: 1)
    let outcome = try mirror(arguments, environment: disk.environment(fault, in: source))
    assertEnd(outcome, 0)
    XCTAssertTrue(outcome.said.contains("couldn't be removed"), outcome.said)
    let left = try unnamed()
    XCTAssertEqual(left.count, 1)
    let state = try readText(source.appending(path: ".\(Self.catalogName).mirror-state"))
    XCTAssertTrue(state.contains("unnamed-pack \(left.first ?? "")"), state)
    assertEnd(try mirror(arguments), 0)
    XCTAssertEqual(try unnamed(), [])
  }

  /// Publishes the second state into a cut; without one, how many calls that takes.
  private func publishAfterACut(_ kind: TestDisk.Kind, _ fault: FaultyDisk.Fault?) throws -> Int {
    let image = try TestDisk(
      kind, in: base.appending(path: "image"), bytes: kind == .xfs ? 300 << 20 : 64 << 20,
      at: source)
    defer { try? image.end() }
    try write(1)
    assertEnd(try mirror(arguments), 0)
    try write(2)
    // The files are their owner's business.
    flushEverything()
    let outcome = try mirror(arguments, environment: disk.environment(fault, in: source))
    let calls = try disk.calls(in: source).count
    guard let fault else { return calls }
    if outcome.end != .killed(by: SIGKILL) { try? image.cutPower() }
    try image.restart()
    let claim = "\(kind), \(fault), seed \(Extent.seed())"
    try assertPacksAreTrue(claim)
    assertEnd(try mirror(arguments), 0)
    try assertPacksAreTrue("published after \(claim)")
    XCTAssertEqual(try unnamed(), [], claim)
    return calls
  }
}

/// Has all file systems write what they hold.
private func flushEverything() { sync() }
