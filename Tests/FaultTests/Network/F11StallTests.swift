import Foundation
import RawSockets
import TestSupport
import XCTest

/// F11: servers that take a connection and then give nothing, or next to nothing. A stall is less
/// than 1 KiB a second for 30 s, so that this takes half a minute; all kinds of it run side by
/// side.
final class F11StallTests: FaultTestCase {
  private static let old = Array("old".utf8)
  /// So few that all but the last of them don't make 1 KiB a second.
  private static let new = [UInt8](repeating: 0x6E, count: 20_000)

  private static func answer(_ kind: String) -> FaultAnswer? {
    let head = FaultAnswer.head(200, [("ETag", "\"n\"")], framing: .length, length: new.count)
    return switch kind {
    case "half-open": FaultAnswer([.silence])
    case "slow-headers": FaultAnswer([.dripped(head + head, milliseconds: 500), .silence])
    case "endless-headers":
      FaultAnswer([
        .bytes(Array("HTTP/1.1 200 OK\r\nX-Drip: ".utf8)), .dripped(new, milliseconds: 20),
      ])
    case "slow-body": FaultAnswer([.bytes(head), .dripped(new, milliseconds: 20)])
    case "no-body": FaultAnswer([.bytes(head), .silence])
    case "99-percent": FaultAnswer([.bytes(head + new[..<19_800]), .silence])
    case "last-byte": FaultAnswer([.bytes(head + new.dropLast()), .silence])
    case "last-chunk":
      FaultAnswer([
        .bytes(FaultAnswer.head(framing: .chunked) + FaultAnswer.chunk(new)), .silence,
      ])
    default: nil
    }
  }

  private static let kinds = [
    "half-open", "slow-headers", "endless-headers", "slow-body", "no-body", "99-percent",
    "last-byte", "last-chunk",
  ]

  private func site(_ bytes: [UInt8]) -> HonestSite {
    HonestSite((Self.kinds + ["good", "good2"]).map { HonestSite.Item(key: $0, bytes: bytes) })
  }

  func testF11_aStallIsCutAfterThirtySecondsAndTriedAgain() async throws {
    let (before, after) = (site(Self.old), site(Self.new))
    let server = try serve(before)
    let healing = try serveFaults { request, attempt in
      attempt == 1
        ? Self.answer(String(request.path.dropFirst())) ?? after.script(request, attempt)
        : after.script(request, attempt)
    }
    let mute = try serveFaults { _, _ in FaultAnswer([.silence]) }
    let full = try FullListener()
    defer { full.close() }
    assertEnd(try sync(server), 0)
    server.follow { request, attempt in
      Self.answer(String(request.path.dropFirst())) ?? after.script(request, attempt)
    }
    let began = ContinuousClock.now
    let catalog = HonestSite.catalogPath
    let never = try start(["sync", server.url(catalog), copy.path, "--retries", "0"])
    let heals = try start(["sync", healing.url(catalog), base.path + "/heals", "--retries", "1"])
    let unheard = try start(["sync", mute.url(catalog), base.path + "/mute", "--retries", "0"])
    let unmet = try start(
      ["sync", "http://127.0.0.1:\(full.port)/", base.path + "/full", "--retries", "0"])
    let outcomes = try [never, heals, unheard, unmet].map { child in
      try child.outcome(within: Patience.promised(.seconds(75)))
    }
    let took = ContinuousClock.now - began
    XCTAssertGreaterThan(took, .seconds(29))
    XCTAssertLessThan(took, Patience.promised(.seconds(60)))

    assertEnd(outcomes[0], 2)
    for kind in Self.kinds { assertSays(outcomes[0], ["\(kind): ", "stalled"], kind) }
    let held = try files(in: copy)
    for kind in Self.kinds { XCTAssertTrue(held[kind] == Data(Self.old), kind) }
    for good in ["good", "good2"] { XCTAssertTrue(held[good] == Data(Self.new), good) }
    try await assertNothingIsLost(
      of: after.versions.merging(before.versions) { $0.union($1) }, "after stalls")

    assertEnd(outcomes[1], 0)
    let healed = try files(in: base.appending(path: "heals"))
    XCTAssertTrue(healed == after.items.reduce(into: [:]) { $0[$1.key] = Data($1.bytes) })
    XCTAssertTrue(
      healing.requests.contains { $0.path == "/99-percent" && $0.rangeStart == 19_800 },
      "the rest of what stalled at 99 % wasn't asked for")

    assertRefused(outcomes[2], 1, saying: "stalled", mute.url(catalog))
    assertRefused(outcomes[3], 1, saying: "no connection came about in time")
    try assertConverges(on: server, to: after)
    try Extent.record(
      "F11", "half-open, slow and stalled answers", count: Self.kinds.count,
      "cut after 30 s, the old one kept, the rest done; resumed after a retry")
  }
}

/// A listening socket whose queue is full: the system drops whoever calls, as a host does that is
/// gone.
private final class FullListener {
  let port: UInt16
  private var sockets: [CInt]

  init() throws {
    let listener = try RawSocket.listen()
    guard Foundation.listen(listener, 0) == 0 else { throw POSIXError(.EINVAL) }
    port = RawSocket.port(of: listener)
    sockets = [listener]
    for _ in 0..<2 { sockets.append(RawSocket.call(port)) }
  }

  func close() {
    for socket in sockets { _ = Foundation.close(socket) }
  }
}
