import Foundation
import TestSupport
import XCTest

/// Which keys have to be given for a signed catalog, and what is said of them.
final class SignedCatalogKeysTests: SignedCatalogTestCase {
  /// The last one alone signed, and mirrors that had the other one's key refused the catalog.
  func testACatalogIsSignedByEachKeyThatIsGiven() throws {
    let (good, other) = (try makeKeys(), try makeKeys("other"))
    try publish(["a.txt": "a"])
    let outcome = try mirror(
      "publish", source.path, "--sign-key", good.privateFile.path, "--sign-key",
      other.privateFile.path)
    assertEnd(outcome, 0)
    XCTAssertTrue(outcome.printed.contains("signed by the keys "), outcome.printed)
    try age(catalogIn: source)
    let address = try serve().url + "catalog.ndjson"
    for keys in [good, other] {
      assertEnd(try sync(address, verified(keys)), 0)
      try FileManager.default.removeItem(at: copy)
    }
  }

  func testASignedCatalogIsNotReplacedByOneThatIsNotUnlessThatIsSaid() throws {
    let good = try makeKeys()
    try publish(["a.txt": "a"])
    try publish(good)
    let before = try readText(catalog)
    let refused = try mirror("publish", source.path, "--title", "new")
    assertEnd(refused, 64)
    for part in ["--sign-key: the catalog 'catalog.ndjson' is signed by the", "(--unsigned)"] {
      XCTAssertTrue(refused.said.contains(part), refused.said)
    }
    XCTAssertEqual(try readText(catalog), before)
    assertEnd(try mirror("publish", source.path, "--title", "new", "--unsigned"), 0)
    XCTAssertFalse(try readText(catalog).contains("signature"))
  }

  /// Nobody was asked for a key, whatever was fetched.
  func testARepairOfAFolderThatWasCheckedNeedsItsKeyOrTheWordThatNoneIsNeeded() throws {
    let (good, other) = (try makeKeys(), try makeKeys("other"))
    try publish(["a.txt": "a", "b.txt": "b"])
    try publish(good)
    let server = try serve()
    assertEnd(try sync(server.url + "catalog.ndjson", verified(good)), 0)
    for more in [["--unsigned"], verified(other, good)] {
      try Data("X".utf8).write(to: copy.appending(path: "a.txt"))
      assertEnd(try mirror("verify", copy.path), 2)
      _ = try server.takeRequests()
      for wrong in [[], verified(other)] {
        let refused = try mirror(["verify", copy.path, "--repair"] + wrong)
        assertEnd(refused, 64)
        XCTAssertTrue(refused.said.contains("which isn't given now"), refused.said)
        XCTAssertTrue(refused.said.contains("(--unsigned)"), refused.said)
      }
      XCTAssertEqual(try server.takeRequests().count, 0)
      assertEnd(try mirror(["verify", copy.path, "--repair"] + more), 0)
      XCTAssertEqual(try copied(), ["a.txt": "a", "b.txt": "b"])
    }
    let told = try mirror("status", copy.path).printed
    XCTAssertFalse(told.contains("without (--unsigned)"), "no catalog was taken: \(told)")
  }

  func testTheDoctorSaysHowLongItMayBeTakenAndThatThisIsOver() throws {
    let good = try makeKeys()
    try publish(["a.txt": "a"])
    try publish(good)
    let address = try serve().url + "catalog.ndjson"
    func doctor(_ more: [String] = []) throws -> String {
      try mirror(["doctor", address] + more).printed
    }
    XCTAssertTrue(try doctor().contains("  It doesn't say until when it may be taken."))
    try sign(#","revision":7,"complete":true,"expires":"2999-11-20T21:47:24Z""#, with: good)
    let end = "until 2999-11-20T21:47:24Z.\n"
    XCTAssertTrue(try doctor().contains("  It says that it may be taken \(end)"))
    XCTAssertTrue(try doctor(verified(good)).contains("  It may be taken \(end)"))
    XCTAssertTrue(try doctor(["--json"]).contains(#""expires":"2999-11-20T21:47:24Z""#))
    try sign(#","revision":8,"complete":true,"expires":"2020-11-20T21:47:24Z""#, with: good)
    XCTAssertTrue(try doctor().contains("until 2020-11-20T21:47:24Z. That is over: "))
    try publish(nil)
    XCTAssertFalse(try doctor().contains("may be taken"))
  }
}
