import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import XCTest

/// A processor hears of each stage before the stage's own method is called.
final class StageNoticeTests: XCTestCase {
  private struct Listener: StoreSyncProcessor {
    let heard = Locked<[String]>([])

    func note(_ text: String) { heard.withLock { $0.append(text) } }

    func stageWillBegin(_ stage: SyncStage) async { note("> \(stage.rawValue)") }

    func fetchSourceList() async throws -> SourceList<TestItem> {
      note("list")
      return .complete([TestItem("new"), TestItem("both")])
    }

    func localKeys() async throws -> Set<String> { ["both", "gone"] }

    func removeLocalItems(_ keys: Set<String>) async throws { note("remove") }

    func itemsToUpdate(among items: [TestItem]) async throws -> [TestItem] { items }

    func downloadPreview(of item: TestItem) async throws { note("preview \(item.id)") }

    func downloadContent(of item: TestItem) async throws { note("content \(item.id)") }

    func commitDownloads() async throws -> [String: any Error] {
      note("commit")
      return [:]
    }

    func syncDidEnd(_ report: PassReport<String>) async { note("end") }
  }

  private func options() -> SyncOptions {
    var options = SyncOptions()
    options.downloadPreview = true
    options.concurrency = 1
    options.removal = .afterDownloads
    return options
  }

  func testEachStageAfterTheFirstIsToldBeforeItsMethod() async throws {
    let listener = Listener()
    try await Synchronizer(processor: listener, options: options()).sync()
    XCTAssertEqual(
      listener.heard.withLock { $0 },
      [
        "> fetchSourceList", "list", "> localKeys", "> itemsToUpdate", "> prepareDownload",
        "> downloadPreviews", "preview new", "preview both", "> downloadContents", "content new",
        "content both", "> commitDownloads", "commit", "> removeLocalItems", "remove", "end",
      ])
  }

  func testAPlanTellsOfTheStagesThatItGoesThrough() async throws {
    let listener = Listener()
    _ = try await Synchronizer(processor: listener, options: options()).plan()
    XCTAssertEqual(
      listener.heard.withLock { $0 },
      ["> fetchSourceList", "list", "> localKeys", "> itemsToUpdate", "> prepareDownload", "end"])
  }
}
