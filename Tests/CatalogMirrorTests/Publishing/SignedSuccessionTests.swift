import Foundation
import SyncFiles
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing

/// Catalogs that take another one's place, which others may have signed, or changed.
///
/// Whoever could write to the file had the publisher sign the greatest revisions that there are.
final class SignedSuccessionTests: PublishingTestCase {
  private var workshop = URL(filePath: "/")
  private let now: Int64 = 1_800_000_000

  override func setUpWithError() throws {
    try super.setUpWithError()
    workshop = try temporaryFolder()
    try write("a", "1")
  }

  @discardableResult
  private func publish(
    _ keys: SigningKeys..., at seconds: Int64? = nil, acceptsUnsigned: Bool = false
  ) throws -> PublishReport {
    var options = CatalogWriter.Options()
    options.signKeys = keys.map(\.privateFile.path)
    options.acceptsUnsigned = acceptsUnsigned
    let seconds = seconds ?? now
    return try CatalogWriter(folder: folder.path, options: options) { seconds * 1_000_000_000 }
      .write()
  }

  private func signed(by keys: SigningKeys) throws -> SignedCatalog {
    let known = try SigningKeyFile(path: keys.publicFile.path, in: SystemFileSystem()).publicKeys
    return try SignedCatalog(header: Array(text().prefix { $0 != "\n" }.utf8), by: known)
  }

  private func assertRefused(
    _ keys: SigningKeys..., by error: PublishError, line: UInt = #line
  ) throws {
    let before = try text()
    XCTAssertThrowsError(
      try keys.isEmpty ? publish() : publish(keys[0]), line: line
    ) { XCTAssertEqual($0 as? PublishError, error, "\($0)", line: line) }
    XCTAssertEqual(try text(), before, line: line)
  }

  func testEveryGivenKeySigns() throws {
    let (good, other) = (try SigningKeys("good", in: workshop), try SigningKeys("b", in: workshop))
    let report = try publish(good, other, good)
    XCTAssertEqual(report.signedBy, try [signed(by: good).keys[0], signed(by: other).keys[0]])
    XCTAssertFalse(try publish(good, other).wasReplaced)
    XCTAssertTrue(try publish(good).wasReplaced, "the other one has to go")
    XCTAssertThrowsError(try signed(by: other))
    XCTAssertTrue(try publish(good, other).wasReplaced, "the other one is missing")
  }

  func testARevisionAheadOfTheClockIsBelievedOnlyIfAKeyHasSignedIt() throws {
    let (good, other) = (try SigningKeys("good", in: workshop), try SigningKeys("b", in: workshop))
    try publish(good)
    let header = try text().prefix { $0 != "\n" }
    let far = now + 86_401
    let forged = try text().replacing(header, with: header.replacing("\(now)", with: "\(far)"))
    let unsigned = #"{"catalog":1,"revision":9223372036854775806}"# + "\n"
    for (text, revision) in [(unsigned, .max - 1), (forged, far)] {
      try write("catalog.ndjson", text)
      try assertRefused(good, by: .unbelievedRevision("catalog.ndjson", revision))
    }
    try FileManager.default.removeItem(at: folder.appending(path: "catalog.ndjson"))
    try publish(other, at: far)
    try assertRefused(good, by: .unbelievedRevision("catalog.ndjson", far))
    // By a clock that was ahead; and what is but a little ahead makes no later state impossible.
    try publish(other)
    XCTAssertEqual(try signed(by: other).revision, far + 1)
    try write("catalog.ndjson", #"{"catalog":1,"revision":\#(now + 86_400)}"# + "\n")
    try publish(good)
    XCTAssertEqual(try signed(by: good).revision, now + 86_401)
  }

  func testOneThatIsNotSignedTakesThePlaceOfASignedOneOnlyIfThatIsSaid() throws {
    let good = try SigningKeys("good", in: workshop)
    try publish()
    try publish(good)
    let id = try signed(by: good).keys[0]
    try assertRefused(by: .badOption(.signKeyMissing("catalog.ndjson", [id])))
    XCTAssertTrue(try publish(acceptsUnsigned: true).wasReplaced)
    XCTAssertFalse(try publish().wasReplaced)
  }

  /// Every mirror took it for a damaged one.
  func testMoreKeysThanMirrorsTakeAreRefused() throws {
    let keys = try (0..<65).map { try SigningKeys("key\($0)", in: workshop) }
    func publish(_ keys: some Sequence<SigningKeys>) throws -> PublishReport {
      try writer { $0.signKeys = keys.map(\.privateFile.path) }.write()
    }
    XCTAssertThrowsError(try publish(keys)) {
      XCTAssertEqual($0 as? PublishError, .badOption(.tooManySignKeys(65)))
    }
    XCTAssertThrowsError(try text())
    XCTAssertEqual(try publish(keys.dropLast() + [keys[0]]).signedBy.count, 64)
    XCTAssertEqual(try signed(by: keys[7]).keys.count, 1)
  }

  func testAKeyAndThatNoneIsNeededAreRefused() throws {
    let keys = try SigningKeys("good", in: workshop)
    XCTAssertThrowsError(try publish(keys, acceptsUnsigned: true)) {
      XCTAssertEqual($0 as? PublishError, .badOption(.unsignedAndSigned))
    }
  }
}
