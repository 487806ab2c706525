import Foundation
import TestSupport
import XCTest

/// Command lines of people who have something else in mind: what they are told to type.
final class MistakenWordsTests: MirrorTestCase {
  private func assertTold(
    _ arguments: [String], _ words: String, line: UInt = #line
  ) throws {
    let child = try start(arguments)
    XCTAssertEqual(try child.end(within: .seconds(30)), .exited(64), child.said, line: line)
    XCTAssertTrue(child.said.contains(words), child.said, line: line)
  }

  /// As one word it was "no catalog's address", and as several "'bookworm' is too much".
  func testALineOfAptIsAnsweredWithTheCommandForIt() throws {
    let debian = "FOLDER --format debian --component main"
    for (words, command) in [
      (
        ["sync", "deb http://deb.example.org/debian bookworm main contrib", copy.path],
        """
        say: mirror sync http://deb.example.org/debian/dists/bookworm/ \(debian) \
        --component contrib; see
        """
      ),
      (
        ["plan", "deb", "http://deb.example.org/debian/", "bookworm", "main", copy.path],
        "say: mirror plan http://deb.example.org/debian/dists/bookworm/ \(debian); see"
      ),
      (
        [
          "sync", "deb [ arch=amd64,arm64 signed-by=/etc/k.gpg ] https://u:hush@h/d s/u main",
          copy.path,
        ],
        """
        say: mirror sync https://h/d/dists/s/u/ \(debian) --architecture amd64 \
        --architecture arm64 --keyring /etc/k.gpg; see
        """
      ),
      (
        ["doctor", "deb [arch=amd64] http://h/flat ./"],
        "say: mirror doctor http://h/flat/ --format debian --architecture amd64; see"
      ),
      (
        ["sync", "deb-src http://h/debian s main", copy.path],
        "for source packages, which aren't mirrored; see"
      ),
    ] {
      try assertTold(words, "that is a line of apt's sources.list")
      try assertTold(words, command)
    }
    XCTAssertFalse(isThere(copy))
  }

  /// It said that the address "is no mirror yet".
  func testAnAddressInPlaceOfAFolderIsToldAsThat() throws {
    for command in ["verify", "status", "sums", "restore"] {
      try assertTold(
        [command, "https://h/x/"],
        "\(command) takes the folder that the mirror is in, and no address")
    }
    try assertTold(["publish", "s3://b"], "publish takes the folder of files, and no address")
    for command in ["sync", "plan", "watch"] {
      try assertTold(
        [command, "http://h/a", "http://h/b"],
        "the second is the folder that is to be made equal, and 'http://h/b' is an address")
    }
  }

  func testTheNearestFormatIsOffered() throws {
    try assertTold(
      ["sync", "http://h/", copy.path, "--format", "deb"],
      "'deb' is unknown; did you mean 'debian'? There are nginx-html")
  }

  /// `sync` had it alone, so that a plan couldn't say what a sync from cron would.
  func testAPlanRefusesWhatIsNoMirrorYetAsASyncDoes() throws {
    try publish(["a.txt": "a"])
    let address = try serve(listing: .html).url
    for make in [false, true] {
      if make { try makeFolder(at: copy) }
      let plan = try mirror("plan", address, copy.path, "--existing")
      let sync = try mirror("sync", address, copy.path, "--existing")
      assertEnd(plan, 1)
      XCTAssertEqual(plan.said, sync.said)
      XCTAssertEqual(try mirror("sync", "-n", address, copy.path, "--existing").said, sync.said)
    }
    assertEnd(try sync(address), 0)
    assertEnd(try mirror("plan", address, copy.path, "--existing"), 0)
  }

  /// What was displaced was told before what had been found.
  func testARepairTellsWhatItFoundBeforeWhatItDid() throws {
    try publish(["a.txt": "alpha", "b.txt": "beta"])
    try publishCatalog()
    assertEnd(try sync(try serve().url + "catalog.ndjson"), 0)
    try Data("mine".utf8).write(to: copy.appending(path: "a.txt"))
    let repair = try mirror("verify", copy.path, "--repair")
    assertEnd(repair, 0)
    let lines = repair.printed.split(separator: "\n").map(String.init)
    XCTAssertEqual(lines.count, 3, "\(repair)")
    XCTAssertTrue(lines[0].hasSuffix("1 not as it should be, 1 as recorded"), "\(repair)")
    XCTAssertTrue(lines[1].contains("is now .mirror/displaced/"), "\(repair)")
    XCTAssertTrue(lines[2].hasPrefix("done: 1 repaired, 1 displaced"), "\(repair)")
  }

  /// Each package failed by itself with the same sentence.
  func testASuiteInAFileIsToldOnceThatItsPackagesLieElsewhere() throws {
    var suite = SuiteOfFiles(at: source)
    suite.files["main/binary-amd64/Packages"] = SuiteOfFiles.list(["a", "b"])
    try suite.publish(["a", "b"])
    let address = "file://" + source.path + "/" + SuiteOfFiles.path
    let outcome = try sync(address, ["--format", "debian"])
    assertEnd(outcome, 1)
    XCTAssertEqual(outcome.said.split(separator: "\n").count, 1, outcome.said)
    XCTAssertTrue(outcome.said.contains("whose packages lie outside its folder"), outcome.said)
    XCTAssertTrue(outcome.said.contains("serve the repository over http"), outcome.said)
    XCTAssertFalse(isThere(copy.appending(path: "pool")))
  }
}
