import OneWaySynchronizer
import SyncEngine
import XCTest

@testable import CatalogMirror
@testable import SyncFolder
@testable import SyncText
@testable import SyncFiles

/// A pass as a value: what it goes through, and what it says is to be done.
final class MirrorPassTests: XCTestCase {
  private typealias Phase = MirrorPass.Phase
  private let everything = ItemNeed.Wants(contents: true, previews: true)
  private let done = PassReport<MirrorItem.ID>()

  private func pass(repairing repairs: Repairs? = nil) -> MirrorPass {
    MirrorPass(MirrorPass.Rules(wants: everything, maximumRemoval: .all, repairs: repairs))
  }

  private func row(_ key: String, revision: String = "1") -> IndexedItem {
    var row = IndexedItem(entry: .plain(key, revision: revision))
    row.content = .plain(revision: revision)
    return row
  }

  private func listing(_ entries: [CatalogEntry]) throws -> Listing {
    var listing = Listing(format: .catalog)
    listing.entries = UsableEntries(try entries.map { try PlaceableEntry($0) })
    listing.positions = entries.indices.map { UInt32($0 + 1) }
    return listing
  }

  private func comparison(
    _ entries: [CatalogEntry], with rows: [IndexedItem]
  ) throws -> ListingComparison {
    var comparison = ListingComparison(try listing(entries))
    for row in rows { comparison.rows[row.key] = row }
    comparison.count = rows.count
    comparison.vanished = Set(rows.map(\.key)).subtracting(entries.map(\.key))
    return comparison
  }

  /// A pass in each phase, reached as runs reach it.
  private func passes() throws -> [Phase: MirrorPass] {
    var pass = pass()
    var passes = [Phase.opened: pass]
    pass.looked(LookFindings())
    passes[.looked] = pass
    _ = try pass.listed(comparison([.plain("a", revision: "2")], with: [row("a")]), of: [])
    passes[.listed] = pass
    _ = pass.decide(among: [])
    passes[.decided] = pass
    pass.prepared()
    passes[.fetching] = pass
    pass.committed(letGo: [])
    passes[.placed] = pass
    _ = pass.ended(done)
    passes[.settled] = pass
    return passes
  }

  func testEachEventLeadsToItsPhase() throws {
    for (phase, pass) in try passes() { XCTAssertEqual(pass.phase, phase) }
    XCTAssertEqual(try passes().count, Phase.allCases.count)
  }

  func testAPassNeverGoesBackAndEndsOnce() throws {
    for (from, pass) in try passes() {
      for next in Phase.allCases {
        let isAllowed = from != .settled && next.rawValue >= from.rawValue
        XCTAssertEqual(pass.mayGo(to: next), isAllowed, "\(from) to \(next)")
      }
    }
  }

  func testItCanEndWhereverItIs() throws {
    for (phase, pass) in try passes() where phase != .settled {
      var pass = pass
      let settlement = pass.ended(PassReport(outcome: .cancelled))
      XCTAssertEqual(pass.phase, .settled)
      XCTAssertEqual(pass.ending?.outcome, .cancelled)
      XCTAssertNil(settlement.validated, "\(phase)")
      XCTAssertFalse(settlement.keepsCatalog, "\(phase)")
      XCTAssertNil(settlement.unreadable, "\(phase)")
    }
  }

  func testWhatTheLookFoundIsToldToTheIndexAndLetsGoOfPreviews() {
    var pass = pass()
    var findings = LookFindings()
    findings.damaged = [CatalogKey("a")]
    findings.damagedPreviews = [CatalogKey("b"): "p1"]
    findings.orphanedPreviews = ["p2"]
    XCTAssertEqual(
      pass.looked(findings), [.contentLost(CatalogKey("a")), .previewLost(CatalogKey("b"))])
    XCTAssertEqual(pass.previews.names, ["p1", "p2"])
    var trusting = self.pass()
    XCTAssertEqual(trusting.looked(nil), [])
    XCTAssertNil(trusting.view.findings)
  }

  func testOfBothSidesThatIsChosenWhichChangedAndTheRestIsOnlyRecorded() throws {
    var pass = pass()
    pass.looked(LookFindings())
    var titled = CatalogEntry.plain("titled")
    titled.title = "new words"
    let entries = [CatalogEntry.plain("changed", revision: "2"), .plain("same"), titled]
    let list = try pass.listed(
      comparison(entries, with: ["changed", "same", "titled", "gone"].map { row($0) }), of: [])
    guard case .changes(let items, let removed) = list else { return XCTFail("it is complete") }
    XCTAssertEqual(removed, [.key(CatalogKey("gone"))])
    XCTAssertEqual(pass.decide(among: items).map(\.id.description), ["changed"])
    XCTAssertEqual(pass.takeUnrecorded().changes, [.entry(titled)])
    XCTAssertEqual(pass.takeUnrecorded().changes, [], "they are told once")
    XCTAssertEqual(pass.need(of: items[0]), ItemNeed(content: .changed, preview: nil))
  }

  func testAnEmptyListingOfAFolderThatHoldsSomethingIsAnError() {
    var pass = MirrorPass(MirrorPass.Rules(wants: everything))
    pass.looked(nil)
    XCTAssertThrowsError(try pass.listed(comparison([], with: [row("a")]), of: [])) { error in
      guard case MirrorError.emptyListing(held: 1, isFiltered: false) = error else {
        return XCTFail("\(error)")
      }
    }
  }

