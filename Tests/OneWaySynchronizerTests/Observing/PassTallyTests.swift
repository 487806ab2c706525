@testable import SyncEngine
@testable import OneWaySynchronizer
import XCTest

/// How far a pass's downloads are: never less than before.
final class PassTallyTests: XCTestCase {
  func testItCountsOverStagesAndNeverGoesBack() {
    let steps: [(name: String, step: (inout PassTally) -> Void, done: Int)] = [
      ("previews", { $0.enter(.downloadPreviews) }, 0),
      ("one", { $0.take(ended: 1) }, 1),
      ("news that is late", { $0.take(ended: 0) }, 1),
      ("contents, the rest unseen", { $0.enter(.downloadContents) }, 4),
      ("three", { $0.take(ended: 3) }, 7),
      ("the commit", { $0.enter(.commitDownloads) }, 7),
      ("the end", { $0.enter(.end) }, 7),
    ]
    var tally = PassTally(items: 4, in: [.downloadPreviews, .downloadContents])
    XCTAssertEqual(tally.total, 8)
    for (name, step, done) in steps {
      step(&tally)
      XCTAssertEqual(tally.done, done, name)
      XCTAssertEqual(tally.fraction, Double(done) / 8, name)
    }
  }

  func testWhereNothingIsDownloadedItIsFull() {
    for tally in [PassTally(items: 0, in: [.downloadContents]), PassTally(items: 9, in: [])] {
      XCTAssertEqual(tally.fraction, 1)
    }
  }
}
