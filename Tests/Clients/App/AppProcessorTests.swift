import Observation
import OneWaySynchronizer
import SynchronizerTesting
import XCTest

// Compiled as a new app is: everything is isolated to the main actor unless it says otherwise.

struct Note: SyncItem {
  let id: String
  let version: Int
}

/// An app's model: it is the processor, and its views observe it.
@MainActor
@Observable
final class NotesModel: StoreSyncProcessor {
  var notes: [String: Int] = [:]
  var source: [Note] = []
  var lastOutcome: PassOutcome?

  func fetchSourceList() async throws -> SourceList<Note> {
    MainActor.assertIsolated()
    return .complete(source)
  }
  func localKeys() async throws -> Set<String> { Set(notes.keys) }
  func removeLocalItems(_ keys: Set<String>) async throws {
    for key in keys { notes[key] = nil }
  }
  func shouldUpdate(_ note: Note) async throws -> Bool { notes[note.id] != note.version }
  func downloadContent(of note: Note) async throws {
    MainActor.assertIsolated()
    notes[note.id] = note.version
  }
  func endsPass(_ error: any Error) -> Bool { error is CancellationError }
  var commitsEachDownload: Bool { true }
  func syncDidEnd(_ report: PassReport<String>) { lastOutcome = report.outcome }
}

/// What a view does.
final class SpinnerModel {
  let sync: SyncModel
  init(_ synchronizer: some Syncing) { sync = SyncModel(synchronizer) }
  var showsSpinner: Bool { sync.isSyncing }
}

/// A stand-in for a synchronizer.
final class StandIn: Syncing {
  let isSyncing = false
  func sync() async throws {}
  func requestSync() {}
  func cancel() {}
  var status: AsyncStream<SyncStatus> { AsyncStream { $0.finish() } }
}

@MainActor
final class NotesFixture: ProcessorFixture {
  let model = NotesModel()
  var plainKeys: [String] { ["a", "b", "c", "d", "e"] }
  func makeProcessor() -> NotesModel { model }
  func setSource(_ contents: [String: String]) {
    model.source = contents.map { Note(id: $0, version: Int(fingerprint(of: $1)) ?? 0) }
  }
  func localState() -> [String: String] { model.notes.mapValues { "\($0)" } }
  func fingerprint(of content: String) -> String {
    "\(content.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xffff_ffff })"
  }
}

nonisolated final class AppProcessorTests: XCTestCase {
  @MainActor
  func testAModelOfTheMainActorIsAProcessor() async throws {
    let model = NotesModel()
    model.source = [Note(id: "a", version: 1), Note(id: "b", version: 1)]
    model.notes = ["gone": 1]
    let synchronizer = Synchronizer(processor: model)
    let report = try await synchronizer.sync()
    XCTAssertEqual(report.counts.downloaded, 2)
    XCTAssertEqual(model.notes, ["a": 1, "b": 1])
    XCTAssertEqual(model.lastOutcome, .succeeded)
  }

  @MainActor
  func testAViewObservesTheModelWhileItIsSynced() async throws {
    let model = NotesModel()
    model.source = [Note(id: "a", version: 1)]
    let changed = expectation(description: "the view is told")
    withObservationTracking {
      _ = model.notes
    } onChange: {
      changed.fulfill()
    }
    try await Synchronizer(processor: model).sync()
    await fulfillment(of: [changed], timeout: 60)
  }

  @MainActor
  func testASpinnerIsOneLine() async throws {
    let synchronizer = Synchronizer(processor: NotesModel())
    let spinner = SpinnerModel(synchronizer)
    try await synchronizer.sync()
    for await status in synchronizer.status where status.lastResult != nil { break }
    while spinner.sync.status.lastResult == nil { await Task.yield() }
    XCTAssertFalse(spinner.showsSpinner)
  }

  @MainActor
  func testAnAppHoldsManyAndMocksOne() async throws {
    let all: [any Syncing] = [
      Synchronizer(processor: NotesModel()), Synchronizer(processor: ScriptedProcessor(["a"])),
      StandIn(),
    ]
    for one in all {
      try await one.sync()
      one.requestSync()
      one.cancel()
    }
    XCTAssertFalse(all[2].isSyncing)
  }

  @MainActor
  func testAFixtureMayBeOfTheMainActorToo() async {
    let result = await ProcessorContract.check([.firstPass, .changedItem, .removedItem]) {
      NotesFixture()
    }
    XCTAssert(result.violations.isEmpty, "\(result)")
  }

  @MainActor
  func testATestOfTheAppScriptsAProcessor() async throws {
    let processor = ScriptedProcessor(["a", "b"])
    let hold = processor.hold(.content("b"))
    let synchronizer = Synchronizer(processor: processor)
    let recorder = EventRecorder(synchronizer.events)
    async let run = synchronizer.sync()
    try await hold.reached()
    hold.release()
    _ = try await run
    let events = await recorder.eventsUntilRunEnd()
    XCTAssertTrue(events.last?.isRunEnd ?? false)
  }
}
