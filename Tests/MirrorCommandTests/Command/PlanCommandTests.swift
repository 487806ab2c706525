import Foundation
import TestSupport
import XCTest

/// What `plan` says, `sync` does, and says in the same words.
final class PlanCommandTests: MirrorTestCase {
  private typealias Line = [String: Any]

  private func lines(_ arguments: [String], ending status: Int32) throws -> (
    lines: [Line], said: String
  ) {
    let child = try start(arguments + ["--json"])
    XCTAssertEqual(try child.end(within: .seconds(30)), .exited(status), child.said)
    let lines = try child.printed.split(separator: "\n").map { line in
      try XCTUnwrap(JSONSerialization.jsonObject(with: Data(line.utf8)) as? Line)
    }
    return (lines, child.said)
  }

  private func keys(_ events: String..., in lines: [Line]) -> Set<String> {
    Set(
      lines.filter { events.contains($0["event"] as? String ?? "") }
        .compactMap { $0["key"] as? String })
  }

  func testAPlanAndTheSyncAfterItTellTheSame() throws {
    try publish(["a.txt": "a", "b.txt": "b", "c.txt": "c", "d.txt": "d"])
    assertEnd(try mirror("publish", source.path), 0)
    let server = try serve()
    let catalog = server.url + "catalog.ndjson"
    assertEnd(try sync(catalog), 0)

    struct Situation {
      var name: String
      var status: Int32 = 0
      var happens: () throws -> Void
    }
    let situations = [
      Situation(name: "nothing") {},
      Situation(name: "changes on both sides") { [self] in
        try publish(["a.txt": "other", "n.txt": "new", "mine.txt": "theirs"])
        try withdraw("b.txt")
        try Data("mine".utf8).write(to: copy.appending(path: "mine.txt"))
        try Data("new".utf8).write(to: copy.appending(path: "n.txt"))
        try FileManager.default.removeItem(at: copy.appending(path: "c.txt"))
        try Data("edited".utf8).write(to: copy.appending(path: "d.txt"))
      },
      Situation(name: "too much removed", status: 3) { [self] in
        for name in ["a.txt", "c.txt", "d.txt", "n.txt"] { try withdraw(name) }
      },
    ]
    for situation in situations {
      try situation.happens()
      assertEnd(try mirror("publish", source.path), 0)
      let plan = try lines(["plan", catalog, copy.path], ending: situation.status)
      let dry = try lines(["sync", "-n", catalog, copy.path], ending: situation.status)
      XCTAssertEqual(dry.lines.count, plan.lines.count, situation.name)
      let sync = try lines(["sync", catalog, copy.path], ending: situation.status)
      XCTAssertEqual(plan.said, sync.said, situation.name)
      let end = try XCTUnwrap(plan.lines.last)
      XCTAssertEqual(end["status"] as? Int, Int(situation.status), situation.name)
      if situation.status == 3 {
        XCTAssertEqual(keys("remove", in: plan.lines), ["a.txt", "c.txt", "d.txt", "n.txt"])
        XCTAssertTrue(plan.said.contains("--max-delete 4"), plan.said)
        continue
      }
      for (planned, done) in [
        ("fetch", "fetched"), ("adopt", "adopted"), ("displace", "displaced"),
        ("remove", "removed"), ("fail", "failed"), ("ask", "confirmed"),
      ] {
        XCTAssertEqual(
          keys(planned, in: plan.lines), keys(done, in: sync.lines), "\(situation.name): \(done)")
      }
      let reasons = { (lines: [Line], event: String) in
        lines.filter { $0["event"] as? String == event }
          .map { "\($0["key"] ?? ""): \($0["reason"] ?? "")" }.sorted()
      }
      XCTAssertEqual(reasons(plan.lines, "fetch"), reasons(sync.lines, "fetched"))
    }
  }

  func testAPlanForPeopleSaysItsReasonsInWords() throws {
    try publish(["a.txt": "a", "b.txt": "b", "c.txt": "c", "d.txt": "d"])
    assertEnd(try mirror("publish", source.path), 0)
    let server = try serve()
    let catalog = server.url + "catalog.ndjson"
    let first = try mirror("plan", catalog, copy.path)
    XCTAssertTrue(first.printed.contains("fetch     a.txt (new, 1 B)"), "\(first)")
    XCTAssertTrue(first.printed.hasSuffix("would fetch 4 items (4 B)\n"), "\(first)")
    assertEnd(try sync(catalog), 0)
    try FileManager.default.removeItem(at: copy.appending(path: "a.txt"))
    try Data("mine".utf8).write(to: copy.appending(path: "b.txt"))
    let second = try mirror("plan", catalog, copy.path)
    XCTAssertTrue(second.printed.contains("a.txt (deleted here, 1 B)"), "\(second)")
    XCTAssertTrue(second.printed.contains("b.txt (damaged here, 1 B)"), "\(second)")
    XCTAssertTrue(second.printed.contains("displace  b.txt (it was edited here"), "\(second)")
    XCTAssertTrue(
      second.printed.hasSuffix("would fetch 2 items (2 B), displace 1\n"), "\(second)")
  }
}

/// Whether a file has to make room is known only where a list tells of its bytes.
final class PlannedDisplacementTests: MirrorTestCase {
  func testWhatIsNotKnownIsSaidToBeTheMost() throws {
    try publish(["a.txt": "alpha"])
    try makeFolder(at: copy)
    try Data("alpha".utf8).write(to: copy.appending(path: "a.txt"))
    let url = try serve(by: .python).url
    let plan = try mirror("plan", url, copy.path)
    XCTAssertTrue(
      plan.printed.hasSuffix("would fetch 1 item (of unknown size), displace at most 1\n"),
      "\(plan)")
    assertEnd(try sync(url), 0)
    XCTAssertFalse(
      FileManager.default.fileExists(atPath: copy.appending(path: ".mirror/displaced").path))
  }
}

/// How much a plan says that will come.
final class PlanSizesTests: MirrorTestCase {
  /// It said "at most 0 B".
  func testWhatHasNoSizeIsNotCountedAsNothing() throws {
    let table: [(String, fetched: String, second: String)] = [
      (
        #"{"key":"a"}"# + "\n" + #"{"key":"b"}"#, "of unknown size",
        "would ask about 2 items and fetch what has changed (of unknown size)\n"
      ),
      (
        #"{"key":"a","size":5}"# + "\n" + #"{"key":"b"}"#, "5 B and 1 of unknown size",
        "would ask about 1 item and fetch what has changed (of unknown size)\n"
      ),
      (#"{"key":"a","size":5}"# + "\n" + #"{"key":"b","size":4}"#, "9 B", "unchanged"),
    ]
    for (entries, fetched, words) in table {
      try publish([
        "a": "alpha", "b": "beta",
        "list": #"{"catalog":1,"complete":true}"# + "\n" + entries + "\n",
      ])
      let address = try serve().url + "list"
      let first = try mirror("plan", address, copy.path)
      XCTAssert(first.printed.contains("would fetch 2 items (\(fetched))\n"), first.printed)
      assertEnd(try sync(address), 0)
      let second = try mirror("plan", address, copy.path)
      XCTAssert(second.printed.contains(words), second.printed)
      try FileManager.default.removeItem(at: copy)
    }
  }
}
