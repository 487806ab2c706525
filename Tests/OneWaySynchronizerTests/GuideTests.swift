import Foundation
import Observation
import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

#if canImport(BackgroundTasks)
  import BackgroundTasks
#endif

/// The guide "Write a processor", as it stands there.
final class GuideTests: XCTestCase {
  private let base = FileManager.default.temporaryDirectory
    .appending(path: "guide-\(UUID().uuidString)")

  override func tearDownWithError() throws {
    if FileManager.default.fileExists(atPath: base.path) {
      try FileManager.default.removeItem(at: base)
    }
  }

  func testTheDocumentProcessorKeepsTheContract() async {
    let result = await ProcessorContract.check { try DocumentFixture(folder: newFolder()) }
    XCTAssert(result.violations.isEmpty, "\(result)")
  }

  func testShortDocumentsComeFirstAndTheCallerIsToldHowMany() async throws {
    let archive = ShelfArchive()
    let folder = try newFolder()
    await archive.fill(["long": "many words in here", "short": "word"])
    var options = SyncOptions()
    options.removalLimit = .guarded(count: 10)
    options.concurrency = 1
    var shown = ""
    func show(_ text: String) { shown = text }

    let synchronizer = Synchronizer(
      processor: DocumentProcessor(archive: archive, folder: folder), options: options)
    do {
      let report = try await synchronizer.sync()
      show("\(report.counts.downloaded) documents are new")
    } catch is CancellationError {
      // who asked has gone, and nobody needs to be told
    } catch {
      show(error.localizedDescription)
    }

    XCTAssertEqual(shown, "2 documents are new")
    await assertEqual(archive.asked, ["short", "long"])
  }

  func testWhatTheGuideSaysOfPlansItemsAndSchedulesWorks() async throws {
    let archive = ShelfArchive()
    await archive.fill(["long": "many words in here", "short": "word"])
    var patient = SyncOptions(stopOnError: false)
    patient.retries = DownloadRetries(attempts: 3)
    patient.timeLimits = TimeLimits(stage: .seconds(60), download: .seconds(300))
    patient.concurrency = 1
    let synchronizer = Synchronizer(
      processor: DocumentProcessor(archive: archive, folder: try newFolder()), options: patient)
    let plan = try await synchronizer.plan()
    show("\(plan.downloads.count) to fetch, \(plan.removals.count) to remove")
    await open("long", with: synchronizer)
    await assertEqual(archive.asked.first, "long", "it comes first although it is long")
    await open("nowhere", with: synchronizer)
    XCTAssertEqual(shown.withLock { $0.prefix(2) }, ["2 to fetch, 0 to remove", "long is here"])
    XCTAssertEqual(
      shown.withLock { $0.last },
      "The key nowhere is neither listed nor held; look for it again after the next sync.")
    await eventually("the runs have ended") { !synchronizer.isSyncing }
    let recorder = EventRecorder(synchronizer.events)
    let reader = Task { await keepInStep(synchronizer) }
    await assertEqual(recorder.eventsUntilRunEnd().last, .runSucceeded(passes: 1))
    reader.cancel()
    await reader.value
  }

  @MainActor
  func testTheModelOfTheGuideIsKeptInStep() async throws {
    let archive = ShelfArchive()
    await archive.fill(["short": "word"])
    let bookmarks = Bookmarks(archive: archive)
    bookmarks.titles = ["gone": "gone"]
    try await Synchronizer(processor: bookmarks).sync()
    XCTAssertEqual(bookmarks.titles, ["short": "word"])
  }

  func testEverySwiftBlockOfTheGuideIsCompiled() throws {
    let guide = "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/WriteAProcessor.md"
    let folder = "Tests/OneWaySynchronizerTests/"
    try assertCompiled(guide, in: folder + "GuideTests.swift", folder + "GuideTests+Views.swift")
  }

  func newFolder() throws -> URL {
    let folder = base.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}

struct Document: SyncItem {
  let id: String
  /// When it was last changed, in seconds since 1970.
  let modified: Int
  let pages: Int
  var downloadOrder: Int { pages }
}

protocol Archive: Sendable {
  func documents() async throws -> [Document]
  func bytes(of key: String) async throws -> Data
}

struct DocumentProcessor: SyncProcessor {
  let archive: any Archive
  let folder: URL

