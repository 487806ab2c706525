import Foundation
import TestSupport
import XCTest

/// A payload from an address, served by a real nginx.
final class AddressCommandTests: RecordsTestCase {
  func testOnePageOfAServerIsSyncedAndThenOnlyAskedFor() throws {
    let root = folder.appending(path: "www")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    let pages = [
      #"{"data": [{"id": 1, "name": "Anna"}], "next": "two.json"}"#,
      #"{"data": [{"id": 2}, {"id": 3, "name": "Cid"}], "next": null}"#,
    ]
    for (name, text) in zip(["one.json", "two.json"], pages) {
      let file = root.appending(path: name)
      try Data(text.utf8).write(to: file)
      // Validators prove nothing of what changed within the second of the answer.
      let old = Date(timeIntervalSinceNow: -3_600)
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file.path)
    }
    let nginx = try NginxServer(root: root, state: folder.appending(path: "state"))
    let arguments = [
      "sync", "app.sqlite", "users", nginx.url + "one.json", "--items", "data", "--next", "next",
    ]
    let first = try records(arguments, ends: 0)
    XCTAssertTrue(first.printed.contains("users: 1 added, 1 changed"), first.printed)
    XCTAssertEqual(try nginx.takeRequests().map(\.target), ["/one.json", "/two.json"])
    let second = try records(arguments, ends: 0)
    XCTAssertTrue(second.printed.contains("unchanged"), second.printed)
    XCTAssertEqual(
      try nginx.takeRequests().map(\.status), [200, 200], "one page says nothing of the other")
    try Data(#"{"data": [{"id": 1}], "next": null}"#.utf8)
      .write(to: root.appending(path: "one.json"))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -1_800)],
      ofItemAtPath: root.appending(path: "one.json").path)
    try records(arguments, ends: 0)
    let fourth = try records(arguments, ends: 0)
    XCTAssertTrue(fourth.printed.contains("unchanged"), fourth.printed)
    XCTAssertEqual(try nginx.takeRequests().map(\.status), [200, 304])
    let missing = try records("sync", "app.sqlite", "users", nginx.url + "none.json")
    XCTAssertEqual(missing.status, 1)
    XCTAssertTrue(missing.said.contains("404"), missing.said)
  }

  func testALongWaitThatTheServerAsksForIsTold() throws {
    let server = try FaultServer { _, attempt in
      attempt == 1
        ? FaultAnswer([], status: 503, headers: [("Retry-After", "3")])
        : FaultAnswer(text: #"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]"#)
    }
    defer { server.stop() }
    let outcome = try records("sync", "app.sqlite", "users", server.url("/users"), ends: 0)
    XCTAssertTrue(outcome.said.contains("is asked again in 3"), outcome.said)
  }

  /// The token of Kubernetes' pages expires: no other address would help.
  func testAPageThatIsGoneIsAReasonToRunItAgain() throws {
    let server = try FaultServer { request, _ in
      request.path == "/two"
        ? FaultAnswer([], status: 410, headers: [])
        : FaultAnswer(
          text: #"[{"id": 1}]"#, headers: [("Link", "</two>; rel=\"next\"")])
    }
    defer { server.stop() }
    let outcome = try records("sync", "app.sqlite", "users", server.url("/one"))
    XCTAssertEqual(outcome.status, 1)
    XCTAssertTrue(outcome.said.contains("it is gone: run it again"), outcome.said)
  }

  func testASchemeThatIsNotKnownIsNoFile() throws {
    for (payload, scheme) in [("ftp://ann:s3cret@x/y", "ftp"), ("s3://b/k", "s3")] {
      for command in ["sync", "verify"] {
        let outcome = try records(command, "app.sqlite", "users", payload)
        XCTAssertEqual(outcome.status, 64, outcome.said)
        XCTAssertTrue(outcome.said.contains("the scheme \(scheme):// isn't known"), outcome.said)
        XCTAssertFalse(outcome.said.contains("s3cret"), outcome.said)
      }
    }
  }

  func testAFileHasNoNextPage() throws {
    let outcome = try records("sync", "app.sqlite", "users", "p.json", "--next", "next")
    XCTAssertEqual(outcome.status, 64)
    XCTAssertTrue(outcome.said.contains("--next is for a payload from an address"), outcome.said)
  }

  func testAPasswordIsShownToTheServerAndNowhereElse() throws {
    let root = folder.appending(path: "www")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    try Data(#"[{"id": 1, "name": "Anna"}, {"id": 2}]"#.utf8)
      .write(to: root.appending(path: "users.json"))
    let nginx = try NginxServer(
      root: root, state: folder.appending(path: "state"),
      options: .init(locations: [#"if ($http_authorization != "Bearer s3cret") { return 401; }"#]))
    try write("s3cret\n", to: "token")
    let refused = try records("sync", "app.sqlite", "users", nginx.url + "users.json")
    XCTAssertEqual(refused.status, 1)
    XCTAssertTrue(refused.said.contains("401"), refused.said)
    let token = try records(
      "sync", "app.sqlite", "users", nginx.url + "users.json", "--token-file", "token", ends: 0)
    let header = try records(
      "verify", "app.sqlite", "users", nginx.url + "users.json", "--header",
      "Authorization: Bearer s3cret", "--retries", "0")
    XCTAssertEqual(header.status, 0, header.said)
    XCTAssertFalse((token.printed + header.printed + header.said).contains("s3cret"))
    let wrong = try records(
      "sync", "app.sqlite", "users", nginx.url + "users.json", "--header", "s3cret")
    XCTAssertEqual(wrong.status, 64)
    XCTAssertFalse(wrong.said.contains("s3cret"), wrong.said)
  }

  func testOnlyWhatIsNewIsAskedForAndThatIsSaid() throws {
    let server = try FaultServer { request, _ in
      request.path.contains("since=")
        ? FaultAnswer(text: #"[{"id": 3, "name": "Cid", "at": "2024-02-01T00:00:00Z"}]"#)
        : FaultAnswer(text: #"[{"id": 1, "name": "Ann", "at": "2024-01-01T00:00:00Z"}]"#)
    }
    defer { server.stop() }
    let arguments = [
      "sync", "new.sqlite", "users", server.url("/u"), "--create", "--since", "at",
      "--since-param", "since",
    ]
    let first = try records(arguments, ends: 0)
    XCTAssertTrue(first.printed.contains("1 added"), first.printed)
    let second = try records(arguments + ["--strict", "--json"], ends: 0)
    XCTAssertTrue(
      second.printed.contains(
        "what is new since “2024-01-01T00:00:00Z” in “at” was asked for: no row is deleted"),
      second.printed)
    XCTAssertEqual(
      try records("export", "new.sqlite", "users", "--ndjson", ends: 0).objects.count, 2)
    XCTAssertEqual(server.requests.map(\.path), ["/u", "/u?since=2024-01-01T00%3A00%3A00Z"])
    for wrong in [["--since", "at"], ["--since-param", "x"], ["--since-form", "seconds"]] {
      let outcome = try records(["sync", "new.sqlite", "users", server.url("/u")] + wrong)
      XCTAssertEqual(outcome.status, 64)
      XCTAssertTrue(outcome.said.contains("--since and --since-param go together"), outcome.said)
    }
    let file = try records(
      "sync", "new.sqlite", "users", "u.json", "--since", "at", "--since-param", "x")
    XCTAssertEqual(file.status, 64)
  }

  func testWhatThePayloadSaysIsGoneIsDeletedAndTold() throws {
    let server = try FaultServer { _, _ in
      FaultAnswer(
        text:
          #"{"items": [{"id": 2, "status": "cancelled"}, {"id": 4, "name": "Dan"}], "gone": [4]}"#)
    }
    defer { server.stop() }
    let arguments = ["app.sqlite", "users", server.url("/u"), "--items", "items", "--keep"]
    let before = try rows("SELECT id || '' AS concat FROM users ORDER BY id")
    XCTAssertTrue(before.contains("2"), "\(before)")
    let outcome = try records(
      ["sync"] + arguments + ["--deleted", "status=cancelled", "--json"], ends: 0)
    XCTAssertTrue(outcome.printed.contains(#""deleted":[2]"#), outcome.printed)
    XCTAssertEqual(
      try rows("SELECT id || '' AS concat FROM users ORDER BY id"),
      before.filter { $0 != "2" } + ["4"])
    try records(["verify"] + arguments + ["--deleted", "status=cancelled"], ends: 0)
    let wrong = try records(["sync"] + arguments + ["--deleted", "a[].b"])
    XCTAssertEqual(wrong.status, 64)
    XCTAssertTrue(wrong.said.contains("status=cancelled"), wrong.said)
  }
}
