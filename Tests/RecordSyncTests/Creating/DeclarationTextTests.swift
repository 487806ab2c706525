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

  func testRowsAreLetStay() throws {
    let vectors: [(before: String, after: String?)] = [
      (
        "CREATE TABLE t (a INT REFERENCES u (id) ON DELETE CASCADE, b REFERENCES u ON DELETE CASCADE)",
        "CREATE TABLE n (a INT REFERENCES u (id) ON DELETE SET NULL, b REFERENCES u ON DELETE CASCADE)"
      ),
      (
        "CREATE TABLE t (a, FOREIGN KEY (a) REFERENCES u ON UPDATE CASCADE ON DELETE CASCADE)",
        "CREATE TABLE n (a, FOREIGN KEY (a) REFERENCES u ON UPDATE CASCADE ON DELETE SET NULL)"
      ),
      ("CREATE TABLE t (a REFERENCES u ON DELETE SET NULL)", nil),
      ("CREATE TABLE t (b REFERENCES u ON DELETE CASCADE)", nil),
    ]
    for (before, after) in vectors {
      var text = try XCTUnwrap(DeclarationText(before), before)
      XCTAssertEqual(text.keepRows(referringBy: "A"), after != nil, before)
      if let after { XCTAssertEqual(text.text(named: "n"), after) }
    }
  }

  func testAReferenceIsDropped() throws {
    let vectors: [(before: String, after: String?)] = [
      (
        "CREATE TABLE t (a INT CONSTRAINT x REFERENCES u (id) ON DELETE SET NULL NOT NULL, b)",
        "CREATE TABLE n (a INT  NOT NULL, b)"
      ),
      (
        "CREATE TABLE t (a REFERENCES u ON UPDATE NO ACTION MATCH FULL NOT DEFERRABLE INITIALLY DEFERRED DEFAULT 1)",
        "CREATE TABLE n (a  DEFAULT 1)"
      ),
      (
        "CREATE TABLE t (a, b, CONSTRAINT x FOREIGN KEY (\"a\") REFERENCES u (id), UNIQUE (b))",
        "CREATE TABLE n (a, b, CHECK (1), UNIQUE (b))"
      ),
      ("CREATE TABLE t (a, b, FOREIGN KEY (a, b) REFERENCES u)", nil),
    ]
    for (before, after) in vectors {
      var text = try XCTUnwrap(DeclarationText(before), before)
      XCTAssertEqual(text.dropReference(of: "a"), after != nil, before)
      if let after { XCTAssertEqual(text.text(named: "n"), after) }
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
