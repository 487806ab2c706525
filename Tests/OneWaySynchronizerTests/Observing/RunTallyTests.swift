@testable import SyncEngine
@testable import OneWaySynchronizer
import XCTest

/// How far a run's downloads are: never less than before.
final class RunTallyTests: XCTestCase {
  private func totals(_ finished: Int, of total: Int) -> ItemTotals {
    ItemTotals(finished: finished, failed: 0, total: total)
  }

  func testItCountsOverStagesAndPassesAndNeverGoesBack() {
    let steps: [(name: String, step: (inout RunTally) -> Void, done: Int, total: Int?)] = [
      ("nothing is known", { $0.enter(.fetchSourceList) }, 0, nil),
      ("a plan", { $0.expect(items: 4, in: [.downloadPreviews, .downloadContents]) }, 0, 8),
      ("previews", { $0.enter(.downloadPreviews) }, 0, 8),
      ("one", { $0.take(self.totals(1, of: 4), of: .downloadPreviews) }, 1, 8),
      ("news that is late", { $0.take(self.totals(0, of: 4), of: .downloadPreviews) }, 1, 8),
      ("contents, the rest unseen", { $0.enter(.downloadContents) }, 4, 8),
      ("three", { $0.take(self.totals(3, of: 4), of: .downloadContents) }, 7, 8),
      ("the commit", { $0.enter(.commitDownloads) }, 7, 8),
      ("a commit fails", { $0.take(self.totals(1, of: 1), of: .commitDownloads) }, 7, 8),
      ("a further pass", { $0.enter(.begin) }, 7, 8),
      ("has more", { $0.expect(items: 2, in: [.downloadContents]) }, 8, 10),
      ("contents", { $0.enter(.downloadContents) }, 8, 10),
      ("both", { $0.take(self.totals(2, of: 2), of: .downloadContents) }, 10, 10),
      ("a pass without news", { $0.expect(items: 0, in: [.downloadContents]) }, 10, 10),
    ]
    var tally = RunTally()
    for (name, step, done, total) in steps {
      step(&tally)
      XCTAssertEqual(tally.done, done, name)
      XCTAssertEqual(tally.total, total, name)
    }
  }
}
