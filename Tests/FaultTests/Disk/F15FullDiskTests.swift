import Foundation
import TestSupport
import XCTest

/// F15: the disk is full at every 4 KiB step of a reference run, by bytes, by inodes, by a quota
/// and by the limit on a file's size.
final class F15FullDiskTests: DiskTestCase {
  private var volume: TestDisk?

  override var options: [String] { super.options + ["--no-space-check"] }

  override func startAnew() throws {
    guard let volume else { return try super.startAnew() }
    for name in try FileManager.default.contentsOfDirectory(atPath: copy.path)
    where name != "lost+found" {
      try FileManager.default.removeItem(at: copy.appending(path: name))
    }
    try volume.remount("size=64m,nr_inodes=10000")
  }

  override func tearDownWithError() throws {
    try volume?.end()
    try super.tearDownWithError()
  }

  func testF15_aDiskFullAtAnyStepOfAFirstCopyIsOneError() async throws {
    try await fill(onTheWayTo: .first, quick: 20) { "size=\($0 * 4)k" }
  }

  func testF15_aDiskFullAtAnyStepOfAnUpdateIsOneError() async throws {
    try await fill(onTheWayTo: .second, quick: 20) { "size=\($0 * 4)k" }
  }

  func testF15_aDiskWithoutInodesAtAnyStepIsOneError() async throws {
    try await fill(onTheWayTo: .first, quick: 3) { "nr_inodes=\($0)" }
    try await fill(onTheWayTo: .second, quick: 3) { "nr_inodes=\($0)" }
  }

  /// Gives the way to a state so much room as it takes, less so many steps.
  private func fill(
    onTheWayTo state: ReferenceWorld.State, quick: Int, _ option: (Int) -> String
  ) async throws {
    try mountMemory()
    let byBytes = option(1).hasPrefix("size")
    try prepare(for: state)
    let start = try used(byBytes)
    // What the run leaves behind, and what it needs on the way.
    assertEnd(try sync(with: nil), 0)
    let most = try used(byBytes) + (byBytes ? 100 : 12)
    var failures = 0
    let steps = Set(Steps.chosen(of: most - start, quick: quick) + [1]).sorted()
    for step in steps {
      try prepare(for: state)
      let staying = try keysToStay(onTheWayTo: state)
      try volume?.remount(option(start + step))
      let outcome = try sync(with: nil, ["--quiet"])
      let claim = "\(option(start + step)) on the way to \(state)\n\(outcome)"
      if outcome.end != .exited(0) {
        failures += 1
        assertIsFull(outcome, claim)
        try assertNoneWasRemoved(of: staying, onTheWayTo: state, claim)
      }
      try await assertNothingIsLost(of: world.versions, claim)
      try volume?.remount("size=64m,nr_inodes=10000")
      try await assertAllIsWell(afterTheWayTo: state, claim)
    }
    XCTAssertGreaterThan(failures, 0)
    try Extent.record(
      "F15", "disk full by \(byBytes ? "bytes" : "inodes"), on the way to the \(state) state",
      count: steps.count, "one error, tree whole; with room the next run goes on")
  }

  /// What is there now, but for what gives way as soon as a file becomes a directory, or the reverse.
  private func keysToStay(onTheWayTo state: ReferenceWorld.State) throws -> Set<String> {
    let next = world.items[state]?.keys.map { $0 + "/" } ?? []
    return Set(try files(in: copy).keys).filter { key in
      !next.contains { $0 != key + "/" && ($0.hasPrefix(key + "/") || key.hasPrefix($0)) }
    }
  }

  /// Nothing is removed before all that is new has its place.
  private func assertNoneWasRemoved(
    of keys: Set<String>, onTheWayTo state: ReferenceWorld.State, _ claim: String,
    line: UInt = #line
  ) throws {
    let there = try files(in: copy)
    guard try XCTUnwrap(world.items[state]).contains(where: { there[$0.key] != $0.value }) else {
      return
    }
    XCTAssertEqual(keys.subtracting(there.keys), [], "removed; \(claim)", line: line)
  }

