import Foundation
import TestSupport
import XCTest

/// F11: bodies that come just fast enough not to stall, for as long as anybody listens. The limits
/// of 4 KiB a second and ten minutes are scaled, as the test's patience is.
final class F11SlowTests: FaultTestCase {
  private static let limits = ["--min-rate", "100K", "--min-rate-grace", "1s"]
  private static let keys = ["sized", "unsized"]

  /// Some 20 KB a second, for half a minute: no stall, and yet too slow.
  private static func trickle(_ key: String, _ bytes: [UInt8]) -> FaultAnswer {
    let piece = Array(bytes.prefix(2_000))
    let (head, step) =
      key == "unsized"
      ? (FaultAnswer.head(framing: .chunked), FaultAnswer.chunk(piece))
      : (
        FaultAnswer.head(
          200, [("ETag", HonestSite.etag(bytes))], framing: .length, length: bytes.count), piece
      )
    let turn: [FaultAnswer.Step] = [.pause(milliseconds: 100), .bytes(step)]
    return FaultAnswer([.bytes(head)] + (0..<300).flatMap { _ in turn } + [.silence])
  }

  private static func site(_ byte: UInt8) -> HonestSite {
    let bytes = [UInt8](repeating: byte, count: 600_000)
    return HonestSite(
      (keys + ["good"]).map {
        HonestSite.Item(key: $0, bytes: bytes, declares: $0 == "unsized" ? [] : [.size, .digest])
      })
  }

  /// Serves the site, but for its first answers, which trickle.
  private static func slowly(_ site: HonestSite, attempts: Int) -> FaultServer.Script {
    { request, attempt in
      let item = site.items.first { "/" + $0.key == request.path && keys.contains($0.key) }
      guard let item, attempt <= attempts else { return site.script(request, attempt) }
      return trickle(item.key, item.bytes)
    }
  }

  func testF11_aBodyThatTricklesIsCutAndGoneOnWith() async throws {
    let (first, second, third) = (Self.site(0x61), Self.site(0x62), Self.site(0x63))
    let server = try serveFaults(Self.slowly(first, attempts: 1))
    let patience = Duration.seconds(20)
    let heals = try sync(
      server, HonestSite.catalogPath, Self.limits + ["--retries", "1"], within: patience)
    assertEnd(heals, 0)
    let firstBytes = first.items.reduce(into: [:]) { $0[$1.key] = Data($1.bytes) }
    XCTAssertTrue(try files(in: copy) == firstBytes)
    let starts = server.requests.compactMap { $0.path == "/sized" ? $0.rangeStart : nil }
    XCTAssertEqual(starts.count, 1, "the rest of what was cut wasn't asked for")
    XCTAssertGreaterThan(starts.first ?? 0, 10_000)

    server.follow(Self.slowly(second, attempts: .max))
    let fails = try sync(
      server, HonestSite.catalogPath, Self.limits + ["--retries", "0"], within: patience)
    assertEnd(fails, 2)
    for key in Self.keys {
      assertSays(fails, ["mirror: \(key): ", "too slow on the whole", "--min-rate"], key)
    }
    let held = try files(in: copy)
    for key in Self.keys { XCTAssertTrue(held[key] == firstBytes[key], key) }
    XCTAssertTrue(held["good"] == Data(second.items[2].bytes), "the others weren't fetched")

    let before = try tree()
    server.follow { _, _ in Self.trickle("catalog", Array(repeating: 0x20, count: 600_000)) }
    try assertLeftAlone(
      try sync(server, HonestSite.catalogPath, Self.limits + ["--retries", "0"]),
      saying: ["too slow on the whole"], before, "a catalog that trickles")
    try await assertNothingIsLost(
      of: first.versions.merging(second.versions) { $0.union($1) }, "after trickles")
    try assertConverges(on: server, to: third)
    try Extent.record(
      "F11", "bodies that trickle for ever, scaled down", count: 5,
      "cut, the old one kept, the rest done; resumed after a retry")
  }
}
