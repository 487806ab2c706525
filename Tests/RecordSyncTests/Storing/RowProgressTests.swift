import XCTest

@testable import RecordSync

/// The steps of one row.
final class RowProgressTests: XCTestCase {
  private let row = FoundRow(address: [.integer(1)], values: [.integer(1)])
  private let reference = UnresolvedReference(
    key: nil, name: "company", target: RecordKey([.integer(7)]))

  /// A row after these steps.
  private func after(_ steps: [(inout RowProgress) -> Void]) -> RowProgress {
    steps.reduce(into: RowProgress()) { progress, step in step(&progress) }
  }

  private func begin(_ progress: inout RowProgress) { _ = progress.begin() }
  private func insert(_ progress: inout RowProgress) { progress.insert(row) }
  private func settle(_ progress: inout RowProgress) { progress.settle(row) }
  private func waitForOne(_ progress: inout RowProgress) { progress.wait(for: [reference]) }
  private func refuse(_ progress: inout RowProgress) { progress.refuse(.other("no")) }
  private func takeBack(_ progress: inout RowProgress) { progress.takeBack(.other("no")) }
  private func leaveOut(_ progress: inout RowProgress) { progress.leaveOut() }
  private func reopen(_ progress: inout RowProgress) { progress.reopen() }
  private func reopenIfSettled(_ progress: inout RowProgress) { progress.reopenIfSettled() }
  private func deferReferences(_ progress: inout RowProgress) { progress.deferReferences() }
  private func openReferences(_ progress: inout RowProgress) { progress.openReferences() }
  private func closeReferences(_ progress: inout RowProgress) { progress.closeReferences() }

  /// In words, so that a table can hold it: state, what it waits for, and what is remembered of it.
  private func words(_ progress: RowProgress) -> String {
    var words: [String] =
      switch progress.state {
      case .open: ["open"]
      case .active: ["active"]
      case .settled: ["settled"]
      case .absent: ["absent"]
      case .refused: ["refused"]
      }
    switch progress.wait {
    case nil: break
    case .unresolved(let references): words.append("waits for \(references.count)")
    case .refused, .other: words.append("waits")
    }
    if progress.isNew { words.append("new") }
    if progress.wasThere { words.append("was there") }
    if progress.references != .now { words.append("references \(progress.references)") }
    return words.joined(separator: ", ")
  }

  func testEveryStepLeadsWhereItIsToLead() {
    let steps: [(steps: [(inout RowProgress) -> Void], is: String)] = [
      ([], "open"),
      ([begin], "active"),
      ([begin, insert], "settled, new"),
      ([begin, settle], "settled"),
      ([begin, leaveOut], "absent"),
      ([begin, refuse], "refused, waits"),
      ([begin, insert, waitForOne], "settled, waits for 1, new"),
      ([begin, insert, waitForOne, waitForOne], "settled, waits for 2, new"),
      ([begin, refuse, reopen], "open, waits"),
      ([begin, refuse, reopen, begin], "active"),
      ([begin, insert, waitForOne, reopen], "open, waits for 1, new, was there"),
      ([begin, insert, waitForOne, reopen, begin, settle], "settled, new, was there"),
      ([begin, insert, reopenIfSettled], "open, new, was there"),
      ([begin, reopenIfSettled], "active"),
      ([begin, leaveOut, reopenIfSettled], "absent"),
      // What went again may be inserted once more.
      ([begin, insert, reopen, begin, settle, takeBack], "refused, waits"),
      ([begin, insert, takeBack, reopen], "open, waits"),
      ([begin, deferReferences, insert], "settled, new, references later"),
      ([begin, deferReferences, insert, openReferences], "open, new, was there, references only"),
      // Where more has to wait, all of the row is tried once more.
      (
        [begin, deferReferences, insert, waitForOne, openReferences],
        "open, waits for 1, new, was there"
      ),
      ([begin, deferReferences, refuse, openReferences], "refused, waits"),
      (
        [begin, deferReferences, insert, openReferences, begin, settle, closeReferences],
        "settled, new, was there"
      ),
    ]
    for (steps, expected) in steps { XCTAssertEqual(words(after(steps)), expected) }
  }

  func testARowIsBegunOnceUntilItIsOpenedAgain() {
    var progress = RowProgress()
    XCTAssertTrue(progress.begin())
    XCTAssertFalse(progress.begin())
    progress.settle(row)
    XCTAssertFalse(progress.begin())
    progress.reopen()
    XCTAssertTrue(progress.begin())
  }

  func testOnlyWhatIsOpenOrBeingWrittenIsComing() {
    XCTAssertTrue(after([]).isComing)
    XCTAssertTrue(after([begin]).isComing)
    XCTAssertFalse(after([begin, settle]).isComing)
    XCTAssertFalse(after([begin, refuse]).isComing)
    XCTAssertFalse(after([begin, leaveOut]).isComing)
    XCTAssertEqual(after([begin, settle]).found, row)
    XCTAssertNil(after([begin, refuse]).found)
  }
}
