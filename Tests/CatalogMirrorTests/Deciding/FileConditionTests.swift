import XCTest

@testable import CatalogMirror
@testable import SyncFiles
@testable import SyncText

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
