import Console
@testable import RecordSync
import SyncDatabase
import TestSupport
import XCTest

@testable import records

/// What the program says of each error, and how it ends with it.
final class FailureTests: XCTestCase {
  private func failure(_ error: any Error) -> Failure {
    var invocation = Invocation(command: .sync)
    invocation.syncing.payload = "p.json"
    return Failure(error, of: invocation)
  }

  func testEveryErrorHasItsStatus() {
    for (error, status) in [
      (RecordError.removalRefused(table: "users", count: 6, of: 10), ExitStatus.refused),
      (RecordError.table("notes", .missing), .failed),
      (RecordError.table("notes", .noForeignKey(to: "users")), .usage),
      (RecordError.table("notes", .severalForeignKeys(to: "users", columns: ["a", "b"])), .usage),
      (RecordError.noParent(table: "users", key: RecordKey([.integer(7)])), .failed),
      (RecordError.condition("near \"x\": syntax error"), .usage),
      (RecordError.strict(table: "users", .skipped(2)), .failed),
      (RecordError.schema(.withoutKey(table: "users")), .failed),
      (SchemaProblem.noTable("users"), .failed),
      (SchemaProblem.file(.unknownMember("x"), at: ""), .usage),
      (PayloadProblem.empty, .failed), (CancellationError(), .cancelled),
      (DatabaseError(code: .busy, message: "database is locked", path: "a"), .locked),
      (DatabaseError(code: .full, message: "disk", path: "a"), .failed),
      (RecordError.opening(.changing("a")), .locked),
      (RecordError.opening(.noRoomForCopy("disk")), .failed),
      (RecordError.opening(.tooLargeToCopy(bytes: 2, limit: 1)), .failed),
      (UsageError("what"), .usage), (DatabaseFileProblem.missing("a"), .failed),
    ] as [(any Error, ExitStatus)] {
      let failure = failure(error)
      XCTAssertEqual(failure.status, status, "\(error)")
      XCTAssertTrue(failure.sentence.hasSuffix("."), failure.sentence)
      XCTAssertFalse(failure.sentence.contains("\n"), failure.sentence)
    }
  }

  func testAnErrorSaysWhichOptionHelps() {
    for (error, part) in [
      (.removalRefused(table: "users", count: 6, of: 10), "(--max-delete 6, or --keep to delete"),
      (
        .table("notes", .severalForeignKeys(to: "users", columns: ["a", "b"])),
        "by “a”, “b”. Say which column is meant (--parent users:KEY:a)."
      ),
      (.schema(.withoutKey(table: "users")), "as its key (in a file, by --schema)."),
      (.strict(table: "users", .unknown("shoe")), "or be less strict (without --strict)."),
      (.condition("words"), "(--where, --bind)."),
    ] as [(RecordError, String)] {
      let sentence = failure(error).sentence
      XCTAssertTrue(sentence.contains(part), sentence)
    }
  }

  func testNoErrorOfSQLiteAdvisesToMakeTheDatabaseAnew() {
    for code in [
      DatabaseError.Code.damaged, .busy, .withoutLocks, .full, .readOnly, .cannotOpen, .constraint,
      .inputOutput, .statement,
    ] {
      let error = DatabaseError(code: code, message: "its words", path: "/data/app\u{1B}.sqlite")
      let sentence = failure(error).sentence
      XCTAssertTrue(sentence.contains("/data/app\\x1B.sqlite"), sentence)
      XCTAssertFalse(sentence.contains("anew"), sentence)
      XCTAssertFalse(sentence.contains("fault of the program"), sentence)
    }
  }

  func testWhatIsNamedCannotSteerATerminal() {
    let key = RecordKey([.text("\u{1B}[2J\u{202E}")])
    let refused = RefusedRow(key: key, reason: "\u{1B}")
    for error in [
      .noParent(table: "a\u{1B}", key: key), .condition("\u{1B}"), .table("\u{1B}", .missing),
      .strict(table: "\u{1B}", .refused(refused)), .strict(table: "a", .unknown("\u{202E}")),
      .strict(
        table: "a",
        .mismatched(Mismatch(key: key, column: "\u{1B}", came: "\"\u{202E}\"", wanted: "x"))),
    ] as [RecordError] {
      let sentence = failure(error).sentence
      XCTAssertFalse(sentence.contains("\u{1B}") || sentence.contains("\u{202E}"), sentence)
    }
  }

  func testAnUnknownTableSuggestsWhatMayHaveBeenMeant() {
    func sentence(_ name: String, _ tables: [String]) -> String {
      "\(UnknownTable(name: name, tables: tables))"
    }
    XCTAssertTrue(sentence("usrs", ["notes", "Users"]).hasSuffix("did you mean 'Users'?"))
    XCTAssertTrue(sentence("x", ["a", "notes"]).contains("in the database;"))
    XCTAssertTrue(sentence("orders", ["alpha", "beta"]).hasSuffix("it has alpha, beta"))
    XCTAssertTrue(sentence("orders", []).hasSuffix("check that it is the right file"))
    let many = (0..<12).map { "table\($0)" }
    XCTAssertTrue(sentence("zzz", many).hasSuffix("table9 and others"))
  }
}
