import SyncDatabase
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// What a program may want to tell apart is a case with its data, and not only a sentence.
final class MirrorErrorTests: XCTestCase {
  func testALockSaysWhoHoldsIt() {
    let holder = LockHolder(process: 7, since: "20250131T120000Z")
    let cause = FolderError(.locked(by: holder), "/srv/pub")
    let error = MirrorError(opening: cause)
    guard case .locked("/srv/pub", by: holder) = error else { return XCTFail("\(error)") }
    XCTAssertEqual("\(error)", "\(cause)")
  }

  func testAFolderAndACatalogSayWhatTheyRefused() {
    let full = FolderError(.full, "a", reason: "no space left on device")
    if case .folder(full) = MirrorError(opening: full) {} else { XCTFail("the folder's") }
    let limit = CatalogError.limit(url: "https://h/", .pages, most: 3)
    if case .catalog(limit) = MirrorError(opening: limit) {} else { XCTFail("the catalog's") }
    XCTAssertEqual("\(MirrorError.folder(full))", "\(full)")
    XCTAssertEqual("\(MirrorError.catalog(limit))", "\(limit)")
  }

  func testTheIndexSaysWhatIsWrongWithIt() {
    let rows: [(DatabaseError.Code, IndexProblem, says: String)] = [
      (.damaged, .damaged(reason: "m"), "/i is damaged (m)"),
      (.wrongType, .damaged(reason: "m"), "/i is damaged (m)"),
      (.newerVersion(["9"]), .newerVersion, "/i was written by a newer version"),
      (.busy, .held, "/i is held by another program"),
      (.withoutLocks, .withoutLocks(reason: "m"), "/i can't be locked (m)"),
      (.full, .full, "no space is left for /i"),
      (.inputOutput, .unreadable(reason: "m", code: 10), "(m, SQLite code 10)"),
    ]
    for (code, problem, says) in rows {
      let cause = DatabaseError(code: code, sqliteCode: 10, message: "m", path: "/i")
      let error = MirrorError(opening: cause)
      if case .index("/i", problem) = error {} else { XCTFail("\(code): \(error)") }
      XCTAssert("\(error)".hasPrefix("the index of the folder can't be used: "), "\(error)")
      XCTAssert("\(error)".contains(says), "\(error)")
    }
  }

  func testADatabaseSpeaksForItselfOfWhatIsRare() {
    for code in [
      DatabaseError.Code.readOnly, .cannotOpen, .constraint, .statement, .misuse, .other,
    ] {
      let cause = DatabaseError(code: code, message: "m", path: "/i")
      XCTAssert("\(MirrorError(opening: cause))".hasSuffix("\(cause)"), "\(code)")
    }
  }

  func testAnythingElseIsKeptAsItIs() {
    struct Odd: Error, CustomStringConvertible { let description = "it is odd" }
    let error = MirrorError(opening: Odd())
    guard case .other(let cause) = error, cause is Odd else { return XCTFail("\(error)") }
    XCTAssertEqual("\(error)", "it is odd")
  }
}
