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
    XCTAssertFalse(isThere(copy))
    assertEnd(try sync(address, suite + [good.path]), 0)
    try assertCopyIsTrue()

    let before = try files(in: copy)
    let file = source.appending(path: "dists/stable/InRelease")
    let signed = try readText(file)
    try Data(signed.replacing("Suite: stable", with: "Suite: forged").utf8).write(to: file)
    let forged = try sync(address, suite + [good.path])
    assertEnd(forged, 1)
    XCTAssert(forged.said.contains("BAD signature"), forged.said)
    XCTAssertEqual(try files(in: copy), before)
  }

  func testAKeyringInArmourIsReadAndAFileThatIsNoneIsAMatterOfUsage() throws {
    let archive = try DebianArchive(at: source, workshop: base)
    defer { try? archive.close() }
    let keys = [try archive.makeKey("other"), try archive.makeKey("good")]
    var manner = DebianArchive.Manner()
    manner.signer = "good"
    try archive.publish(try archive.build([("one", "amd64")]), manner)
    let address = try serve().url + DebianArchive.suite
    let armoured = base.appending(path: "keys.asc")
    let text = try keys.map { try archive.run("gpg", "--enarmor", "--output", "-", $0.path) }
      .joined().replacing("PGP ARMORED FILE", with: "PGP PUBLIC KEY BLOCK")
    let suite = ["--format", "debian", "--keyring", armoured.path]

    let missing = try sync(address, suite)
    assertEnd(missing, 64)
    XCTAssert(missing.said.contains("keys.asc' can't be read"), missing.said)
    try Data(text.dropLast(40).utf8).write(to: armoured)
    let cut = try sync(address, suite)
    assertEnd(cut, 64)
    XCTAssert(cut.said.contains("its armour isn't whole"), cut.said)
    XCTAssertFalse(isThere(copy))
    try Data(text.utf8).write(to: armoured)
    assertEnd(try sync(address, suite), 0)
    try assertCopyIsTrue()
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

  /// It was said that the list isn't signed, as if that could be had.
  func testWithAKeyringAListThatBearsNoSignaturesIsRefusedWithTheFormatThatDoes() throws {
    try publish(["SUMS": "\(String(repeating: "ab", count: 32))  a\n"])
    let keyring = base.appending(path: "keys.gpg")
    try Data([0x99]).write(to: keyring)
    let outcome = try sync(try serve().url + "SUMS", ["--keyring", keyring.path])
    assertEnd(outcome, 1)
    for words in ["bear no signatures", "name the format 'debian'"] {
      XCTAssert(outcome.said.contains(words), outcome.said)
    }
  }
}
