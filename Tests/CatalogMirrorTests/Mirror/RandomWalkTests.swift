import Foundation
import SyncLock
import TestSupport
import XCTest

@testable import CatalogMirror

/// Random catalogs, failures, cancellations and local damage: whatever happens, nothing is lost or
/// torn, and the index tells the truth; and a run without trouble makes everything right.
final class RandomWalkTests: RunTestCase {
  /// What a person wrote into the folder, by path, as long as it was the last thing written there.
  private var mine: [String: String] = [:]

  func testWhateverHappensNothingIsLostAndACleanRunConverges() async throws {
    for seed in UInt64(1)...12 {
      try? FileManager.default.removeItem(atPath: folder)
      mine = [:]
      var world = RandomWorld(seed: seed)
      for step in 1...15 {
        now.withLock { $0 += 60 }
        if !world.random.oneIn(5) { world.change() }
        try damage(&world)
        let hasLooked = try await troubledRun(&world)
        try await check(world, hasLooked: hasLooked, "seed \(seed), step \(step)")
        guard world.random.oneIn(3) else { continue }
        try await cleanRun(world, "seed \(seed), step \(step)")
      }
      try await cleanRun(world, "seed \(seed), at the end")
    }
  }

  private func damage(_ world: inout RandomWorld) throws {
    for name in RandomWorld.keys + ["c/own", "own"] where world.random.oneIn(8) {
      switch Int.random(in: 0..<3, using: &world.random) {
      case 0 where (try? remove(name)) != nil:
        for path in mine.keys where path == name || path.hasPrefix(name + "/") {
          mine[path] = nil
        }
      case 1 where exists(name):
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: "\(folder)/\(name)")
      default:
        let text = world.text("mine")
        if (try? place(text, at: name)) != nil { mine[name] = text }
      }
    }
  }

  /// Answers whether the look at the files was over before the run was cancelled.
  private func troubledRun(_ world: inout RandomWorld) async throws -> Bool {
    let isComplete = !world.random.oneIn(5)
    try serve(world.list, isComplete: isComplete)
    for thing in world.list where world.random.oneIn(5) {
      try site.answer(Self.root + thing.key, world.fault(of: thing))
    }
    if world.random.oneIn(10) { try site.answer(Self.catalogURL, .status(503)) }
    let (wantsPreviews, isSerial) = (world.random.oneIn(2), world.random.oneIn(2))
    let last = world.random.oneIn(3) ? Int.random(in: 1...8, using: &world.random) : 0
    let report = try await syncCancelled(atRequest: last) { options in
      options.previews = wantsPreviews ? .also : .none
      options.concurrency = isSerial ? 1 : 4
      options.maximumRemoval = .all
    }
    XCTAssertNotEqual(report.outcome, .removalRefused(count: 0, of: 0))
    return last != 1
  }

  /// What must be true after every run.
  private func check(
    _ world: RandomWorld, hasLooked: Bool = true, _ place: String
  ) async throws {
    let tree = try tree()
    for (name, text) in tree where mine[name] != text {
      XCTAssert(world.served[name]?.contains(text) ?? false, "\(name): \(text), \(place)")
    }
    let texts = Set(tree.values).union(try inside("displaced").values)
    XCTAssertEqual(Set(mine.values).subtracting(texts), [], "lost, \(place)")
    XCTAssertEqual(try inside("staging"), [:], place)
    guard exists(".mirror/index.sqlite") else { return }
    let previews = try inside("previews")
    for (key, row) in try await rows() {
      XCTAssertEqual(row.state, .present, place)
      if hasLooked, let content = row.content {
        XCTAssertEqual(tree[key].map(digest), content.sha256, "\(key), \(place)")
      }
      if let preview = row.preview { XCTAssertNotNil(previews[preview.name], place) }
    }
  }

  /// A run without trouble gives the catalog, and a further one finds nothing to do.
  private func cleanRun(_ world: RandomWorld, _ place: String) async throws {
    try serve(world.list)
    let all: @Sendable (inout MirrorOptions) -> Void = { options in
      options.previews = .also
      options.maximumRemoval = .all
    }
    let report = try await sync(all)
    XCTAssertEqual(report.outcome, .done, "\(report.failures), \(place)")
    try await check(world, place)
    let tree = try tree()
    for thing in world.list { XCTAssertEqual(tree[thing.key], thing.text, place) }
    let (listed, held) = (Set(world.things.keys), Set(try await rows().keys))
    XCTAssertEqual(held, listed, place)
    let others = tree.keys.filter { !listed.contains($0) && mine[$0] != tree[$0] }
    XCTAssertEqual(others, [], "neither listed nor foreign, \(place)")
    XCTAssertEqual(
      try inside("previews").values.sorted(), world.list.compactMap(\.preview?.text).sorted(),
      place)
    let again = try await sync(all)
    XCTAssert(again.wasUnchanged, place)
    XCTAssertEqual(site.asked.count, 1, place)
  }
}
