import TestSupport
import XCTest

@testable import DocumentSync

/// Many entries at once: what is delivered, in which order and with how many requests.
final class PassModelTests: XCTestCase {
  func testOneInAHundredThatIsRefusedHoldsUpNoneOfTheOthers() {
    var model = PassModel(seed: 1, batch: 100)
    for number in 0..<5_000 {
      model.make("\(number)", in: "notes")
      if number % 100 == 7 { model.faults.poison.insert(DocumentID("\(number)")) }
    }
    XCTAssertTrue(model.sync())
    XCTAssertEqual(model.delivered.count, 4_950)
    XCTAssertEqual(model.entries.count, 50)
    XCTAssertEqual(model.requests.count, 50, "as many as there are batches")
    XCTAssertTrue(model.entries.values.allSatisfy { $0.asPredecessor == .setAside })
    let numbers = model.delivered.compactMap { Int($0.text) }
    XCTAssertEqual(numbers, numbers.sorted(), "in order")
    let before = model.requests.count
    XCTAssertTrue(model.sync())
    XCTAssertEqual(model.requests.count, before, "what was set aside isn't sent again by itself")
    XCTAssertEqual(model.violations, [])
  }

  func testSmallLeftoversOfManyCollectionsShareARequest() {
    var model = PassModel(seed: 1, batch: 100)
    for number in 0..<10 { model.make("\(number)", in: "lane \(number)") }
    XCTAssertTrue(model.sync())
    XCTAssertEqual(model.requests, [10])
  }

  func testAChildIsSentInALaterRequestThanItsParent() {
    var model = PassModel(seed: 1, batch: 100)
    XCTAssertTrue(model.make("child", in: "notes", after: ["parent"]))
    XCTAssertTrue(model.make("parent", in: "notes"))
    XCTAssertTrue(model.make("grandchild", in: "notes", after: ["child"]))
    XCTAssertFalse(model.make("parent", in: "notes", after: ["grandchild"]))
    XCTAssertTrue(model.sync())
    XCTAssertEqual(model.delivered.map(\.text), ["parent", "child", "grandchild"])
    XCTAssertEqual(model.requests, [1, 1, 1])
  }

  func testAServerThatTakesSmallerBatchesThanItSaysGetsThem() {
    var model = PassModel(seed: 1, batch: 100)
    model.faults.mostEntries = 30
    for number in 0..<100 { model.make("\(number)", in: "notes") }
    XCTAssertTrue(model.sync(), "a batch that is too large is no trouble")
    XCTAssertEqual(model.delivered.count, 100)
    XCTAssertEqual(model.requests.prefix(3), [100, 50, 25])
    XCTAssertEqual(model.entries, [:])
  }

  func testOneThatTheServerBreaksOverHoldsUpTheOthersForAFewSyncsOnly() {
    var model = PassModel(seed: 1, batch: 100)
    for number in 0..<1_000 { model.make("\(number)", in: "notes") }
    model.faults.breaking = [DocumentID("50")]
    var syncs = 0
    while model.entries.count > 1, syncs < 10 {
      _ = model.sync()
      syncs += 1
    }
    XCTAssertLessThanOrEqual(syncs, 4)
    XCTAssertEqual(model.delivered.count, 999)
    XCTAssertEqual(model.entries[DocumentID("50")]?.batchShare, .last)
    let before = model.requests.count
    _ = model.sync()
    XCTAssertEqual(model.requests.count, before + 1, "it's tried once a sync")
    model.faults.breaking = []
    XCTAssertTrue(model.sync())
    XCTAssertEqual(model.entries, [:], "nothing is dropped")
  }

  func testWhateverGoesWrongAllArriveOnceInOrderAfterThoseThatTheyGoAfter() {
    for seed in 1...300 {
      var random = SeededGenerator(seed: UInt64(seed))
      var model = PassModel(
        seed: UInt64(seed), batch: [1, 2, 5, 20].randomElement(using: &random) ?? 1,
        sideBySide: Int.random(in: 1...3, using: &random))
      let after = fill(&model, using: &random)
      for _ in 0..<Int.random(in: 0...6, using: &random) { _ = model.sync() }
      model.faults.loss = nil
      model.faults.breaking = []
      model.faults.mostEntries = .max
      for _ in 0..<3 { _ = model.sync() }
      check(model, after, "seed \(seed)")
    }
  }

  private func fill(
    _ model: inout PassModel, using random: inout SeededGenerator
  ) -> [DocumentID: [DocumentID]] {
    var after: [DocumentID: [DocumentID]] = [:]
    for number in 0..<40 {
      let others = (0..<40).filter { _ in random.oneIn(60) }.map { "\($0)" }
      let lane = "\(Int.random(in: 0..<3, using: &random))"
      let id = DocumentID("\(number)")
      if model.make(id.text, in: lane, after: others) {
        after[id] = others.map(DocumentID.init)
      } else {
        model.make(id.text, in: lane)
      }
      if random.oneIn(12) { model.faults.poison.insert(id) }
      if random.oneIn(25) { model.faults.breaking.insert(id) }
    }
    model.faults.loss = random.oneIn(2) ? 4 : nil
    if random.oneIn(3) { model.faults.mostEntries = 3 }
    return after
  }

  private func check(_ model: PassModel, _ after: [DocumentID: [DocumentID]], _ message: String) {
    XCTAssertEqual(model.violations, [], message)
    XCTAssertEqual(Set(model.delivered).count, model.delivered.count, "\(message): once")
    var places: [DocumentID: Int] = [:]
    for (place, id) in model.delivered.enumerated() { places[id] = place }
    for (id, others) in after {
      guard let place = places[id] else { continue }
      for other in others {
        XCTAssertLessThan(places[other] ?? .max, place, "\(message): \(id) goes after \(other)")
      }
    }
    for (id, entry) in model.entries {
      let isHeld = (after[id] ?? []).contains { model.entries[$0] != nil }
      let isPoison = model.faults.poison.contains(id)
      XCTAssertTrue(isHeld || isPoison, "\(message): \(id) is left for a reason")
      if !isHeld { XCTAssertEqual(entry.asPredecessor, .setAside, message) }
    }
  }
}
