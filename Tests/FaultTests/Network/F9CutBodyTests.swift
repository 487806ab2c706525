import Foundation
import TestSupport
import XCTest

/// F9: bodies cut at every byte, in every framing, whatever the catalog says of them. One run meets
/// thousands of cuts: each item is another one.
final class F9CutBodyTests: FaultTestCase {
  private static let size = 4_096

  /// A body that is cut: how it is framed, what the catalog says of it, and after how many bytes.
  private struct Cut {
    var framing: FaultAnswer.Framing
    var facts: Set<HonestSite.Fact>
    var count: Int

    var key: String {
      let said = facts.map { "\($0)" }.sorted().joined(separator: "-and-")
      return "\(framing.rawValue)/\(said.isEmpty ? "nothing" : said)/\(count)"
    }

    /// Whether nothing could ever tell that it was cut, so that it isn't even tried again.
    var isRefused: Bool { framing == .close && facts.isEmpty }

    /// Whether what comes is the whole, and something vouches for that.
    var isWhole: Bool {
      switch framing {
      case .length: count == size
      case .chunked: false  // the last chunk never comes
      case .close: count == size && !facts.isEmpty
      }
    }
  }

  private func cuts() -> [Cut] {
    var random = SeededGenerator(seed: Extent.seed())
    let all = Array(0...Self.size).shuffled(using: &random)
    let chosen = [0, 1, Self.size - 1, Self.size] + all.prefix(Extent.count(quick: 16, full: .max))
    let facts: [Set<HonestSite.Fact>] = [[.size, .digest], [.size], [.digest], []]
    // In the long form every byte in every framing, and what is declared takes turns.
    let isLong = Extent.asked == .full
    return Set(chosen).sorted().flatMap { count in
      FaultAnswer.Framing.allCases.enumerated().flatMap { number, framing in
        (isLong ? [facts[(count + number) % facts.count]] : facts)
          .map { Cut(framing: framing, facts: $0, count: count) }
      }
    }
  }

  /// The items at many origins: one that fails ten times in a row would be given up on.
  private func site(_ cuts: [Cut], _ bytes: [UInt8], port: UInt16) -> HonestSite {
    HonestSite(
      cuts.enumerated().map { number, cut in
        HonestSite.Item(
          key: cut.key, bytes: bytes,
          url: "http://o\(number / 5).localhost:\(port)/\(cut.key)", declares: cut.facts)
      })
  }

  func testF9_aBodyCutAtAnyByteIsNeverTakenForTheWhole() async throws {
    let cuts = cuts()
    var random = SeededGenerator(seed: Extent.seed())
    let old = Array("old".utf8)
    let new = (0..<Self.size).map { _ in UInt8.random(in: 0...255, using: &random) }
    let server = try serve(HonestSite([:]))
    let before = site(cuts, old, port: server.port)
    let after = site(cuts, new, port: server.port)
    let seed = "seed \(Extent.seed())"
    let both = after.versions.merging(before.versions) { $0.union($1) }
    server.follow(before.script)
    assertEnd(try run(server), 0)
    server.follow(script(after, cuts, new, isCut: { _ in true }))
    let outcome = try run(server, "--retries", "0", "--json")
    assertEnd(outcome, 2)
    try await assertNothingIsLost(of: both, seed)
    let held = try files(in: copy)
    let complained = Self.keys(in: outcome.failureLines)
    for cut in cuts {
      let expected = cut.isWhole ? new : old
      XCTAssertTrue(held[cut.key] == Data(expected), "\(cut.key) isn't as it should be; \(seed)")
      XCTAssertEqual(complained.contains(cut.key), !cut.isWhole, "\(cut.key); \(seed)")
    }

    server.follow(script(after, cuts, new, isCut: { $0 == 1 }))
    try assertEachHeals(cuts, old, new, server, seed)
    try assertConverges(on: server, to: after, options)
    try await assertNothingIsLost(of: after.versions, seed)
    try Extent.record(
      "F9", "body cut at a byte of 4 KiB, in 3 framings, with and without size and digest",
      count: cuts.count, "the old one kept; whole after a retry")
  }

  /// What is cut at the first attempt heals at the second one, by the rest where the server has
  /// parts.
  private func assertEachHeals(
    _ cuts: [Cut], _ old: [UInt8], _ new: [UInt8], _ server: FaultServer, _ seed: String
  ) throws {
    _ = server.takeRequests()
    assertEnd(try run(server, "--retries", "1"), 2)
    let now = try files(in: copy)
    for cut in cuts {
      // What is refused on a new connection is asked for anew on a kept one, and then not cut.
      let whole = cut.isRefused ? [Data(old), Data(new)] : [Data(new)]
      XCTAssertTrue(whole.contains { $0 == now[cut.key] }, "\(cut.key) didn't heal; \(seed)")
    }
    let resumed = server.requests.compactMap(\.rangeStart)
    XCTAssertGreaterThan(resumed.count, cuts.count / 4, "hardly a rest was asked for; \(seed)")
  }

  /// The items of which something was said.
  private static func keys(in lines: [String]) -> Set<String> {
    Set(
      lines.compactMap { line in
        let parts = line.split(separator: ": ", maxSplits: 2)
        return parts.count == 3 && parts[0] == "mirror" ? String(parts[1]) : nil
      })
  }

  private let options = ["--concurrency", "64", "--connections", "64"]

  private func run(_ server: FaultServer, _ more: String...) throws -> ProgramOutcome {
    try sync(server, HonestSite.catalogPath, options + more, within: .seconds(600))
  }

  /// Cuts each body where its item says, in the attempts that are told.
  private func script(
    _ site: HonestSite, _ cuts: [Cut], _ bytes: [UInt8],
    isCut: @escaping @Sendable (_ attempt: Int) -> Bool
  ) -> FaultServer.Script {
    let byPath = Dictionary(uniqueKeysWithValues: cuts.map { ("/" + $0.key, $0) })
    let headers = [("ETag", HonestSite.etag(bytes))]
    let honest = site.script
    return { request, attempt in
      guard let cut = byPath[request.path], isCut(attempt) else {
        return honest(request, attempt)
      }
      return .cut(bytes, after: cut.count, framing: cut.framing, headers: headers)
    }
  }
}
