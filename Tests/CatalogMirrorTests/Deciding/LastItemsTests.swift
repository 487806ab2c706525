import XCTest

@testable import CatalogMirror
@testable import SyncFiles
@testable import SyncText

/// Whether what comes last may come.
final class LastItemsTests: XCTestCase {
  func testItComesOnlyIfEverythingElseWentWell() throws {
    let steps: [(String, (inout LastItems) -> Void)] = [
      ("expected", { $0.expect(2) }), ("one", { $0.succeed() }), ("two", { $0.succeed() }),
    ]
    let troubles: [(String, (inout LastItems) -> Void, LastItems.Verdict)] = [
      ("none", { _ in }, .place), ("failed", { $0.fail() }, .holdBack),
      ("unlisted", { $0.lackListing() }, .holdBack),
    ]
    for (name, trouble, end) in troubles {
      var last = LastItems([try KeyPattern("dists/")])
      trouble(&last)
      for (step, change) in steps {
        change(&last)
        let isOver = step == "two"
        let expected: LastItems.Verdict = end == .holdBack ? .holdBack : isOver ? .place : .drop
        XCTAssertEqual(last.verdict, expected, "\(name), \(step)")
      }
    }
  }

  func testNothingIsRemovedWhereSomethingFailedOrWasHeldBack() throws {
    let changes: [(Bool, (inout LastItems) -> Void)] = [
      (true, { _ in }), (false, { $0.fail() }), (false, { $0.heldBack() }),
      // It may be the index that can't be listed, and what is held of it names what vanished.
      (false, { $0.lackListing() }),
    ]
    for (allowed, change) in changes {
      var last = LastItems([try KeyPattern("dists/")])
      change(&last)
      XCTAssertEqual(last.allowRemoval, allowed)
      var none = LastItems()
      change(&none)
      XCTAssert(none.allowRemoval)
    }
  }

  func testOfSeveralPatternsTheLastThatFitsGivesThePlace() throws {
    let last = LastItems(try ["dists/", "Release", "InRelease"].map { try KeyPattern($0) })
    let ranks = ["dists/Packages": 0, "dists/Release": 1, "dists/InRelease": 2]
    for (key, rank) in ranks {
      XCTAssert(last.hold(CatalogKey(key)))
      XCTAssertEqual(last.rank(of: CatalogKey(key)), rank)
    }
    XCTAssertFalse(last.hold(CatalogKey("pool/x")))
  }
}

/// What counts as damaged, a row for each way in which a file may stand there.
final class FileConditionTests: XCTestCase {
  private let digest = SHA256Digest(of: [1])
  private let left = FileStamp(size: 3, modifiedNanoseconds: 5, inode: 7)

  private func status(
    _ kind: FileStatus.Kind = .file, size: Int64 = 3, modified: Int64 = 5, inode: UInt64 = 7
  ) -> FileStatus {
    FileStatus(
      kind: kind, size: size, modifiedNanoseconds: modified, inode: inode, device: 1, mode: 0)
  }

  func testWhatAFileLooksLikeTellsItsCondition() {
    let rows: [(FileStatus?, SHA256Digest?, FileCondition)] = [
      (status(), digest, .asLeft), (status(), nil, .asLeft),
      (status(modified: 6), digest, .toBeHashed(against: digest)),
      (status(modified: 6), nil, .damaged),
      (status(inode: 8), digest, .toBeHashed(against: digest)),
      (status(inode: 8), nil, .copied(status(inode: 8).stamp)),
      (status(modified: 6, inode: 8), nil, .damaged), (status(size: 4, inode: 8), nil, .damaged),
      (status(size: 4), digest, .damaged), (status(size: 4, modified: 6), digest, .damaged),
      (status(.directory), digest, .damaged), (status(.symbolicLink), digest, .damaged),
      (nil, digest, .gone), (nil, nil, .gone),
    ]
    for (status, digest, condition) in rows {
      XCTAssertEqual(
        FileCondition(leftAs: left, sha256: digest, now: status), condition, "\(condition)")
    }
  }
}
