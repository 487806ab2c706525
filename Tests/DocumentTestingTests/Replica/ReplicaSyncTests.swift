import TestSupport
import XCTest

@testable import DocumentSync

/// Syncs that somebody waits for.
final class ReplicaSyncTests: XCTestCase {
  /// A watch waits for each of its syncs, and none is by hand: all of them had done nothing.
  func testASyncThatIsWaitedForIsMadeWhetherOrNotItIsByHand() async throws {
    let notes = try await ReplicaRig().replica()
    for isByHand in [false, true] {
      let id = DocumentID("\(isByHand)")
      try await notes.save(id, ["n": 1], in: "notes")
      try await assertEqual(notes.sync(SyncWishes(isByHand: isByHand)).sent.map(\.id), [id])
    }
  }
}
