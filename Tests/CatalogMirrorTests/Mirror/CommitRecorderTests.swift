import SyncLock
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder
@testable import SyncText

/// Whose a file is that stands in the way of another.
final class CommitRecorderTests: XCTestCase {
  private func recorder(
    _ index: MirrorIndex, vanished: Set<CatalogKey>?
  ) throws -> CommitRecorder {
    // The view is empty, as after a listing with nothing to do.
    var pass = MirrorPass(
      MirrorPass.Rules(wants: ItemNeed.Wants(contents: true, previews: false)))
    pass.looked(nil)
    var listing = Listing(format: .catalog)
    listing.entries = [.plain("listed")]
    listing.positions = [1]
    var comparison = ListingComparison(listing)
    comparison.vanished = vanished
    _ = try pass.listed(comparison, of: [])
    return CommitRecorder(
      index: index, pass: Locked(pass), observer: MirrorObserver(), startedAt: 1_738_324_800)
  }

  private func index() async throws -> MirrorIndex {
    let index = try await emptyIndex()
    try await index.write { writer in
      try writer.record([.content(.plain("ours"), .plain()), .entry(.plain("lost"))])
    }
    return index
  }

  func testAFileOfOursIsOursThoughTheRunHadNothingToDoWithIt() async throws {
    let index = try await index()
    let ours = CatalogKey("ours")
    for vanished in [nil, []] as [Set<CatalogKey>?] {
      XCTAssertThrowsError(try recorder(index, vanished: vanished).owner(of: ours)) { error in
        XCTAssertEqual("\(error)", "\(ItemError.inTheWay("ours"))")
      }
    }
    try await assertEqual(index.read { try $0.unfinishedRemovals() }, [])
  }

  func testAFileThatACompleteListingLacksIsMarkedBeforeItIsMoved() async throws {
    let index = try await index()
    let ours = CatalogKey("ours")
    guard case .ours(let stamp) = try recorder(index, vanished: [ours]).owner(of: ours) else {
      return XCTFail("it is ours")
    }
    XCTAssertEqual(stamp, IndexedContent.plain().stamp)
    let marked = try await index.read { try $0.unfinishedRemovals() }
    XCTAssertEqual(marked.map(\.state), [.removing(to: "20250131T120000Z/ours")])
  }

  func testAFileOfTheSameBatchIsNobodyElses() async throws {
    let index = try await index()
    let key = CatalogKey("lost")
    try await index.write { writer in
      try writer.markPlacing([PlacementMark(key: key, locator: nil, content: .plain())])
    }
    XCTAssertThrowsError(try recorder(index, vanished: []).owner(of: key)) { error in
      XCTAssertEqual("\(error)", "\(ItemError.inTheWay("lost"))")
    }
  }

  /// What is marked is remembered, as whole directories of files may be asked for; every batch makes
  /// it be read anew.
  func testTheMarksOfOneBatchArentThoseOfTheNext() async throws {
    let index = try await index()
    let key = CatalogKey("lost")
    let recorder = try recorder(index, vanished: [])
    guard case .foreign = try recorder.owner(of: key) else { return XCTFail("not marked yet") }
    try await index.write { writer in
      try writer.markPlacing([PlacementMark(key: key, locator: nil, content: .plain())])
    }
    try recorder.announce([])
    XCTAssertThrowsError(try recorder.owner(of: key))
    try await index.write { try $0.forgetPlacing(of: [key]) }
    try recorder.record([])
    guard case .foreign = try recorder.owner(of: key) else { return XCTFail("marked no more") }
  }

  func testWhatTheIndexDoesntHoldIsSomebodyElses() async throws {
    let index = try await index()
    for key in ["lost", "unknown"] {
      guard case .foreign = try recorder(index, vanished: nil).owner(of: CatalogKey(key)) else {
        return XCTFail("\(key) isn't ours")
      }
    }
  }
}
