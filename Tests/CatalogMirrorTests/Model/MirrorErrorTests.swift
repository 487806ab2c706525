import CatalogPublishing
import Foundation
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
      (.inputOutput, .unreadable(reason: "m"), "(m)"),
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
    for code in [DatabaseError.Code.cannotOpen, .constraint, .statement, .misuse, .other] {
      let cause = DatabaseError(code: code, message: "m", path: "/i")
      XCTAssert("\(MirrorError(opening: cause))".hasSuffix("\(cause)"), "\(code)")
    }
    let cause = DatabaseError(code: .readOnly, message: "m", path: "/i")
    let said = "\(MirrorError(opening: cause))"
    XCTAssert(said.contains("\(cause) If an earlier version") && said.contains("sync once"), said)
  }

  func testAnythingElseIsKeptAsItIs() {
    struct Odd: Error, CustomStringConvertible { let description = "it is odd" }
    let error = MirrorError(opening: Odd())
    guard case .other(let cause) = error, cause is Odd else { return XCTFail("\(error)") }
    XCTAssertEqual("\(error)", "it is odd")
  }
}

/// What is said of one item that can't be fetched.
final class ItemErrorTests: XCTestCase {
  /// Who mirrors was told to publish the catalog anew.
  func testWhoMirrorsIsToldWhatHeCanDo() {
    for error in [ItemError.digestDiffers(.sha256), .longerThanDeclared(5)] {
      XCTAssert(
        "\(error)".hasSuffix("try again, and tell who publishes it if that stays so"), "\(error)")
    }
  }
}

/// What the index keeps of a sentence is read back as it was, with its advice.
final class AdvisedTextTests: XCTestCase {
  func testASentenceAndItsAdviceAreReadBack() {
    for advice in MirrorAdvice.allCases + [nil] {
      for sentence in ["", "it failed.", "it failed (Not found)", "é (allowUnframed) so"] {
        let text = AdvisedText(sentence, advice)
        XCTAssertEqual(AdvisedText(kept: text.kept), text)
      }
    }
  }

  func testTextsOfEarlierVersionsHaveNoAdvice() {
    for text in ["say --allow-unframed", "it is gone (No such file)", "allowUnframed", "(now)"] {
      XCTAssertEqual(AdvisedText(kept: text), AdvisedText(text, nil))
    }
  }
}

/// An alert shows the sentence of each error that a program may meet.
final class LocalizedErrorTests: XCTestCase {
  func testAnAlertShowsTheSentence() {
    let rows: [(any Error, String)] = [
      (MirrorError.emptyListing(held: 3), "\(MirrorError.emptyListing(held: 3))"),
      (FolderError(.full, "a"), "\(FolderError(.full, "a"))"),
      (CatalogError.pageLoop(url: "https://h/"), "\(CatalogError.pageLoop(url: "https://h/"))"),
      (PublishError.changing(path: "a"), "\(PublishError.changing(path: "a"))"),
      (KeyProblem.empty, "The key is empty."),
    ]
    for (error, sentence) in rows { XCTAssertEqual(error.localizedDescription, sentence) }
  }
}
