import Foundation
import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

final class EventRecorderTests: XCTestCase {
  private struct Refused: Error {}

  func testItRecordsARunInOrderAndInAFormToCompare() async throws {
    let synchronizer = Synchronizer(processor: ScriptedProcessor(["a"], local: ["gone"]))
    let recorder = EventRecorder(synchronizer.events)
    try await synchronizer.sync()
    let events = await recorder.eventsUntilRunEnd()
    XCTAssertEqual(
      events.map(\.description),
      [
        "run 1 started", "pass 1 started", "stage begin", "stage fetchSourceList",
        "stage localKeys", "stage removeLocalItems", "stage itemsToUpdate",
        "stage prepareDownload", "plan: remove 1, update 0, download 1",
        "stage downloadContents", "downloadContents a started (0 of 1)",
        "downloadContents a finished (1 of 1)", "stage commitDownloads", "stage end",
        "pass ended: succeeded", "run succeeded, passes: 1",
      ])
    XCTAssertEqual(events.filter(\.isItemEvent).count, 2)
    XCTAssertEqual(recorder.all, events)
  }

  func testTheExampleOfItsDocumentationDoesWhatItSays() async throws {
    let synchronizer = Synchronizer(processor: ScriptedProcessor(["a"]))

    let recorder = EventRecorder(synchronizer.events)  // from here on
    _ = try await synchronizer.sync()
    let events = await recorder.eventsUntilRunEnd()
    XCTAssertEqual(events.prefix(2).map(\.description), ["run 1 started", "pass 1 started"])
  }

  func testTheExampleOfItsDocumentationStandsInThisFile() throws {
    let here = URL(filePath: #filePath)
    let root = here.appending(path: "../../../..").standardizedFileURL
    let source = "Sources/SynchronizerTesting/Events/EventRecorder.swift"
    let example = try String(contentsOf: root.appending(path: source), encoding: .utf8)
      .components(separatedBy: "/// ```")[1].split(separator: "\n").dropFirst()
      .map { $0.dropFirst("/// ".count) }
    XCTAssertEqual(example.count, 4)
    let compiled = try String(contentsOf: here, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    for line in example { XCTAssertTrue(compiled.contains(String(line)), "not compiled: \(line)") }
  }

  func testASearchGoesOnFromWhereTheLastOneStopped() async throws {
    let synchronizer = Synchronizer(processor: ScriptedProcessor(["a", "b"]))
    let recorder = EventRecorder(synchronizer.events)
    try await synchronizer.sync()
    await assertNotNil(recorder.next { $0 == .stage(.fetchSourceList) })
    let between = await recorder.events { $0 == .stage(.prepareDownload) }
    XCTAssertEqual(between, [.stage(.localKeys), .stage(.itemsToUpdate), .stage(.prepareDownload)])
  }

  func testErrorsAreComparedAsText() async throws {
    let processor = ScriptedProcessor(["a"])
    processor.fail(.content("a"), with: Refused())
    let synchronizer = Synchronizer(processor: processor)
    let recorder = EventRecorder(synchronizer.events)
    _ = try? await synchronizer.sync()
    let events = await recorder.eventsUntilRunEnd()
    XCTAssert(
      events.contains(
        .failed(.downloadContents, "a", ItemTotals(finished: 0, failed: 1, total: 1), "Refused()")))
    XCTAssertEqual(events.last, .runFailed(.failed, passes: 1))
    XCTAssertEqual(
      events.suffix(2).first?.description,
      "pass ended: failed; downloadContents of a failed: Refused()")
  }

  func testASearchEndsWhenTheSynchronizerIsGone() async throws {
    var synchronizer: Synchronizer? = Synchronizer(processor: ScriptedProcessor(["a"]))
    let events = try XCTUnwrap(synchronizer?.events)
    let recorder = EventRecorder(events)
    synchronizer = nil
    await assertNil(recorder.next { $0 == .overflowed })
    XCTAssertEqual(recorder.all, [])
  }

  func testEveryEventHasAComparableForm() {
    let report = PassReport<String>(outcome: .cancelled)
    let error = SyncError(code: .cancelled, report: SyncReport(passes: [report]))
    let totals = ItemTotals(finished: 1, failed: 1, total: 3)
    let forms: [(SyncEvent<String>, String)] = [
      (
        .itemFailed(
          ItemEvent(stage: .downloadPreviews, key: "a", totals: totals, error: Refused())),
        "downloadPreviews a failed (2 of 3, 1 failed): Refused()"
      ),
      (
        .itemCutShort(ItemEvent(stage: .downloadContents, key: "a", totals: totals)),
        "downloadContents a cut short (2 of 3, 1 failed)"
      ),
      (
        .itemProgressed(
          ItemEvent(stage: .downloadContents, key: "a", totals: totals, bytes: ItemBytes(done: 7))),
        "downloadContents a has 7 bytes (2 of 3, 1 failed)"
      ),
      (.runEnded(number: 1, .failure(error)), "run ended: cancelled, passes: 1"),
      (.itemEventsDropped(7), "7 item events dropped"),
      (.overflowed, "overflowed"),
      (.passEnded(report), "pass ended: cancelled"),
    ]
    for (event, text) in forms { XCTAssertEqual(RecordedEvent(event).description, text) }
    XCTAssert(RecordedEvent(forms[3].0).isRunEnd)
    XCTAssertFalse(RecordedEvent(forms[6].0).isRunEnd)
  }
}