  func fetchSourceList() async throws -> SourceList<Document> {
    .complete(try await archive.documents())
  }
}

extension DocumentProcessor {
  func localKeys() async throws -> Set<String> {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return Set(names.compactMap(\.removingPercentEncoding))
  }

  func removeLocalItems(_ keys: Set<String>) async throws {
    for key in keys { try FileManager.default.removeItem(at: file(for: key)) }
  }

  func file(for key: String) -> URL {
    let name = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return folder.appending(path: name, directoryHint: .notDirectory)
  }
}

extension DocumentProcessor {
  func shouldUpdate(_ document: Document) async throws -> Bool {
    let path = file(for: document.id).path
    let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    return date != Date(timeIntervalSince1970: Double(document.modified))
  }
}

extension DocumentProcessor {
  func downloadContent(of document: Document) async throws {
    let bytes = try await archive.bytes(of: document.id)
    let file = file(for: document.id)
    try bytes.write(to: file, options: .atomic)
    let date = Date(timeIntervalSince1970: Double(document.modified))
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
  }
}

extension DocumentProcessor: StoreSyncProcessor {
  var commitsEachDownload: Bool { true }
}

@MainActor
@Observable
final class Bookmarks: SyncProcessor {
  var titles: [String: String] = [:]
  let archive: any Archive

  init(archive: any Archive) { self.archive = archive }

  func fetchSourceList() async throws -> SourceList<Document> {
    .complete(try await archive.documents())
  }
  func localKeys() async throws -> Set<String> { Set(titles.keys) }
  func removeLocalItems(_ keys: Set<String>) async throws {
    for key in keys { titles[key] = nil }
  }
  func shouldUpdate(_ document: Document) async throws -> Bool { false }  // titles never change
  func downloadContent(of document: Document) async throws {
    let bytes = try await archive.bytes(of: document.id)
    titles[document.id] = String(decoding: bytes.prefix(40), as: UTF8.self)
  }
}

/// What the guide's functions showed.
private let shown = Locked<[String]>([])

func show(_ text: String) { shown.withLock { $0.append(text) } }

func open(_ key: String, with synchronizer: Synchronizer<DocumentProcessor>) async {
  do {
    try await synchronizer.ensure(key)
    show("\(key) is here")
  } catch {
    show(error.localizedDescription)
  }
}

func keepInStep(_ synchronizer: Synchronizer<DocumentProcessor>) async {
  for await result in synchronizer.syncs(every: .seconds(900), tolerance: .seconds(60)) {
    if case .failure(let error) = result { show(error.localizedDescription) }
  }
}

#if canImport(BackgroundTasks) && os(iOS)
  func askForRefresh() {
    let request = BGAppRefreshTaskRequest(identifier: "org.example.refresh")
    request.earliestBeginDate = Date(timeIntervalSinceNow: 900)
    try? BGTaskScheduler.shared.submit(request)
  }

  func refresh(_ synchronizer: Synchronizer<DocumentProcessor>) async {
    askForRefresh()  // the next one
    _ = try? await synchronizer.sync()  // cancelled when the system's patience ends
  }
#endif

/// An archive in memory.
actor ShelfArchive: Archive {
  private var texts: [String: String] = [:]
  /// The keys whose bytes were asked for, in order.
  private(set) var asked: [String] = []

  func fill(_ texts: [String: String]) { self.texts = texts }

  func documents() -> [Document] {
    texts.map { key, text in
      Document(id: key, modified: abs(text.hashValue % 1_000_000_000), pages: text.count)
    }
  }

  func bytes(of key: String) -> Data {
    asked.append(key)
    return Data((texts[key] ?? "").utf8)
  }
}

struct DocumentFixture: ProcessorFixture {
  let archive = ShelfArchive()
  let folder: URL

  func makeProcessor() -> DocumentProcessor {
    DocumentProcessor(archive: archive, folder: folder)
  }

  func setSource(_ contents: [String: String]) async { await archive.fill(contents) }

  func localState() async throws -> [String: String] {
    let processor = makeProcessor()
    return try await processor.localKeys().reduce(into: [:]) { state, key in
      state[key] = try String(contentsOf: processor.file(for: key), encoding: .utf8)
    }
  }
}
