import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// F14: any one call on the folder fails, with any error, at any of its occurrences.
final class F14FailingCallTests: DiskTestCase {
  func testF14_aFailingCallOfAFirstCopyIsOneErrorAndNothingIsLost() async throws {
    try await failCalls(onTheWayTo: .first, quick: 12)
  }

  func testF14_aFailingCallOfAnUpdateIsOneErrorAndNothingIsLost() async throws {
    try await failCalls(onTheWayTo: .second, quick: 24)
  }

  private func failCalls(onTheWayTo state: ReferenceWorld.State, quick: Int) async throws {
    let kinds = FaultyDisk.Kind.allCases
    let calls = try referenceCalls(to: state, kinds)
    let faults = kinds.flatMap { kind in
      let last = calls.count { $0.kind == kind }
      return Self.acts(kind).flatMap { act in
        (0..<last).map { Fault(act: act, kinds: [kind], number: $0 + 1) }
      }
    }
    let chosen = Steps.chosen(of: faults.count, quick: quick).map { faults[$0 - 1] }
    // Flushes are few among all calls, and much hangs on what is made of one that failed.
    let flushes = faults.filter { fault in
      guard fault.act == .fail(EIO) else { return false }
      let call = calls.filter { fault.kinds.contains($0.kind) }[fault.number - 1]
      return Expectation(fault, call).isFlushOfBytes
    }
    for fault in chosen + flushes.filter({ !chosen.contains($0) }) {
      try await produce(fault, onTheWayTo: state)
    }
    try Extent.record(
      "F14", "a call failing, on the way to the \(state) state",
      count: Extent.count(quick: quick, full: faults.count),
      "at most one error for each thing, never a success that isn't one; whole, true, converges")
  }

  /// What each kind of call is made to answer.
  private static func acts(_ kind: FaultyDisk.Kind) -> [FaultyDisk.Act] {
    switch kind {
    case .read: [.fail(EIO), .fail(EINTR)]
    case .write: [EIO, ENOSPC, EDQUOT, EACCES, EINTR].map { .fail($0) } + [.writeHalf]
    default: [EIO, ENOSPC, EDQUOT, EACCES, EMFILE, EINTR].map { .fail($0) }
    }
  }

  private func produce(_ fault: Fault, onTheWayTo state: ReferenceWorld.State) async throws {
    try prepare(for: state)
    let outcome = try sync(with: fault, ["--quiet"])
    let made = try disk.calls(in: copy)
    let call = fault.number <= made.count ? made[fault.number - 1] : nil
    let claim = "\(fault) (\(call?.path ?? "none")) on the way to \(state)\n\(outcome)"
    let verdict = try Verdict(outcome)
    XCTAssertEqual(verdict.problems, [], claim)
    if let call {
      XCTAssert(Expectation(fault, call).allows(verdict), claim)
    } else {
      XCTAssertEqual(verdict.status, 0, claim)
    }
    let held = try await recorded(of: state)
    let all = world.items[state]?.keys.sorted() ?? []
    if verdict.status == 0 {
      try assertCopyIsTrue(except: ["catalog.ndjson"])
      XCTAssertEqual(all.filter { !held.contains("/" + $0) }, [], "not recorded; \(claim)")
    }
    if let call, Expectation(fault, call).isFlushOfBytes {
      // A large file has a flush of its own.
      let small = all.filter { (world.items[state]?[$0]?.count ?? 0) < BatchLimits.large }
      let lost = call.kind == .syncfs ? small : verdict.failed
      let kept = lost.filter { isChanged($0, in: state) && held.contains("/" + $0) }
      XCTAssertEqual(kept, [], "not flushed, and kept; \(claim)")
    }
    XCTAssertEqual(try indexesSetAside(), [], "given up though the disk failed; \(claim)")
    try await assertAllIsWell(afterTheWayTo: state, claim)
  }

  /// With an index that is set aside goes the knowledge of what was to be removed.
  private func indexesSetAside() throws -> [String] {
    let control = copy.appending(path: ".mirror").path
    guard isThere(control) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: control)
      .filter { $0.hasPrefix("index-damaged") }
  }
}

