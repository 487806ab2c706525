import Foundation
import TestSupport
import XCTest

/// F12 and F14 on disks as people carry them around: a first copy, an update of each file and
/// removals, undisturbed, killed before a call, and with a call that fails.
final class F12CarriedDiskTests: DiskTestCase {
  /// Besides all that can happen to a folder: names as long as eCryptfs takes, in a folder and
  /// alone, and one that only the mirror's own names could be too long with.
  override var world: ReferenceWorld { .longNames }

  /// The folder is where the disk is mounted.
  override func startAnew() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: copy.path) {
      try FileManager.default.removeItem(at: copy.appending(path: name))
    }
  }

  func testF12_F14_nothingIsLostOnExFAT() async throws {
    try await disturb(.exFAT)
  }

  func testF12_F14_nothingIsLostOnNTFSWithWindowsNames() async throws {
    try await disturb(.ntfs)
  }

  func testF12_F14_nothingIsLostOnVFAT() async throws {
    try await disturb(.vfat)
  }

  func testF12_F14_nothingIsLostOnECryptfs() async throws {
    try await disturb(.eCryptfs)
  }

  /// It was said that a probe may not be used by this user, whose rights were in order.
  func testF12_aDiskThatCantHoldAMirrorIsRefusedWithItsReason() throws {
    try mount(.odd(["ascii", "lengths"]), at: copy)
    try publish(.first)
    let outcome = try sync(with: nil)
    assertEnd(outcome, 1)
    XCTAssertEqual(
      outcome.said,
      """
      mirror: the file system of \(copy.path) can't change the length of a file; use a folder on \
      another one.\n
      """)
  }

  func testF12_aDiskThatTakesOnlyASCIIHoldsAMirror() throws {
    try mount(.odd(["ascii"]), at: copy)
    _ = try referenceCalls(to: .first)
  }

  private func disturb(_ kind: CarriedDisk.Kind) async throws {
    try mount(kind, at: copy)
    for state in [ReferenceWorld.State.first, .second] {
      let calls = try referenceCalls(to: state).count
      let held = try await recorded(of: state)
      let all = Set((world.items[state] ?? [:]).keys.map { "/" + $0 })
      XCTAssertEqual(all.subtracting(held), [], "not recorded on \(kind), in the \(state) state")
      let kills = Steps.chosen(of: calls, quick: 1)
      for number in kills {
        try await produce(
          Fault(act: .kill, kinds: FaultyDisk.Kind.changing, number: number), state, kind)
      }
      let failures = Steps.chosen(of: calls, quick: 1)
      for number in failures {
        let error = [EIO, ENOSPC, EACCES][number % 3]
        try await produce(
          Fault(act: .fail(error), kinds: FaultyDisk.Kind.changing, number: number), state, kind)
      }
      try Extent.record(
        "F12", "killed before a system call, on the way to the \(state) state, on \(kind)",
        count: kills.count, "whole, true, converges; what was recorded isn't fetched again")
      try Extent.record(
        "F14", "a call failing, on the way to the \(state) state, on \(kind)",
        count: failures.count, "whole, true, converges")
    }
  }

  private func produce(
    _ fault: Fault, _ state: ReferenceWorld.State, _ kind: CarriedDisk.Kind
  ) async throws {
    try prepare(for: state)
    let outcome = try sync(with: fault)
    let call = try disk.calls(in: copy).last?.description ?? ""
    let claim = "\(fault) (\(call)) on the way to \(state), on \(kind)\n\(outcome)"
    if fault.act != .kill {
      XCTAssertTrue([.exited(0), .exited(1), .exited(2)].contains(outcome.end), claim)
    }
    try await assertAllIsWell(afterTheWayTo: state, claim)
  }
}

extension ReferenceWorld {
  /// As ``small``, and items with long names that change.
  static let longNames = ReferenceWorld(
    items: [
      .first: (small.items[.first] ?? [:]).merging(long("in the first state")) { $1 },
      .second: (small.items[.second] ?? [:]).merging(long("in the second")) { $1 },
    ],
    previews: small.previews, bare: small.bare)

  private static func long(_ text: String) -> [String: Data] {
    let letters = { String(repeating: "n", count: $0) }
    let names = [letters(143), "d/" + letters(120), letters(100) + "/100% " + letters(90)]
    return Dictionary(uniqueKeysWithValues: names.map { ($0, Data("\($0) \(text)".utf8)) })
  }
}
