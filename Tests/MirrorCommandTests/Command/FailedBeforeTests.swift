import Foundation
import TestSupport
import XCTest

/// What failed at the last sync, as `plan` and `status` tell it.
final class FailedBeforeTests: MirrorTestCase {
  private func object(_ arguments: [String], event: String) throws -> [String: Any] {
    let outcome = try mirror(arguments + ["--json"])
    let objects = try outcome.printed.split(separator: "\n").map { line in
      try XCTUnwrap(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    return try XCTUnwrap(objects.last { $0["event"] as? String == event }, "\(outcome)")
  }

  private func keys(_ name: String, of object: [String: Any]) -> [String] {
    (object[name] as? [[String: Any]] ?? []).compactMap { $0["key"] as? String }
  }

  /// It was shown as any new item, with status 0 and no word of the refusal.
  func testAPlanTellsWhatFailedAtTheLastSyncAndIsAskedForAgain() throws {
    try publish(["a.txt": "alpha", "gone.txt": "g"])
    assertEnd(try mirror("publish", source.path), 0)
    try withdraw("gone.txt")
    let catalog = try serve().url + "catalog.ndjson"
    let first = try mirror("plan", catalog, copy.path)
    assertEnd(first, 0)
    XCTAssertFalse(first.printed.contains("failed"), "\(first)")
    assertEnd(try sync(catalog), 2)
    let second = try mirror("plan", catalog, copy.path)
    assertEnd(second, 0)
    XCTAssertTrue(
      second.printed.hasPrefix(
        """
        fetch     gone.txt (new, 1 B), which failed at the last sync, and is asked for again: \
        \(catalog.replacing("catalog.ndjson", with: "gone.txt")): the server answered with status \
        404. Check the address.\n
        """), "\(second)")
    XCTAssertTrue(
      second.printed.hasSuffix("would fetch 1 item (1 B); 1 of that failed at the last sync\n"),
      "\(second)")
    let plan = ["plan", catalog, copy.path]
    XCTAssertEqual(try object(plan, event: "plan")["failedBefore"] as? Int, 1)
    let why = try object(plan, event: "fetch")["failedBefore"] as? String
    XCTAssertTrue(why?.contains("status 404") ?? false, why ?? "")
    // Once it is there, nothing is left of that.
    try publish(["gone.txt": "g"])
    assertEnd(try sync(catalog), 0)
    XCTAssertEqual(try object(plan, event: "plan")["failedBefore"] as? Int, 0)
  }

  func testAPlanTellsWhatWasHeldBackByItself() throws {
    try publish(["a.txt": "alpha", "gone.txt": "g", "last/one": "1", "last/two": "2"])
    assertEnd(try mirror("publish", source.path), 0)
    try withdraw("gone.txt")
    let catalog = try serve().url + "catalog.ndjson"
    let held = try sync(catalog, ["--last", "last/"])
    assertEnd(held, 2)
    XCTAssertTrue(held.said.contains("mirror: 1 more held back, too.\n"), "\(held)")
    XCTAssertTrue(held.printed.contains("1 added, 1 failed, 2 held back"), "\(held)")
    let plan = try mirror("plan", catalog, copy.path, "--last", "last/")
    for name in ["one", "two"] {
      let line = "fetch     last/\(name) (new, 1 B), which was held back at the last sync\n"
      XCTAssertTrue(plan.printed.contains(line), "\(plan)")
    }
    XCTAssertTrue(
      plan.printed.hasSuffix("; 1 of that failed and 2 of that were held back at the last sync\n"),
      "\(plan)")
  }

  /// It listed what failed beside a run in which nothing did.
  func testStatusListsAsFailuresOnlyWhatItsRunsCounted() throws {
    try publish(["pool/a": "a", "pool/secret": "s"])
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: source.appending(path: "pool/secret").path)
    var options = NginxServer.Options(listing: .html)
    options.mayReadAll = false
    let address = try serve(nil, options).url
    for (round, status) in [(1, Int32(2)), (2, 0), (3, 0)] {
      assertEnd(try sync(address), status)
      let told = try object(["status", copy.path], event: "status")
      let run = try XCTUnwrap((told["runs"] as? [[String: Any]])?.first)
      XCTAssertEqual(run["failed"] as? Int, round == 1 ? 1 : 0)
      XCTAssertEqual(keys("failures", of: told), round == 1 ? ["pool/secret"] : [])
      XCTAssertEqual(keys("flaws", of: told), round == 1 ? [] : ["pool/secret"])
      // A plan says what it was, though the sync after it ends with 0.
      let plan = try mirror("plan", address, copy.path)
      assertEnd(plan, 0)
      XCTAssertTrue(plan.printed.contains("which failed at the last sync"), "\(plan)")
    }
    let lines = try mirror("status", copy.path).printed
    XCTAssertTrue(lines.contains("\nnot had     pool/secret: "), lines)
    XCTAssertFalse(lines.contains("\nfailed "), lines)
  }
}
