import XCTest

@testable import RecordSync

/// The text of a table's declaration, in which nothing is changed but a type.
final class DeclarationTextTests: XCTestCase {
  func testATypeIsChangedAndNothingElse() throws {
    let vectors: [(before: String, column: String, after: String)] = [
      (
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)", "a",
        "CREATE TABLE n (id INTEGER PRIMARY KEY, a TEXT)"
      ),
      ("CREATE TABLE t(a)", "a", "CREATE TABLE n(a TEXT)"),
      (
        "CREATE TABLE `a b` (\n  `x, y` VARCHAR(3, 4) NOT NULL DEFAULT ',', b)", "X, Y",
        "CREATE TABLE n (\n  `x, y` TEXT NOT NULL DEFAULT ',', b)"
      ),
      (
        "CREATE TABLE \"t(\" (a INT, -- a, (b\n \"c\"\"d\" BIG INT UNIQUE, [e f] INT)", "c\"d",
        "CREATE TABLE n (a INT, -- a, (b\n \"c\"\"d\" TEXT UNIQUE, [e f] INT)"
      ),
      (
        "CREATE TABLE t (a INT /* ), */, [e f] INT CHECK ([e f] IN (1, 2)))", "e f",
        "CREATE TABLE n (a INT /* ), */, [e f] TEXT CHECK ([e f] IN (1, 2)))"
      ),
      (
        "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, b)", "id",
        "CREATE TABLE n (id TEXT PRIMARY KEY , b)"
      ),
      (
        "CREATE TABLE t (a REFERENCES u (id), PRIMARY KEY (a)) WITHOUT ROWID", "a",
        "CREATE TABLE n (a TEXT REFERENCES u (id), PRIMARY KEY (a)) WITHOUT ROWID"
      ),
      (
        "CREATE TABLE t (\"check\" INT, CHECK (\"check\" > 0))", "check",
        "CREATE TABLE n (\"check\" TEXT, CHECK (\"check\" > 0))"
      ),
      (
        "CREATE TABLE IF NOT EXISTS main.t (a INT GENERATED ALWAYS AS (1))", "a",
        "CREATE TABLE IF NOT EXISTS main.n (a TEXT GENERATED ALWAYS AS (1))"
      ),
    ]
    for (before, column, after) in vectors {
      var text = try XCTUnwrap(DeclarationText(before), before)
      XCTAssertTrue(text.setType("TEXT", of: column), before)
      XCTAssertEqual(text.text(named: "n"), after)
    }
  }

  func testWhatIsNoDeclarationIsNone() {
    for text in ["", "CREATE TABLE t", "CREATE TABLE t (a", "(", "CREATE VIEW v AS SELECT 1"] {
      XCTAssertNil(DeclarationText(text), text)
    }
    var text = DeclarationText("CREATE TABLE t (a, CHECK (a))")
    XCTAssertEqual(text?.setType("TEXT", of: "check"), false)
    XCTAssertEqual(text?.setType("TEXT", of: "b"), false)
  }
}
