import FolderTestSupport
import XCTest

@testable import SyncFolder
@testable import SyncText

/// A staged file can be hashed by more than SHA-256, in one go with its bytes.
final class FurtherDigestTests: FolderTestCase {
  private static let bytes = (0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }

  private func write(_ bytes: ArraySlice<UInt8>, to file: StagedFile) throws {
    for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 100_003) {
      let piece = Array(bytes[start..<min(start + 100_003, bytes.endIndex)])
      try piece.withUnsafeBytes { try file.write($0) }
    }
  }

  private func assertWhole(_ digests: FileDigests, line: UInt = #line) throws {
    XCTAssertEqual(digests.sha256, SHA256Digest(of: Self.bytes), line: line)
    let expected = [ContentDigest.Algorithm.md5, .sha512]
      .map { ContentDigest($0, of: Self.bytes) }
    XCTAssertEqual(Set(digests.further), Set(expected.compactMap(\.self)), line: line)
  }

  func testALargeFileIsHashedByAllThatIsAskedFor() throws {
    let staging = try Staging(open())
    let file = try staging.create(hashedBy: [.md5, .sha512, .sha256])
    try write(Self.bytes[..<5_000], to: file)
    try file.restart()
    try write(Self.bytes[...], to: file)
    try assertWhole(file.finish(modified: nil).digests)
  }

  func testAFileThatGoesOnIsHashedFromItsBeginning() throws {
    let staging = try Staging(open())
    let file = try staging.create(name: "part")
    try write(Self.bytes[..<2_000_000], to: file)
    file.suspend()
    let resumed = try XCTUnwrap(try staging.resume(name: "part", hashedBy: [.md5, .sha512]))
    try write(Self.bytes[2_000_000...], to: resumed)
    try assertWhole(resumed.finish(modified: nil).digests)
  }

  func testOnlyADigestByTheSameAlgorithmDisagrees() throws {
    let (abc, other) = (Array("abc".utf8), Array("other".utf8))
    let md5 = try XCTUnwrap(ContentDigest(.md5, of: abc))
    let digests = FileDigests(sha256: SHA256Digest(of: abc), further: [md5])
    let wrong = try XCTUnwrap(ContentDigest(.md5, of: other))
    let unknown = try XCTUnwrap(ContentDigest(.sha1, of: other))
    XCTAssertNil(digests.mismatch(among: [md5, unknown]))
    XCTAssertEqual(digests.mismatch(among: [unknown, wrong]), wrong)
    XCTAssertTrue(digests.prove(ContentDigest(SHA256Digest(of: abc))))
    XCTAssertFalse(digests.prove(md5), "equal, and proves nothing")
    XCTAssertFalse(digests.prove(ContentDigest(SHA256Digest(of: other))))
  }
}
