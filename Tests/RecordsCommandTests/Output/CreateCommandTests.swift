import Foundation
import TestSupport
import XCTest

/// Tables that are made for a payload, at a shell.
final class CreateCommandTests: RecordsTestCase {
  private let payload = """
    {"page": 1, "data": [
      {"id": 1, "title": "One", "user_id": 7, "user": {"id": 7, "name": "Ann"},
       "labels": [{"id": 5, "name": "bug"}, {"id": 6}]},
      {"id": 2, "score": 2.5, "user_id": 7, "user": {"id": 7}, "labels": [{"id": 5}]}]}
    """

  private func create(_ more: String..., input: String? = nil) throws -> ProgramOutcome {
    try records(
      [
        "sync", "new.sqlite", "issues", input == nil ? "p.json" : "-", "--items", "data",
        "--create",
      ]
        + more, input: input)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("new.sqlite") }
  }

  func testAFileAndItsTablesAreMadeAndItIsSaidFromWhat() throws {
    try write(payload, to: "p.json")
    let first = try create()
    XCTAssertEqual(first.status, 0, first.said)
    XCTAssertTrue(
      first.printed.hasPrefix(
        """
        made table issues (id INTEGER, title TEXT, user_id INTEGER → users, score REAL): 2 objects \
        of the payload
        made table users (id INTEGER, name TEXT): 2 objects under “user” in issues
        made table labels (id INTEGER, name TEXT): 3 objects in arrays under “labels” in issues
        made table issues_labels (issue_id INTEGER → issues, label_id INTEGER → labels, position \
        INTEGER): objects under “labels” hang on several rows of issues
        made relation issues.user: rows of users, named by user_id: user_id equals users.id in all \
        of 2 rows
        made relation issues.labels: rows of labels, linked by issues_labels: 3 objects, those of \
        one key the same, some under several rows
        """), first.printed)
    XCTAssertTrue(first.printed.contains("done: 4 tables made, 5 added, 3 linked ("), first.printed)
    XCTAssertEqual(first.said, "")
    let before = try contents()
    let second = try create()
    XCTAssertEqual(second.status, 0, second.said)
    XCTAssertTrue(second.printed.hasPrefix("unchanged: issues is as"), second.printed)
    XCTAssertEqual(try contents(), before)
    XCTAssertEqual(
      try records("verify", "new.sqlite", "issues", "p.json", "--items", "data").status, 0)
    try write(payload.replacing("2.5", with: "\"high\""), to: "p.json")
    let third = try create()
    XCTAssertTrue(
      third.printed.hasPrefix(
        """
        made column issues.score TEXT, which was REAL: values came that it couldn't hold
        issues: 1 changed
        done: 1 column made, 1 changed (
        """), third.printed)
  }

  func testAPlanAndALookShowWhatWouldBeMadeAndLeaveNoFile() throws {
    try write(payload, to: "p.json")
    let plan = try create("--plan")
    XCTAssertEqual(plan.status, 0, plan.said)
    XCTAssertTrue(plan.printed.hasPrefix("would make table issues (id INTEGER"), plan.printed)
    XCTAssertTrue(plan.printed.contains("would make 4 tables, add 5, link 3 ("), plan.printed)
    try records("verify", "new.sqlite", "issues", "p.json", "--items", "data", "--create", ends: 1)
    XCTAssertEqual(try names(), [])
  }

  func testASyncThatFailsLeavesNoFileAndOneThatWasThereAsItWas() throws {
    for payload in ["", "[", "[1]", "[{\"a\": 1}]", "[{\"id\": 1}, {}, 5", "[]"] {
      try write(payload, to: "p.json")
      let outcome = try records("sync", "new.sqlite", "issues", "p.json", "--create")
      XCTAssertEqual(outcome.status, 1, payload)
      XCTAssertTrue(outcome.said.hasPrefix("records: "), outcome.said)
      XCTAssertEqual(try names(), [], payload)
    }
    try write("[{\"id\": 1, \"age\": \"x\", \"b\": {\"id\": 1}}, {}]", to: "p.json")
    let before = try contents()
    let strict = try records("sync", "app.sqlite", "users", "p.json", "--create", "--strict")
    XCTAssertEqual(strict.status, 1)
    XCTAssertEqual(try contents(), before)
    // An empty file that was there isn't ours to remove.
    try write("", to: "new.sqlite")
    XCTAssertEqual(try create("--strict").status, 1)
    XCTAssertEqual(try names(), ["new.sqlite"])
  }

  func testAPayloadThatIsPipedIsReadTwice() throws {
    let outcome = try create(input: payload)
    XCTAssertEqual(outcome.status, 0, outcome.said)
    XCTAssertTrue(outcome.printed.contains("4 tables made, 5 added"), outcome.printed)
    // So is one that is piped under a name.
    let pipe = folder.appending(path: "pipe").path
    XCTAssertEqual(mkfifo(pipe, 0o600), 0)
    let writer = Thread { [payload] in
      FileHandle(forWritingAtPath: pipe)?.write(Data(payload.utf8))
    }
    writer.start()
    let piped = try records("sync", "new.sqlite", "issues", "pipe", "--items", "data", "--create")
    XCTAssertEqual(piped.status, 0, piped.said)
    XCTAssertTrue(piped.printed.hasPrefix("unchanged"), piped.printed)
  }

  func testTheReportHasWhatWasMade() throws {
    try write(payload, to: "p.json")
    let report = try XCTUnwrap(try create("--json").objects.last)
    let made = try XCTUnwrap(report["made"] as? [[String: String]])
    XCTAssertEqual(
      made.map { $0["change"] }, ["table", "table", "table", "table", "relation", "relation"])
    XCTAssertEqual(
      made.map { $0["table"] }, ["issues", "users", "labels", "issues_labels", "issues", "issues"])
    XCTAssertTrue(
      made[4]["sentence"]?.hasSuffix("user_id equals users.id in all of 2 rows") ?? false)
    XCTAssertNil(try create("--json").objects.last?["made"])
  }

  func testASchemaFileSaysWhatBecomesOfTablesThatAreYetToBeMade() throws {
    try write(payload, to: "p.json")
    try write(
      """
      {"tables": {"labels": {"unknown": "extra"}, "users": {"key": "name"},
        "issues": {"columns": {"kind": {"name": "title"}}}}}
      """, to: "names.json")
    try write(
      """
      {"data": [{"id": 1, "title": "One", "user": {"id": 7, "name": "Ann"}, "labels": [{"id": 5, "x": 1}]}]}
      """, to: "p.json")
    let outcome = try create("--schema", "names.json")
    XCTAssertEqual(outcome.status, 0, outcome.said)
    XCTAssertTrue(
      outcome.printed.contains("issues (id INTEGER, kind TEXT, user_id TEXT → users)"),
      outcome.printed)
    XCTAssertTrue(outcome.printed.contains("labels (id INTEGER, extra JSON"), outcome.printed)
    let again = try create("--schema", "names.json")
    XCTAssertTrue(again.printed.hasPrefix("unchanged"), again.printed + again.said)
    // What isn't there afterwards either is an error, and nothing is made.
    try write("{\"tables\": {\"users\": {\"columns\": {\"foo\": {}}}}}", to: "names.json")
    let before = try contents()
    let wrong = try create("--schema", "names.json")
    XCTAssertEqual(wrong.status, 1)
    XCTAssertTrue(wrong.said.contains("no column “foo”"), wrong.said)
    XCTAssertEqual(try contents(), before)
  }

  /// Overpass: nodes, ways and relations count their ids apart.
  func testAKeyOfSeveralMembersIsSaidByTheirNames() throws {
    try write(
      #"[{"type": "node", "id": 1, "n": "a"}, {"type": "way", "id": 1, "n": "b"}]"#,
      to: "elements.json")
    let arguments = ["new.sqlite", "elements", "elements.json", "--key", "type", "--key", "id"]
    try records(["sync"] + arguments + ["--create"], ends: 0)
    let exported = try records("export", "new.sqlite", "elements", "--ndjson", ends: 0)
    XCTAssertEqual(exported.objects.map { $0["n"] as? String }, ["a", "b"], exported.printed)
    let again = try records(["sync"] + arguments, ends: 0)
    XCTAssertTrue(again.printed.contains("unchanged"), again.printed)
    let wrong = try records("sync", "new.sqlite", "elements", "elements.json", "--key", "a.")
    XCTAssertEqual(wrong.status, 64)
    XCTAssertTrue(wrong.said.contains("'a.' can't be a key"), wrong.said)
    let deep = try records("sync", "new.sqlite", "elements", "elements.json", "--key", "a.b")
    XCTAssertEqual(deep.status, 1)
    XCTAssertTrue(deep.said.contains("no column “a.b”"), deep.said)
  }

  func testHowDeepColumnsReachIsSaid() throws {
    try write(#"[{"id": 1, "size": {"w": 2, "box": {"h": 3}}}]"#, to: "boxes.json")
    for (flatten, columns) in [
      ("none", ["id", "size"]), ("1", ["id", "size_w", "size_box"]),
      ("all", ["id", "size_w", "size_box_h"]),
    ] {
      let file = "flat-\(flatten).sqlite"
      try records("sync", file, "boxes", "boxes.json", "--create", "--flatten", flatten, ends: 0)
      let schema = try records("schema", file, "--json", ends: 0)
      for column in columns { XCTAssertTrue(schema.printed.contains("\"\(column)\""), flatten) }
      let depths = ["size_w", "size_box", "size_box_h", "size"].filter {
        schema.printed.contains("\"\($0)\"")
      }
      XCTAssertEqual(Set(depths).subtracting(columns).subtracting(["size"]), [], flatten)
      let exported = try records("export", file, "boxes", "1", ends: 0)
      XCTAssertTrue(exported.printed.contains(#""box":{"h":3}"#), exported.printed)
    }
  }

  func testObjectsUnderNamesAreKeyedByThem() throws {
    let page = #"{"entities": {"Q1": {"id": "Q1", "n": 1}, "Q2": {"n": 2}}, "success": 1}"#
    let server = try FaultServer { _, _ in FaultAnswer(text: page) }
    defer { server.stop() }
    let arguments = [
      "new.sqlite", "entities", server.url("/w"), "--items", "entities{}", "--create",
    ]
    let first = try records(["sync"] + arguments, ends: 0)
    XCTAssertTrue(
      first.printed.hasPrefix("made table entities (key TEXT, id TEXT, n INTEGER)"), first.printed)
    let second = try records(["sync"] + arguments, ends: 0)
    XCTAssertTrue(second.printed.hasPrefix("unchanged"), second.printed)
    try records(["verify"] + arguments, ends: 0)
    XCTAssertEqual(
      try records("export", "new.sqlite", "entities", "--ndjson", ends: 0).printed,
      #"""
      {"key":"Q1","id":"Q1","n":1}
      {"key":"Q2","id":null,"n":2}

      """#)
    let wrong = try records(
      "sync", "new.sqlite", "entities", "x.json", "--items", "a{}.b{}", "--create")
    XCTAssertEqual(wrong.status, 64)
    XCTAssertTrue(wrong.said.contains("{country}.cities{city}"), wrong.said)
  }

  /// As Kubernetes lists what it has: page by page, the key within `metadata`.
  func testAKeyWithinAnObjectIsSaidByItsPath() throws {
    let server = try FaultServer { request, _ in
      let isFirst = !request.path.contains("continue=")
      let pod = isFirst ? ("a1", "web-1") : ("b2", "web-2")
      return FaultAnswer(
        text: """
          {"kind": "PodList", "metadata": {"continue": "\(isFirst ? "ENC" : "")"}, "items": [
            {"metadata": {"uid": "\(pod.0)", "name": "\(pod.1)"}, "status": {"phase": "Running"}}]}
          """)
    }
    defer { server.stop() }
    let arguments = [
      "new.sqlite", "pods", server.url("/pods?limit=1"), "--paging", "kubernetes", "--key",
      "metadata.uid", "--create",
    ]
    let first = try records(["sync"] + arguments, ends: 0)
    XCTAssertTrue(
      first.printed.hasPrefix(
        "made table pods (metadata_uid TEXT for “metadata.uid”, metadata_name TEXT"), first.printed)
    let second = try records(["sync"] + arguments, ends: 0)
    XCTAssertTrue(second.printed.hasPrefix("unchanged"), second.printed)
    try records(["verify"] + arguments, ends: 0)
    try records(["verify"] + arguments.dropLast(3), ends: 0)
    XCTAssertEqual(
      try records("export", "new.sqlite", "pods", "b2", "--ndjson", ends: 0).printed,
      #"{"metadata":{"uid":"b2","name":"web-2"},"status":{"phase":"Running"}}"# + "\n")
  }
}
