@testable import SyncEngine
@testable import OneWaySynchronizer
import Foundation
import SynchronizerTesting
import TestSupport
import XCTest

/// What people are told of errors: sentences, without the names of types and stages.
final class AlertTests: XCTestCase {
  /// An error as an app has it.
  private struct Refusal: LocalizedError {
    var code = 7
    var errorDescription: String? { "The server refused." }
  }

  /// An error that describes itself, without Foundation.
  private struct Unplugged: Error, CustomStringConvertible {
    var description: String { "the cable is out" }
  }

  /// A `LocalizedError` without a sentence.
  private struct Silent: LocalizedError {}

  private func alert(_ cause: any Error, key: String? = "a") -> String {
    SyncFailure(stage: .downloadContents, key: key, cause: cause).localizedDescription
  }

  func testACauseIsToldInItsOwnSentence() {
    XCTAssertEqual(alert(Refusal()), "Downloading failed for a: The server refused.")
    XCTAssertEqual(alert(Unplugged(), key: nil), "Downloading failed: the cable is out.")
    XCTAssertEqual(alert(CancellationError()), "Downloading failed for a: it was cancelled.")
    XCTAssertEqual(alert(Silent()), "Downloading failed for a: Silent().")
    let problem = ListProblem.duplicateKey("a")
    XCTAssertEqual(alert(problem), "Downloading failed for a: \(problem).")
  }

  func testFoundationsErrorsAreToldInTheirSentences() throws {
    let info = [NSLocalizedDescriptionKey: "The disk is away."]
    let away = NSError(domain: "Disks", code: 5, userInfo: info)
    XCTAssertEqual(alert(away), "Downloading failed for a: The disk is away.")
    let calls: [() throws -> Void] = [
      { _ = try Data(contentsOf: URL(filePath: "/nowhere/at/all")) },
      { _ = try JSONDecoder().decode([Int].self, from: Data("<html>".utf8)) },
      { throw POSIXError(.ENOSPC) },
    ]
    for call in calls {
      XCTAssertThrowsError(try call()) { error in
        let sentence = alert(error)
        XCTAssertEqual(sentence, "Downloading failed for a: \(error.localizedDescription.ended)")
        for word in ["Domain", "Code=", "Error"] {
          XCTAssertFalse(sentence.contains(word), sentence)
        }
      }
    }
  }

  func testEachStageReadsAsWords() {
    for stage in SyncStage.allCases {
      let sentence = SyncFailure<String>(stage: stage, cause: Refusal()).localizedDescription
      XCTAssertTrue(sentence.hasSuffix(" failed: The server refused."), sentence)
      XCTAssertFalse(sentence.contains("\(stage)"), sentence)
    }
  }

  func testTheErrorOfARunTellsTheFirstFailureAndHowManyMore() async throws {
    let counts = [1: "", 2: " There was 1 more failure.", 4: " There were 3 more failures."]
    for (count, more) in counts {
      let processor = TestProcessor((0..<count).map { TestItem("\($0)") })
      processor.fail(.anyContent, with: Refusal())
      let going = options { ($0.concurrency, $0.stopOnError) = (1, false) }
      try await assertEqual(
        Synchronizer(processor: processor, options: going).syncError().localizedDescription,
        "The sync failed: Downloading failed for 0: The server refused.\(more) "
          + "Mend the cause, then sync again.")
    }
  }

  func testASentenceEndsOnce() {
    let rows = ["": "", "So": "So.", "So.": "So.", "So!": "So!", "So?": "So?", "So…": "So…"]
    for (text, ended) in rows { XCTAssertEqual(text.ended, ended) }
  }

  func testALogStillNamesTypeAndStage() {
    let failure = SyncFailure(stage: .downloadContents, key: "a", cause: Refusal())
    XCTAssertEqual("\(failure)", "downloadContents of a failed: Refusal(code: 7)")
    let report = SyncReport(passes: [PassReport(outcome: .failed, failures: [failure])])
    XCTAssertEqual(
      "\(TestError(code: .failed, report: report))",
      """
      The sync failed: downloadContents of a failed: Refusal(code: 7). \
      Mend the cause, then sync again.
      """)
  }
}
