import Foundation
import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import XCTest

@testable import CatalogMirror
@testable import SyncFetching
@testable import SyncFolder
@testable import SyncText

/// The mirror's own processor keeps what the kit demands of every processor.
final class MirrorContractTests: RunTestCase {
  func testTheMirrorKeepsTheProcessorContract() async throws {
    let options = mirror().options.syncOptions
    for removal in [SyncOptions.Removal.afterDownloads, .beforeDownloads] {
      var sync = options
      sync.removal = removal
      sync.concurrency = 2
      let result = await ProcessorContract.check(options: sync) {
        MirrorFixture(folder: "\(base)/\(UUID().uuidString)", environment: environment)
      }
      XCTAssertEqual(result.description, "The contract is kept.")
    }
  }
}

/// A site of texts and a folder; the session, and with it the lock, is that of one processor.
private struct MirrorFixture: ProcessorFixture {
  let site = TextSite()
  let folder: String
  let environment: MirrorEnvironment

  private func key(_ text: String) -> MirrorItem.ID { .key(CatalogKey(text)) }

  var plainKeys: [MirrorItem.ID] { ["a", "b", "c/d", "c/e", "f"].map(key) }

  var oddKeys: [MirrorItem.ID] {
    [
      "with space", " leading", "trailing ", "dot.", ".hidden", "a/b", "per%cent", "a%2Fb", "a+b",
      "q?x=1&y=2#z", "colon:star*", "quote'\"", "UPPER", "upper", "\u{E9}migr\u{E9}",
      "e\u{301}migre\u{301}", "日本語", "emoji 🎈", "-dash", "semi;colon",
      String(repeating: "long", count: 40),
    ].map(key)
  }

  func makeProcessor() async throws -> MirrorProcessor {
    var options = MirrorOptions(catalog: RunTestCase.catalogURL, folder: folder)
    options.durability = .none
    options.retries = 0
    var environment = environment
    environment.makeTransport = { [site] _ in site }
    let observer = MirrorObserver()
    let connection = try SourceConnection(options, in: environment, observer: observer)
    let session = try await MirrorSession.open(
      options, in: environment, startedAt: environment.now(), observer: observer)
    let catalog = CatalogSource(
      connection, options, folding: session.folding, at: 0, observer: observer)
    let context = RunContext(
      options: options, target: PassTarget(session), catalog: catalog, observer: observer,
      startedAt: environment.now(), time: Timeline(environment.clock), environment: environment)
    return MirrorProcessor(context, from: connection.source)
  }

  func close(_ processor: MirrorProcessor) async {
    await processor.session.close()
  }

  func setSource(_ contents: [MirrorItem.ID: String]) {
    let texts = contents.compactMap { id, text in id.key.map { ($0, text) } }
    site.set(Dictionary(uniqueKeysWithValues: texts))
  }

  func localState() throws -> [MirrorItem.ID: String] {
    var held: [MirrorItem.ID: String] = [:]
    let paths = FileManager.default.enumerator(atPath: folder)
    for case let path as String in paths ?? .init() where !path.hasPrefix(".mirror") {
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(path)") else { continue }
      held[key(path)] = String(decoding: data, as: UTF8.self)
    }
    return held
  }

  func setInterception(_ interception: SourceInterception<MirrorItem.ID>?) -> Bool {
    site.intercept(interception)
    return true
  }

  func tearDown() {
    try? FileManager.default.removeItem(atPath: folder)
  }
}
