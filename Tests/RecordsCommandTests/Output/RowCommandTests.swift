import TestSupport
import XCTest

/// One row at a time: what is done, printed and answered.
final class RowCommandTests: RecordsTestCase {
  private let users = "SELECT id || ' ' || name || ' ' || ifnull(age, '-') AS concat FROM users"

  func testARowIsPutChangedAndDeleted() throws {
    let put = try records("put", "app.sqlite", "users", "{\"id\":3,\"name\":\"Cid\"}", ends: 0)
    XCTAssertTrue(put.printed.hasPrefix("users: 1 added\ndone: 1 added ("), put.printed)
    let update = try records("update", "app.sqlite", "users", "3", "-", input: "{\"age\":\"40\"}")
    XCTAssertTrue(update.printed.hasPrefix("users: 1 changed\n"), update.printed + update.said)
    XCTAssertEqual(try rows(users), ["1 Ann 31", "2 Bob 32", "3 Cid 40"])
    try write("{\"id\":3,\"age\":41}", to: "cid.json")
    let again = try records("put", "app.sqlite", "users", "@cid.json", "--json")
    let tables = again.objects.last?["tables"] as? [String: [String: Any]]
    XCTAssertEqual(tables?["users"]?["updated"] as? [String: [String]], ["3": ["age"]], again.said)
    XCTAssertEqual(try records("delete", "app.sqlite", "users", "3", "-q").status, 0)
    XCTAssertEqual(try rows(users), ["1 Ann 31", "2 Bob 32"])
  }

  func testARowThatIsNotThereIsSaidWithAFailingStatus() throws {
    let before = try contents()
    for arguments in [
      ["delete", "app.sqlite", "users", "9"], ["update", "app.sqlite", "users", "9", "{}"],
    ] {
      let outcome = try records(arguments + ["-q"], ends: 1)
      XCTAssertEqual(outcome.said, "records: there is no row 9 in users; nothing was changed.\n")
      let report = try records(arguments + ["--json"], ends: 1).objects.last
      XCTAssertEqual(report?["status"] as? String, "failed")
    }
    let same = try records("update", "app.sqlite", "users", "1", #"{"name":"Ann"}"#, ends: 0)
    XCTAssertTrue(same.printed.hasPrefix("unchanged ("), same.printed)
    XCTAssertEqual(try contents(), before)
  }

  func testWhatCannotBeDoneIsSaidAndNothingIs() throws {
    let before = try contents()
    for (arguments, status, part) in [
      (["put", "app.sqlite", "users", "{\"id\":"], Int32(1), "cut off"),
      (["put", "app.sqlite", "users", "@none.json"], 1, "'none.json' can't be read"),
      (["put", "app.sqlite", "usres", "{}"], 1, "did you mean 'users'?"),
      (["put", "app.sqlite", "users", "{\"name\":\"x\"}"], 1, "no key"),
      (["put", "app.sqlite", "users", "[{\"id\":1},{\"id\":2}]"], 1, "object was expected"),
      (["update", "app.sqlite", "users", "1", "{\"id\":2}"], 1, "another row of “users” has"),
      (["put", "app.sqlite", "users", "{\"id\":4,\"name\":null}"], 2, "was refused"),
      (["delete", "app.sqlite", "users", "1"], 2, "was refused"),
      (["delete", "app.sqlite", "users"], 64, "KEY is missing"),
    ] {
      let outcome = try records(arguments)
      XCTAssertEqual(outcome.status, status, "\(arguments): \(outcome.said)")
      XCTAssertTrue(outcome.said.contains(part), outcome.said)
    }
    XCTAssertEqual(try contents(), before)
  }
}