  func testARepairFetchesWhatItWasToldOfAndNothingElse() {
    let key = CatalogKey("a")
    var pass = pass(repairing: Repairs(contents: [key]))
    pass.looked(nil)
    let list = pass.repairing([key: row("a")])
    guard case .changes(let items, let removed) = list else { return XCTFail("these it is") }
    XCTAssertEqual(removed, [])
    XCTAssertEqual(pass.decide(among: items).map(\.id), [.key(key)])
    XCTAssertEqual(pass.need(of: items[0]), ItemNeed(content: .damaged, preview: nil))
    let settlement = pass.ended(done)
    XCTAssertFalse(settlement.isWhole)
    XCTAssertFalse(settlement.keepsCatalog)
    XCTAssertNil(settlement.unreadable)
  }

  func testWhatIsConfirmedOrAdoptedIsRecordedWithTheCommit() throws {
    var pass = try XCTUnwrap(passes()[.fetching])
    XCTAssertTrue(pass.confirmed(.plain("a"), version: .revision("2")))
    XCTAssertFalse(pass.confirmed(.plain("unknown"), version: .revision("2")))
    let stamp = FileStamp(size: 3, modifiedNanoseconds: 4, inode: 5)
    pass.adopted(.plain("b"), IndexedContent(stamp), version: .revision("1"))
    XCTAssertTrue(pass.unrecorded.owesFlush)
    XCTAssertEqual(pass.report.confirmed, 1)
    XCTAssertEqual(pass.report.adopted, 1)
    XCTAssertEqual(pass.takeUnrecorded().changes.count, 2)
  }

  func testWhatVanishedIsMovedAwayInTheStateInWhichItIsOurs() throws {
    var pass = pass()
    var findings = LookFindings()
    findings.damaged = [CatalogKey("edited")]
    pass.looked(findings)
    _ = try pass.listed(
      comparison([.plain("stays")], with: ["edited", "gone", "stays"].map { row($0) }), of: [])
    let rows = pass.rows(of: [.key(CatalogKey("gone")), .key(CatalogKey("edited"))])
    XCTAssertEqual(rows.map(\.key.description), ["edited", "gone"])
    let leaving = pass.leaving(rows, folding: .none)
    XCTAssertEqual(leaving.map(\.stamp), [.never, IndexedContent.plain().stamp])
    let removed = pass.removed(rows, displaced: 1)
    XCTAssertEqual(removed.map(\.key.description), ["edited", "gone"])
    XCTAssertEqual(pass.report.removed, 2)
    XCTAssertEqual(pass.report.displaced, 1)
    XCTAssertNil(pass.held(.key(CatalogKey("gone"))))
  }

  func testAFileThatIsNowThatOfAListedKeyStays() throws {
    var pass = pass()
    pass.looked(nil)
    _ = try pass.listed(comparison([.plain("READ")], with: [row("read"), row("gone")]), of: [])
    let rows = pass.rows(of: [.key(CatalogKey("read")), .key(CatalogKey("gone"))])
    let folding = NameFolding(caseFolding: true)
    XCTAssertEqual(
      pass.leaving(rows, folding: folding).map(\.item.key.description), ["gone"])
    XCTAssertEqual(pass.leaving(rows, folding: .none).count, 2)
  }

  func testAGoodPassVouchesForItsListingAndItsRevision() throws {
    var pass = pass()
    pass.looked(nil)
    var whole = try comparison([.plain("a")], with: [])
    whole.listing.header.revision = .ordered(7)
    _ = try pass.listed(whole, of: [])
    var failed = pass
    let settlement = pass.ended(done)
    XCTAssertEqual(settlement.revision, 7)
    XCTAssertTrue(settlement.keepsCatalog)
    XCTAssertEqual(settlement.validated?.listing.entries.count, 1)
    // Where an item failed, the listing was taken for true all the same.
    let item = SyncFailure<MirrorItem.ID>(
      stage: .downloadContents, key: .key(CatalogKey("a")), cause: ItemError.unframed)
    let other = failed.ended(PassReport(outcome: .failed, failures: [item]))
    XCTAssertEqual(other.revision, 7)
    XCTAssertNil(other.validated)
    XCTAssertFalse(other.keepsCatalog)
  }

  func testTheRecordSaysWhatTheReportSays() throws {
    for outcome in [
      PassOutcome.succeeded, .cancelled, .removalRefused(count: 1, of: 2), .failed,
    ] {
      var pass = try XCTUnwrap(passes()[.placed])
      _ = pass.ended(PassReport(outcome: outcome))
      let ending = try XCTUnwrap(pass.ending)
      let record = try XCTUnwrap(pass.record(startedAt: 1, took: .seconds(2), catalog: "c"))
      XCTAssertEqual(record.ending, RunEnding(MirrorReport(pass, ending).outcome))
      XCTAssertEqual(record.counts.failed, MirrorReport(pass, ending).failed)
      XCTAssertEqual(record.endedNanoseconds - record.startedNanoseconds, 2_000_000_000)
    }
  }

  func testTheRecordTellsALimitOfTimeFromAPerson() throws {
    for (outcome, ending) in [
      (PassOutcome.cancelled, RunEnding.outOfTime), (.succeeded, .succeeded),
    ] {
      var pass = try XCTUnwrap(passes()[.placed])
      pass.timeIsUp(after: .seconds(60))
      _ = pass.ended(PassReport(outcome: outcome))
      XCTAssertEqual(pass.record(startedAt: 1, took: .zero, catalog: "c")?.ending, ending)
    }
  }
}