  func testF15_aSmallExt4FillsUpWithOneErrorAndTheNextRunGoesOn() async throws {
    let counts = Extent.count(quick: 1, full: 30)
    var generator = SeededGenerator(seed: Extent.seed())
    for _ in 0..<counts {
      try volume?.end()
      volume = nil
      try? FileManager.default.removeItem(at: copy)
      try makeFolder(at: copy)
      try publish(.first)
      volume = try TestDisk(
        .ext4, in: base.appending(path: "image"), bytes: 8 << 20, settings: ["-O", "^has_journal"],
        at: copy)
      let ballast = copy.appending(path: ".mirror-ballast")
      let free = try XCTUnwrap(
        try FileManager.default.attributesOfFileSystem(forPath: copy.path)[.systemFreeSize]
          as? NSNumber
      ).intValue
      let room = Int.random(in: 0..<400, using: &generator) * 4_096
      try Data(count: max(0, free - room)).write(to: ballast)
      let outcome = try sync(with: nil, ["--quiet"])
      let claim = "\(room) bytes free on ext4, seed \(Extent.seed())\n\(outcome)"
      if outcome.end != .exited(0) { assertIsFull(outcome, claim) }
      try FileManager.default.removeItem(at: ballast)
      try await assertAllIsWell(afterTheWayTo: .first, claim)
    }
    try Extent.record(
      "F15", "a small ext4 filled up", count: counts,
      "one error, tree whole; with room the next run goes on")
  }

  /// Somebody else's files take the room in the middle of the run.
  func testF15_aQuotaThatIsUsedUpMidwayIsOneError() async throws {
    for state in [ReferenceWorld.State.first, .second] {
      let kinds: [FaultyDisk.Kind] = [.create, .write, .mkdir, .rename, .truncate]
      let calls = try referenceCalls(to: state, kinds)
      let steps = Steps.chosen(of: calls.count, quick: 5)
      for number in steps {
        try prepare(for: state)
        let fault = Fault(act: .fail(EDQUOT), kinds: kinds, number: number, lasts: true)
        let outcome = try sync(with: fault, ["--quiet"])
        let claim = "\(fault) on the way to \(state)\n\(outcome)"
        if outcome.end != .exited(0) { assertIsFull(outcome, claim) }
        try await assertAllIsWell(afterTheWayTo: state, claim)
      }
      try Extent.record(
        "F15", "a quota used up midway, on the way to the \(state) state", count: steps.count,
        "one error, tree whole; with room the next run goes on")
    }
  }

  /// The limit on the size of a file sends a signal, too, which would end the program.
  func testF15_theLimitOnAFilesSizeIsAnErrorAndNoSignal() async throws {
    for kilobytes in [4, 64, 512] {
      try prepare(for: .first)
      // Who starts the tests may ignore the signal, and that would be handed on.
      let outcome = try start(
        [
          "--default-signal=XFSZ", "bash", "-c", "ulimit -f \(kilobytes); exec \"$@\"", "bash",
          Programs.mirror, "sync", try catalog, copy.path, "--quiet",
        ] + options, program: try Programs.find("env")
      ).outcome(within: .seconds(60))
      let isOfItem = kilobytes > 500
      XCTAssertEqual(outcome.end, .exited(isOfItem ? 2 : 1), "\(kilobytes) KiB\n\(outcome)")
      XCTAssert(outcome.said.contains("File too large"), "\(kilobytes) KiB\n\(outcome)")
      if isOfItem { XCTAssert(outcome.said.contains("ulimit -f"), "\(outcome)") }
      try await assertAllIsWell(afterTheWayTo: .first, "ulimit -f \(kilobytes)")
    }
    try Extent.record(
      "F15", "the limit on the size of a file", count: 3,
      "an error, no signal; without the limit the next run goes on")
  }

  private func assertIsFull(_ outcome: ProgramOutcome, _ claim: String, line: UInt = #line) {
    XCTAssertEqual(outcome.end, .exited(1), claim, line: line)
    XCTAssertEqual(outcome.said.split(separator: "\n").count, 1, claim, line: line)
    XCTAssert(outcome.said.contains("no space is left for"), claim, line: line)
    XCTAssertFalse(
      outcome.said.contains(".mirror/staging/"), "no name of ours: \(claim)", line: line)
  }

  private func mountMemory() throws {
    try volume?.end()
    try makeFolder(at: copy)
    volume = try TestDisk(inMemoryAt: copy, options: "size=64m,nr_inodes=10000")
  }

  /// What the copy's disk holds: pages of 4 KiB, or inodes.
  private func used(_ byBytes: Bool) throws -> Int {
    let facts = try FileManager.default.attributesOfFileSystem(forPath: copy.path)
    let names: (FileAttributeKey, FileAttributeKey) =
      byBytes ? (.systemSize, .systemFreeSize) : (.systemNodes, .systemFreeNodes)
    let all = try XCTUnwrap(facts[names.0] as? NSNumber).intValue
    let free = try XCTUnwrap(facts[names.1] as? NSNumber).intValue
    return byBytes ? (all - free) / 4_096 : all - free
  }
}
