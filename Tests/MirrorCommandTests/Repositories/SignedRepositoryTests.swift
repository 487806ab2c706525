import Foundation
import TestSupport
import XCTest

/// Repositories that are believed only if a key of a keyring has signed them.
final class SignedRepositoryTests: MirrorTestCase {
  func testOnlyWhatAKeyOfTheKeyringHasSignedIsBelieved() throws {
    let archive = try DebianArchive(at: source, workshop: base)
    defer { try? archive.close() }
    let (good, other) = (try archive.makeKey("good"), try archive.makeKey("other"))
    let packages = try archive.build([("one", "amd64"), ("two", "arm64")])
    var manner = DebianArchive.Manner()
    manner.signer = "good"
    try archive.publish(packages, manner)
    let address = try serve().url + DebianArchive.suite
    let suite = ["--format", "debian", "--keyring"]

    let refused = try sync(address, suite + [other.path])
    assertEnd(refused, 1)
    XCTAssert(refused.said.contains("InRelease can't be believed"), refused.said)
    XCTAssertFalse(FileManager.default.fileExists(atPath: copy.path))
    assertEnd(try sync(address, suite + [good.path]), 0)
    try assertCopyIsTrue()

    let before = try files(in: copy)
    let file = source.appending(path: "dists/stable/InRelease")
    let signed = try String(contentsOf: file, encoding: .utf8)
    try Data(signed.replacing("Suite: stable", with: "Suite: forged").utf8).write(to: file)
    let forged = try sync(address, suite + [good.path])
    assertEnd(forged, 1)
    XCTAssert(forged.said.contains("BAD signature"), forged.said)
    XCTAssertEqual(try files(in: copy), before)
    let missing = try sync(address, suite + [base.appending(path: "nowhere.gpg").path])
    assertEnd(missing, 1)
    XCTAssert(missing.said.contains("nowhere.gpg"), missing.said)
    XCTAssertEqual(try files(in: copy), before)
  }

  func testASignatureBesideTheReleaseIsCheckedAndKept() throws {
    let archive = try DebianArchive(at: source, workshop: base)
    defer { try? archive.close() }
    let (good, other) = (try archive.makeKey("good"), try archive.makeKey("other"))
    let packages = try archive.build([("one", "amd64")])
    var manner = DebianArchive.Manner()
    try archive.publish(packages, manner)
    let address = try serve().url + DebianArchive.suite + "Release"
    let unsigned = try sync(address, ["--keyring", good.path])
    assertEnd(unsigned, 1)
    XCTAssert(unsigned.said.contains("isn't signed"), unsigned.said)
    (manner.signer, manner.signsBeside) = ("good", true)
    try archive.publish(packages, manner)
    let refused = try sync(address, ["--keyring", other.path])
    assertEnd(refused, 1)
    XCTAssert(refused.said.contains("No public key"), refused.said)
    assertEnd(try sync(address, ["--keyring", good.path]), 0)
    try assertCopyIsTrue()
    XCTAssertNotNil(try files(in: copy)["dists/stable/Release.gpg"])
  }

  func testACatalogThatHasNoSignaturesIsRefusedWithAKeyring() throws {
    try publish(["SUMS": "\(String(repeating: "ab", count: 32))  a\n"])
    let outcome = try sync(try serve().url + "SUMS", ["--keyring", "keys.gpg"])
    assertEnd(outcome, 1)
    XCTAssert(outcome.said.contains("isn't signed"), outcome.said)
  }
}
