import OneWaySynchronizer
import SynchronizerTesting
import XCTest

// The tests of a processor: that it keeps the contract, and that the app around it does what it
// should whatever a processor does.

nonisolated struct Recipe: SyncItem, Equatable {
  let id: String
  let version: Int
}

nonisolated protocol Kitchen: Sendable {
  func recipes() async throws -> [Recipe]
  func text(of key: String) async throws -> String
}

actor RecipeBook {
  private(set) var recipes: [String: (version: Int, text: String)] = [:]
  func put(_ text: String, of recipe: Recipe) { recipes[recipe.id] = (recipe.version, text) }
  func remove(_ keys: Set<String>) { for key in keys { recipes[key] = nil } }
}

/// What is tested.
nonisolated struct RecipeProcessor: SyncProcessor {
  let kitchen: any Kitchen
  let book: RecipeBook

  func fetchSourceList() async throws -> SourceList<Recipe> {
    .complete(try await kitchen.recipes())
  }
  func localKeys() async throws -> Set<String> { Set(await book.recipes.keys) }
  func removeLocalItems(_ keys: Set<String>) async throws { await book.remove(keys) }
  func shouldUpdate(_ recipe: Recipe) async throws -> Bool {
    await book.recipes[recipe.id]?.version != recipe.version
  }
  func downloadContent(of recipe: Recipe) async throws {
    await book.put(try await kitchen.text(of: recipe.id), of: recipe)
  }
}

/// A kitchen in memory, which breaks off where the contract says.
actor StubKitchen: Kitchen {
  private var texts: [String: String] = [:]
  private var interception: SourceInterception<String>?

  func set(_ texts: [String: String]) { self.texts = texts }
  func intercept(_ interception: SourceInterception<String>?) { self.interception = interception }

  func recipes() async throws -> [Recipe] {
    try await reach(.list)
    return texts.map { Recipe(id: $0.key, version: $0.value.hashValue) }
  }

  func text(of key: String) async throws -> String {
    try await reach(.content(key))
    try Task.checkCancellation()
    return texts[key] ?? ""
  }

  private func reach(_ moment: SourceInterception<String>.Moment) async throws {
    if let interception, interception.moment == moment { try await interception.action() }
  }
}

nonisolated struct RecipeFixture: ProcessorFixture {
  let kitchen = StubKitchen()
  let book = RecipeBook()

  func makeProcessor() -> RecipeProcessor { RecipeProcessor(kitchen: kitchen, book: book) }
  func setSource(_ contents: [String: String]) async { await kitchen.set(contents) }
  func localState() async -> [String: String] { await book.recipes.mapValues(\.text) }
  func setInterception(_ interception: SourceInterception<String>?) async -> Bool {
    await kitchen.intercept(interception)
    return true
  }
}

nonisolated final class RecipesTests: XCTestCase {
  func testTheProcessorKeepsTheContract() async {
    let result = await ProcessorContract.check { RecipeFixture() }
    XCTAssertEqual(result.description, "The contract is kept.")
  }

  func testWhoAsksWhileASyncGoesOnGetsWhatIsNew() async throws {
    let processor = ScriptedProcessor(["soup"])
    let download = processor.hold(.content("soup"))
    let synchronizer = Synchronizer(processor: processor)
    async let first = synchronizer.sync()
    try await download.reached()
    processor.source = .complete(["soup", "cake"])
    async let second = synchronizer.sync()
    download.release()
    _ = try await (first, second)
    XCTAssertEqual(processor.local.keys.sorted(), ["cake", "soup"])
  }

  func testARecipeThatFailsKeepsNoOtherFromComing() async {
    let processor = ScriptedProcessor(["soup", "cake"])
    processor.fail(.content("soup"), with: Burnt())
    let synchronizer = Synchronizer(
      processor: processor, options: SyncOptions(stopOnError: false))
    do {
      try await synchronizer.sync()
      XCTFail("the failure is reported")
    } catch {
      let failures = (error as? SyncError<String>)?.report.failures ?? []
      XCTAssertEqual(failures.map(\.key), ["soup"])
    }
    XCTAssertEqual(processor.local.keys.sorted(), ["cake"])
  }

  func testAnObserverIsToldWhatHappensInOrder() async throws {
    let synchronizer = Synchronizer(processor: ScriptedProcessor(["soup"], local: ["gone"]))
    let recorder = EventRecorder(synchronizer.events)
    try await synchronizer.sync()
    let events = await recorder.eventsUntilRunEnd()
    XCTAssertEqual(
      events.filter(\.isItemEvent).map(\.description),
      [
        "downloadContents soup started (0 of 1)", "downloadContents soup finished (1 of 1)",
      ])
    XCTAssertEqual(events.last, .runSucceeded(passes: 1))
  }
}

nonisolated private struct Burnt: Error {}
