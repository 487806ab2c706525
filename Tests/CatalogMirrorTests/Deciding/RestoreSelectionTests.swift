import XCTest

@testable import CatalogMirror
@testable import SyncFiles
@testable import SyncFolder
@testable import SyncText

/// Which files are chosen to come back, as a table.
final class RestoreSelectionTests: XCTestCase {
  private let (late, early) = ("20250202T000000Z", "20250101T000000Z")

  private func file(_ key: String, _ batch: String, _ area: AwayArea) -> MirrorRestorable {
    MirrorRestorable(
      AwayFile(
        area: area, batch: batch, key: ByteString(key),
        status: FileStatus(
          kind: .file, size: 1, modifiedNanoseconds: 0, inode: 1, device: 1, mode: 0o644)))
  }

  private var files: [MirrorRestorable] {
    [
      file("d/a", late, .quarantine), file("mine", late, .displaced),
      file("d/a", early, .quarantine), file("d/b", early, .quarantine),
      file("da", early, .quarantine),
    ]
  }

  func testTheNewestOfEachKeyIsChosenUnlessABatchIsNamed() {
    typealias Row = (
      keys: [String], batch: String?, causes: Set<MirrorRestorable.Cause>?, chosen: [Int],
      unknown: [String], older: Int
    )
    let rows: [Row] = [
      ([], nil, nil, [0, 1, 3, 4], [], 1), ([], nil, [.displaced], [1], [], 0),
      ([], nil, [.removed], [0, 3, 4], [], 1), ([], early, nil, [2, 3, 4], [], 0),
      (["d/a"], nil, nil, [0], [], 1), (["d/a"], early, nil, [2], [], 0),
      (["d"], nil, nil, [0, 3], [], 1), (["d/"], nil, nil, [0, 3], [], 1),
      (["mine"], nil, [.removed], [], ["mine"], 0), (["d/b", "no"], nil, nil, [3], ["no"], 0),
      ([], "20240101T000000Z", nil, [], [], 0),
    ]
    for row in rows {
      var selection = RestoreSelection()
      (selection.keys, selection.batch) = (row.keys, row.batch)
      if let causes = row.causes { selection.causes = causes }
      let choice = selection.choose(from: files)
      XCTAssertEqual(choice.files, row.chosen.map { files[$0] }, "\(row)")
      XCTAssertEqual(choice.unknown, row.unknown, "\(row)")
      XCTAssertEqual(choice.older, row.older, "\(row)")
    }
  }

  func testABatchWithNothingToBringBackIsTold() {
    let nowhere = "20240101T000000Z"
    let rows: [([String], String?, Set<MirrorRestorable.Cause>, RestoreSelection.BatchProblem?)] = [
      ([], nowhere, [.removed], .unknown), (["d/a"], nowhere, [.removed, .displaced], .unknown),
      ([], early, [.displaced], .otherCauses), (["mine"], early, [.displaced], nil),
      ([], early, [.removed], nil), ([], late, [.displaced], nil), ([], nil, [.removed], nil),
    ]
    for (keys, batch, causes, problem) in rows {
      var selection = RestoreSelection()
      (selection.keys, selection.batch, selection.causes) = (keys, batch, causes)
      XCTAssertEqual(selection.choose(from: files).batchProblem, problem, "\(keys) \(batch ?? "")")
    }
  }
}
