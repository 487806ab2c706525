import SyncLock
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// Runs that know most lines of the catalog already come to the same as runs that read all of them.
final class KnownLinesRunTests: RunTestCase {
  private var other: String { base + "/other" }

  /// A catalog's lines, with what real ones have wrong.
  private func lines(_ random: inout SeededGenerator, after before: [Thing]) throws -> (
    things: [Thing], extra: [String]
  ) {
    var things = before.filter { _ in !random.oneIn(6) }
    for index in things.indices where random.oneIn(5) {
      things[index].text += "+"
      if random.oneIn(3) { things[index].order = Int.random(in: -1...1, using: &random) }
      if random.oneIn(3) {
        things[index].preview = random.oneIn(3) ? nil : .init(url: "p/\(index)", text: "\(index)")
      }
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let key = ["a", "b", "b/c", "d/e", "d/f", "d", "ü", "x/y/z", "x/y"].randomElement(
        using: &random)
      let isListed = things.contains { $0.key == key }
      if let key, !isListed || random.oneIn(8) {
        things.append(Thing(key, "text of \(key)") { $0.hasDigest = !random.oneIn(4) })
      }
    }
    if random.oneIn(3) { things.shuffle(using: &random) }
    let extra = random.oneIn(4) ? [#"{"key":"bad","size":-1}"#, #"{"key":"../out"}"#] : []
    return (things, extra)
  }

  private func run(
    into folder: String, folding: NameFolding, _ previews: MirrorOptions.Previews
  ) async throws -> MirrorReport {
    var options = MirrorOptions(catalog: Self.catalogURL, folder: folder)
    (options.retries, options.durability) = (0, .none)
    options.concurrency = 1
    options.previews = previews
    var environment = environment
    environment.folding = folding
    return try await FolderMirror(options, in: environment).sync()
  }

  func testAPairThatCameInTwoListingsCollidesInTheThird() async throws {
    let (file, below) = (Thing("a", "file"), Thing("a/b", "below"))
    try await syncWell(to: [file])
    try remove("a")
    try await syncWell(to: [below], isComplete: false)
    try remove("a")
    let report = try await sync(to: [file, below], ending: .someFailed)
    XCTAssertEqual(report.failures.compactMap(\.key).sorted(), ["a", "a/b"])
    XCTAssertEqual(try inside("displaced"), [:])
    try await assertFalse(keepsValidators())
    try await syncWell(to: [file])
    XCTAssertEqual(try tree(), ["a": "file"])
    try await assertIndexIsTrue()
  }

  func testAChangeOfNothingButTheLineIsNoDownload() async throws {
    try await syncWell(to: [Thing("a", "alpha"), Thing("b", "beta")])
    let before = try await rows()
    try await syncWell(to: [Thing("a", "alpha"), Thing("b", "beta")], header: #","title":"anew""#)
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson"])
    try await assertEqual(rows(), before)
    XCTAssertNotNil(before["a"]?.entry.line)
  }

  func testKnowingLinesChangesNothingOfWhatARunDoes() async throws {
    for seed in UInt64(1)...10 {
      for path in [folder, other] { try? FileManager.default.removeItem(atPath: path) }
      var random = SeededGenerator(seed: seed)
      var things: [Thing] = []
      for step in 1...10 {
        now.withLock { $0 += 60 }
        let extra: [String]
        (things, extra) = try lines(&random, after: things)
        let isComplete = !random.oneIn(5)
        try serve(things, isComplete: isComplete)
        try serveCatalog(
          catalog(things, isComplete: isComplete) + extra.map { $0 + "\n" }.joined())
        if random.oneIn(3), let lost = things.randomElement(using: &random) {
          try? FileManager.default.removeItem(atPath: "\(folder)/\(lost.key)")
          try? FileManager.default.removeItem(atPath: "\(other)/\(lost.key)")
        }
        let previews: MirrorOptions.Previews =
          random.oneIn(3) ? .none : random.oneIn(3) ? .only : .also
        let report = try await run(into: folder, folding: .none, previews)
        // Where names are folded, every line is read.
        let reading = try await run(into: other, folding: NameFolding(caseFolding: true), previews)
        let place = "seed \(seed), step \(step)"
        XCTAssertEqual(shown(report), shown(reading), place)
        XCTAssertEqual(try kept(in: folder), try kept(in: other), place)
      }
    }
  }

  /// What a report says, but for the time that the run took, the order of the failures, and which
  /// of several is named as the other side of a collision, or as the one that is listed twice.
  private func shown(_ report: MirrorReport) -> [String] {
    var rest = report
    (rest.duration, rest.failures) = (.zero, [])
    let failures = report.failures.map { failure in
      let sentence = failure.sentence.components(separatedBy: "collides with")[0]
      return "\(failure.key ?? "") \(sentence.contains("twice") ? "twice" : sentence)"
    }
    return failures.sorted() + ["\(rest)"]
  }

  /// The tree, and what was moved out of it.
  private func kept(in folder: String) throws -> [String: String] {
    try files(below: folder).filter { path, _ in
      !path.hasPrefix(".mirror/") || path.hasPrefix(".mirror/quarantine/")
        || path.hasPrefix(".mirror/displaced/") || path.hasPrefix(".mirror/previews/")
    }
  }
}
