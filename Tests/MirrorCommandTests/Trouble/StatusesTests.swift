import Foundation
import TestSupport
import XCTest

/// Exit statuses of what can't be begun, or told.
final class StatusesTests: MirrorTestCase {
  func testWhatCanNeverWorkIsAUsageErrorAndMakesNothing() throws {
    for catalog in ["ftp://example.org/pub/", "http://", "https://", "nonsense"] {
      for command in ["sync", "plan"] {
        let outcome = try mirror(command, catalog, copy.path)
        assertRefused(outcome, 64, saying: "is no catalog's address")
      }
    }
    for (catalog, meant) in [
      ("example.org/pub/", "https://example.org/pub/"), ("localhost:80/", "http://localhost:80/"),
      ("example.org:443/", "https://example.org:443/"), ("10.0.0.1:8080", "http://10.0.0.1:8080"),
      ("/srv/pub/", "file:///srv/pub/"),
    ] {
      assertRefused(try mirror("sync", catalog, copy.path), 64, saying: "such as \(meant)")
    }
    for catalog in ["../pub", "nonsense", "catalog.ndjson", "//host/x", "/srv/my pub/"] {
      let outcome = try mirror("sync", catalog, copy.path)
      XCTAssertFalse(outcome.said.contains("such as"), outcome.said)
    }
    let lacking = try mirror(
      "sync", "http://127.0.0.1:1/", copy.path, "--token-file", base.path + "/none")
    assertRefused(lacking, 64, saying: "--token-file")
    try publish(["a": "a"])
    assertRefused(try mirror("publish", source.path, "--base", "nonsense"), 64, saying: "base")
    assertRefused(try mirror("publish", source.path, "--previews", "none"), 64, saying: "none")
    assertRefused(
      try mirror("sync", "http://127.0.0.1:1/", copy.path, "--max-duration", "0"), 64,
      saying: "--max-duration")
    XCTAssertFalse(isThere(copy))
  }

  func testAFolderWithinAMirrorsOwnIsRefusedByEveryCommand() throws {
    try publish(["a": "a"])
    assertEnd(try mirror("publish", source.path), 0)
    let server = try serve()
    let catalog = server.url + "catalog.ndjson"
    assertEnd(try sync(catalog), 0)
    let inside = copy.appending(path: ".mirror/quarantine/sub").path
    for arguments in [
      ["sync", catalog, inside], ["plan", catalog, inside], ["status", inside],
      ["verify", inside], ["restore", inside], ["restore", copy.path, "--all", "--to", inside],
      ["publish", copy.path + "/.mirror"],
    ] {
      let child = try start(arguments)
      XCTAssertEqual(try child.end(within: .seconds(30)), .exited(1), "\(arguments)")
      XCTAssertTrue(child.said.contains("another mirror"), "\(arguments): \(child.said)")
    }
    let log = copy.path + "/log"
    let refused = try mirror("status", copy.path, "--log-file", log)
    assertRefused(refused, 64, saying: "--log-file", "among the files")
    XCTAssertFalse(isThere(log))
  }

  func testMissingDirectoriesAboveAreNamedAndMadeWhenAskedFor() throws {
    try publish(["a": "a"])
    let server = try serve(listing: .json)
    let deep = copy.appending(path: "x/y").path
    assertRefused(try mirror("sync", server.url, deep), 1, saying: "directories made (--parents)")
    XCTAssertFalse(isThere(copy))
    assertEnd(try mirror("sync", server.url, deep + "/./", "--parents"), 0)
    XCTAssertEqual(try readText(deep + "/a"), "a")
  }

  func testStandardOutputOnAFullDeviceIsAFailureOfEveryCommand() throws {
    try publish(["a": "a", "b": "b", "c": "c"])
    let server = try serve(listing: .json)
    assertEnd(try sync(server.url), 0)
    try withdraw("b")
    assertEnd(try sync(server.url), 0)
    for arguments in [
      ["--help"], ["--version"], ["sync", server.url, copy.path], ["status", copy.path],
      ["plan", server.url, copy.path], ["verify", copy.path], ["restore", copy.path],
      ["publish", source.path],
    ] {
      for style in [[], ["--json"]] where arguments[0].hasPrefix("--") == false || style.isEmpty {
        let line = ([Programs.mirror] + arguments + style).map { "'\($0)'" }.joined(separator: " ")
        let child = try start(["-c", "\(line) > /dev/full"], program: Programs.find("sh"))
        XCTAssertEqual(try child.end(within: .seconds(30)), .exited(1), "\(arguments) \(style)")
        XCTAssertTrue(child.said.contains("standard output"), "\(arguments): \(child.said)")
      }
    }
  }

  func testARunWhoseTimeIsUpSaysSoAndTheNextGoesOn() throws {
    try publish(["a.txt": "a", "zz-held.txt": "held"])
    let hold = try LoopbackListener()
    let server = try serve(holding: "/zz-held.txt", at: hold, listing: .json)
    let told = base.appending(path: "changes")
    let child = try start([
      "sync", server.url, copy.path, "--max-duration", "1s", "--after-change", "cat > \(told.path)",
    ])
    XCTAssertTrue(hold.waitForCaller(), child.said)
    XCTAssertEqual(try child.end(within: .seconds(20)), .exited(2), child.said)
    let limit = "the time limit of 1.0 s was reached (status 2)"
    XCTAssertTrue(child.said.contains(limit), child.said)
    hold.close()
    XCTAssertEqual(try copied()["a.txt"], "a", "what is done is kept")
    let report = try readText(told)
    let end = "\"outcome\":\"out of time\",\"status\":2,\"timeLimit\":1"
    XCTAssertTrue(report.contains(end), report)
    assertEnd(try sync(server.url), 0)
  }
}
