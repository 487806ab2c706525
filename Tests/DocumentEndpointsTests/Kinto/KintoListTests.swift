import DocumentSync
import XCTest

@testable import DocumentEndpoints

final class KintoListTests: XCTestCase {
  func testCheckpointsAndMarksAreReadAsTheyWereWritten() {
    for generation in [nil, 0, 1_700_000_000_000] as [Int64?] {
      let checkpoint = KintoCheckpoint(change: 12, generation: generation)
      XCTAssertEqual(KintoCheckpoint(checkpoint.text), checkpoint)
      for extent in [ChangePage.Extent.everything, .changes] {
        let list = KintoList(extent: extent, start: 9, generation: generation, told: 7)
        let read = KintoList.read(mark: list.mark("a=b/c?d"))
        XCTAssertEqual(read?.list, list)
        XCTAssertEqual(read?.query, "a=b/c?d")
      }
    }
  }

  func testWhatIsNoMarkIsNone() {
    for text in ["", "?", "changes/1/2/3", "some/1/2/3?q", "changes/1/2?q", "changes/x/2/3?q"] {
      XCTAssertNil(KintoList.read(mark: text), text)
    }
  }

  /// What a list vouches for: a list of everything not for deletions after its beginning.
  func testTheCheckpointOfEachPage() {
    for (extent, told, isOver, change) in [
      (.everything, 5, false, 5), (.everything, 12, false, 9), (.everything, 5, true, 9),
      (.everything, 12, true, 9), (.changes, 5, false, 5), (.changes, 12, false, 12),
      (.changes, 5, true, 9), (.changes, 12, true, 12),
    ] as [(ChangePage.Extent, Int64, Bool, Int64)] {
      let list = KintoList(extent: extent, start: 9, generation: 3, told: told)
      XCTAssertEqual(
        list.checkpoint(isOver: isOver), KintoCheckpoint(change: change, generation: 3),
        "\(extent) \(told) \(isOver)")
    }
  }
}
