import Foundation
import TestSupport
import XCTest

/// Which address a person gives of a Debian repository, and what he is told of any other.
final class SuiteAddressTests: MirrorTestCase {
  private func publishedAddress() throws -> String {
    let archive = try DebianArchive(at: source, workshop: base)
    try archive.publish(try archive.build([("one", "amd64"), ("two", "arm64")]))
    return try serve().url
  }

  func testASuiteWithoutInReleaseIsReadByItsRelease() throws {
    let address = try publishedAddress() + DebianArchive.suite
    for _ in 0..<2 { assertEnd(try sync(address, ["--format", "debian"]), 0) }
    try assertCopyIsTrue()
    // From now on the validators that are sent are those of another file.
    let release = source.appending(path: "dists/stable/Release")
    let text = try readText(release)
    try Data((text + "Codename: x\n").utf8).write(to: release)
    assertEnd(try sync(address, ["--format", "debian"]), 0)
    try assertCopyIsTrue()
  }

  func testOnlyWhatIsNotThereIsLookedForInRelease() throws {
    let address = try publishedAddress() + DebianArchive.suite
    try publish(["dists/stable/InRelease": "<html>Sign in</html>"])
    let outcome = try sync(address, ["--format", "debian"])
    assertEnd(outcome, 1)
    XCTAssert(outcome.said.contains("InRelease gave"), outcome.said)
  }

  func testWhoGivesAnotherAddressIsToldTheFormOfASuites() throws {
    let root = try publishedAddress()
    for path in ["", "dists/", "dists", "dists/nowhere/", "dists/stable/main/", "pool/main"] {
      let outcome = try sync(root + path, ["--format", "debian"])
      assertEnd(outcome, 1)
      let isAbove = path == "" || path.hasPrefix("dists")
      let suite = root + (isAbove ? "" : "pool/main/") + "dists/SUITE/"
      // What has a suite's form was told that form.
      let isNamed = path == "dists/nowhere/"
      let words = isNamed ? "check the name of the suite" : "such as \(suite), or"
      XCTAssert(outcome.said.contains(words), "\(path): \(outcome.said)")
      XCTAssertEqual(outcome.said.contains("such as"), !isNamed, outcome.said)
      XCTAssert(outcome.said.contains("neither an InRelease nor a Release"), outcome.said)
      XCTAssertFalse(isThere(copy))
    }
  }

  func testAListThatWasCutOrIsDamagedIsToldAsThat() throws {
    let address = try publishedAddress() + DebianArchive.suite
    let list = source.appending(path: "dists/stable/main/binary-amd64/Packages.gz")
    let whole = try Data(contentsOf: list)
    var damaged = whole
    damaged[whole.count / 2] ^= 1
    for (bytes, words) in [
      (whole.dropLast(9), "has another size than the file that names it says"),
      (damaged, "gave a file that isn't packed as its name says, or is damaged"),
    ] {
      try bytes.write(to: list)
      let outcome = try sync(address, ["--format", "debian"])
      assertEnd(outcome, 1)
      XCTAssert(outcome.said.contains("Packages.gz \(words)"), outcome.said)
      XCTAssert(outcome.said.contains("try again, and "), outcome.said)
    }
  }
}
