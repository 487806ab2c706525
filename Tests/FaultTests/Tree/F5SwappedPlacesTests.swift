import Foundation
import TestSupport
import XCTest

/// F5, while the run goes: directories and files of the copy, and the mirror's own, change places
/// with links to the canary, with FIFOs, files and other directories.
final class F5SwappedPlacesTests: FaultTestCase {
  func testF5_aTreeThatIsSwappedWhileRunsGoLeadsNowhere() async throws {
    try await race(
      [
        .init(place: copy.appending(path: "d"), decoy: .link(to: canary)),
        .init(
          place: copy.appending(path: "d/deep"), decoy: .link(to: canary.appending(path: "deep"))),
        .init(
          place: copy.appending(path: "d/bird"), decoy: .link(to: canary.appending(path: "bird"))),
        .init(place: copy.appending(path: "e/f"), decoy: .fifo),
        .init(place: copy.appending(path: "e"), decoy: .file),
        .init(place: copy.appending(path: "e/f"), decoy: .directory),
      ], share: 0.5)
  }

  func testF5_placesOfTheMirrorsOwnThatAreSwappedWhileRunsGoLeadNowhere() async throws {
    let own = copy.appending(path: ".mirror")
    let areas = ["staging", "previews", "quarantine", "displaced"].map {
      Flipper.Trick(place: own.appending(path: $0), decoy: .link(to: canary))
    }
    let files = ["lock", "index.sqlite", "index.sqlite-wal", "marker"].map {
      Flipper.Trick(
        place: own.appending(path: $0), decoy: .link(to: canary.appending(path: "bird")))
    }
    try await race(
      areas + files + [.init(place: own, decoy: .link(to: canary))], share: 0.5)
  }

  private func race(_ tricks: [Flipper.Trick], share: Double) async throws {
    let seed = Extent.seed()
    var generator = SeededGenerator(seed: seed)
    let server = try serve()
    let catalog = server.url + Self.catalogName
    var versions = Versions()
    for round in 0..<2 {
      let texts = texts(round, &generator)
      versions.add(texts)
      try republish(texts, previews: ["d/bird": "preview \(round)"], round: round)
      assertEnd(try sync(catalog, ["--previews", "--max-delete", "all"]), 0)
    }
    let wanted = Int(Double(Extent.count(quick: 2_000, full: 100_000)) * share)
    let flipper = try Flipper(tricks, shelf: base.appending(path: "shelf"), seed: seed)
    atEnd { flipper.stop() }
    var (runs, hits) = (0, 0)
    // Runs that were never hit show nothing: on a slow machine a few more are made.
    while flipper.flips < wanted || (hits == 0 && runs < 200) {
      runs += 1
      let texts = texts(runs + 1, &generator)
      versions.add(texts)
      try republish(texts, previews: ["d/bird": "preview \(runs)"], round: runs + 1)
      let outcome = try sync(catalog, ["--previews", "--max-delete", "all", "--keep-removed", "0"])
      let claim = "seed \(seed), run \(runs): \(outcome)"
      XCTAssertTrue(
        [0, 1, 2].contains { outcome.end == .exited($0) }, claim)
      if outcome.said.contains("is, or leads through") { hits += 1 }
    }
    flipper.stop()
    XCTAssertGreaterThan(hits, 0, "nobody was hit; seed \(seed), \(runs) runs")
    try await convergeAfterRace(
      server, texts(runs, &generator), versions, "seed \(seed), \(runs) runs")
    try Extent.record(
      "F5", "flips of places while `mirror` runs", count: flipper.flips,
      "\(runs) runs, \(hits) of them hit: nothing beside the folder changed, and it converged")
  }

  /// When everything is back in its place, one run mends what was done to the copy.
  private func convergeAfterRace(
    _ server: NginxServer, _ texts: [String: String], _ versions: Versions, _ claim: String
  ) async throws {
    var versions = versions
    versions.add(texts)
    try republish(texts, round: 1_000_000)
    assertEnd(try sync(server.url + Self.catalogName, ["--max-delete", "all"]), 0)
    try await assertNothingIsLost(of: versions.all, claim)
    // A file that was out of its place when its item was removed is somebody's when it comes back.
    for path in try files(in: copy).keys where texts[path] == nil {
      try FileManager.default.removeItem(at: copy.appending(path: path))
    }
    try assertConverges(on: server, ["--max-delete", "all"])
    try await assertNothingIsLost(of: versions.all, claim)
  }

  /// A tree that changes from round to round: files that grow, shrink, come and go.
  private func texts(_ round: Int, _ generator: inout SeededGenerator) -> [String: String] {
    var texts = ["top": "top \(round)"]
    for key in ["d/bird", "d/deep/bird", "d/deep/other", "e/f", "g/h/i"]
    where !generator.oneIn(3) {
      let length = Int.random(in: 1...3_000, using: &generator)
      texts[key] = String(repeating: "\(key) \(round) ", count: length)
    }
    return texts
  }
}