extension F14FailingCallTests {
  private func isChanged(_ key: String, in state: ReferenceWorld.State) -> Bool {
    state == .first || world.items[.second]?[key] != world.items[.first]?[key]
  }
}

/// How a run ended and what it told, and what is wrong with that whatever the fault was.
private struct Verdict {
  var status: Int32 = -1
  /// The items that were said to have failed.
  var failed: [String] = []
  var lines: [String] = []
  var problems: [String] = []

  init(_ outcome: ProgramOutcome) throws {
    lines = outcome.said.split(separator: "\n").map(String.init)
    if Set(lines).count < lines.count { problems.append("the same is said twice") }
    for line in lines where !line.hasPrefix("mirror: ") || !line.hasSuffix(".") {
      problems.append("not a sentence of ours: \(line)")
    }
    guard case .exited(let status) = outcome.end, [0, 1, 2].contains(status) else {
      problems.append("it ended with \(outcome.end)")
      return
    }
    self.status = status
    switch status {
    case 0: if !lines.isEmpty { problems.append("success, and an error") }
    case 1: if lines.count != 1 { problems.append("\(lines.count) errors for one fault") }
    default:
      if lines.last?.contains("run it again") != true { problems.append("no advice") }
      failed = lines.dropLast().map { line in
        String(line.dropFirst("mirror: ".count).prefix { $0 != ":" })
      }
      if failed.isEmpty { problems.append("nothing is named") }
      if Set(failed).count < failed.count { problems.append("an item is named twice") }
    }
  }
}

/// How a run may end that met a fault.
private struct Expectation {
  private let fault: FaultyDisk.Fault
  private let call: FaultyDisk.Call

  init(_ fault: FaultyDisk.Fault, _ call: FaultyDisk.Call) {
    (self.fault, self.call) = (fault, call)
  }

  func allows(_ verdict: Verdict) -> Bool {
    switch fault.act {
    case .writeHalf: verdict.status == 0
    // SQLite doesn't try again what was interrupted while it flushed or removed a file.
    case .fail(EINTR):
      verdict.status == 0 || isOfIndex && [.fdatasync, .unlink].contains(call.kind)
    // The system doesn't tell whose bytes it lost.
    case .fail(EIO) where isFlushOfFolder: verdict.status == 1
    case .fail(let error): isFlushOfFiles && verdict.status == 0 ? false : says(error, verdict)
    default: false
    }
  }

  /// Of the index, also while it is made under another name.
  private var isOfIndex: Bool { call.path.contains(".sqlite") || call.kind == .fdatasync }

  /// A flush of items or their directories: whoever loses one has not succeeded.
  private var isFlushOfFiles: Bool { [.fsync, .syncfs].contains(call.kind) }

  /// A flush that is of more than one file's bytes.
  private var isFlushOfFolder: Bool { isFlushOfFiles && !call.path.contains("staging/") }

  /// A flush of items' bytes, before they are placed: they are dropped.
  var isFlushOfBytes: Bool {
    guard fault.act != .fail(EINTR) else { return false }
    return call.kind == .syncfs && call.number == 1
      || call.kind == .fsync && call.path.contains("staging/")
  }

  /// A full disk and too many open files end the run, and are named for what they are.
  private func says(_ error: Int32, _ verdict: Verdict) -> Bool {
    guard verdict.status != 0 else { return true }
    let text = verdict.lines.joined()
    switch error {
    // SQLite doesn't always tell why it failed, and room that was lacking for one call only can't
    // be found to be lacking afterwards (F15 has it lacking for good).
    case ENOSPC where isOfIndex, EDQUOT where isOfIndex: return verdict.status == 1
    case ENOSPC, EDQUOT: return verdict.status == 1 && text.contains("no space is left")
    case EMFILE where !isOfIndex:
      return verdict.status == 1 && text.contains("too many files are open")
    case EMFILE: return verdict.status == 1
    default: return true
    }
  }
}
