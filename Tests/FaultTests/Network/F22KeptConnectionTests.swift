import Foundation
import TestSupport
import XCTest

/// F22: answers that nobody asked for, on connections that are kept. Taken for the next answer,
/// they would be the bytes of another key, and nothing would tell where no digest is known.
final class F22KeptConnectionTests: FaultTestCase {
  private static let poison = Array("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nPOISON".utf8)

  /// Twenty items of which nothing is known.
  private static func site(_ word: String) -> HonestSite {
    HonestSite(
      (0..<20).map { number in
        HonestSite.Item(
          key: "item\(number)", bytes: Array("\(word) \(number)".utf8), declares: [])
      })
  }

  /// How an answer comes together with one that nobody asked for.
  private enum Way: String, CaseIterable {
    /// In one piece.
    case atOnce
    /// The body and what follows it in one piece, after the head.
    case afterTheHead
    /// In chunks, in one piece.
    case afterChunks

    func steps(_ body: [UInt8]) -> [FaultAnswer.Step] {
      let head = FaultAnswer.head(200, framing: .length, length: body.count)
      return switch self {
      case .atOnce: [.bytes(head + body + poison)]
      case .afterTheHead: [.bytes(head), .pause(milliseconds: 30), .bytes(body + poison)]
      case .afterChunks: FaultAnswer(body, framing: .chunked).steps + [.bytes(poison)]
      }
    }
  }

  /// What is served under every path.
  private static func bodies(_ site: HonestSite) -> [String: [UInt8]] {
    site.items.reduce(into: [HonestSite.catalogPath: Array(site.catalog.utf8)]) {
      $0["/" + $1.key] = $1.bytes
    }
  }

  private func assertEachHasItsOwn(
    _ site: HonestSite, _ outcome: ProgramOutcome, _ claim: String, line: UInt = #line
  ) throws {
    XCTAssertEqual(outcome.end, .exited(0), "\(claim): \(outcome)", line: line)
    let held = try files(in: copy)
    for item in site.items {
      let found = String(decoding: held[item.key] ?? Data(), as: UTF8.self)
      XCTAssertTrue(
        held[item.key] == Data(item.bytes), "\(claim): \(item.key) is '\(found)'", line: line)
    }
  }

  func testF22_anAnswerThatNobodyAskedForIsNobodys() async throws {
    let server = try serve(Self.site("old"))
    assertEnd(try sync(server), 0)
    for way in Way.allCases {
      let site = Self.site("new, \(way.rawValue),")
      let bodies = Self.bodies(site)
      server.follow { request, _ in
        guard let body = bodies[request.path] else { return FaultAnswer(status: 404) }
        return FaultAnswer(way.steps(body), staysOpen: true)
      }
      // Few connections, so that each would carry several items.
      let outcome = try sync(server, HonestSite.catalogPath, ["--connections", "4"])
      try assertEachHasItsOwn(site, outcome, way.rawValue)
      try await assertNothingIsLost(of: site.versions, "after \(way)")
    }
    try assertConverges(on: server, to: Self.site("last"))
    try Extent.record(
      "F22", "answers that nobody asked for, behind another one", count: Way.allCases.count * 21,
      "nobody's: each item has its own bytes")
  }

  /// Servers that send a body with 304 are common: nothing of it is anybody's answer.
  func testF22_aConnectionIsClosedWhenABodyFollowsAnAnswerWithoutOne() async throws {
    let site = Self.site("old")
    let (server, before) = try mirrored(site)
    let honest = site.script
    server.follow { request, attempt in
      guard request["If-None-Match"] != nil, request.path != HonestSite.catalogPath else {
        return honest(request, attempt)
      }
      let head = FaultAnswer.head(304, [], framing: .length, length: 0)
      return FaultAnswer([.bytes(head + Self.poison)], staysOpen: true)
    }
    let connections = server.connectionCount
    let outcome = try sync(server, HonestSite.catalogPath, ["--connections", "4"])
    try assertEachHasItsOwn(site, outcome, "304")
    try assertTree(is: before, "304")
    XCTAssertGreaterThanOrEqual(
      server.connectionCount - connections, site.items.count, "a connection went on")
    try assertConverges(on: server, to: Self.site("last"))
    try Extent.record(
      "F22", "answers that nobody asked for, behind one without a body", count: site.items.count,
      "nobody's: each item has its own bytes, and the connection is closed")
  }

  func testF22_anAnswerOnAnIdleConnectionIsNobodys() async throws {
    let server = try serve(Self.site("old"))
    assertEnd(try sync(server), 0)
    let site = Self.site("new")
    let bodies = Self.bodies(site)
    // Every item is asked for on a connection of its own, and again a second later: meanwhile all
    // of them lie idle.
    let areAllAsked = DispatchGroup()
    for _ in site.items { areAllAsked.enter() }
    server.follow { request, attempt in
      guard let body = bodies[request.path] else { return FaultAnswer(status: 404) }
      guard attempt == 1, request.path != HonestSite.catalogPath else { return FaultAnswer(body) }
      areAllAsked.leave()
      _ = areAllAsked.wait(timeout: .now() + .seconds(20))
      let busy = FaultAnswer(status: 503, headers: [("Retry-After", "1")]).steps
      return FaultAnswer(
        busy + [.pause(milliseconds: 300), .bytes(Self.poison)], staysOpen: true)
    }
    let many = ["--concurrency", "20", "--connections", "20"]
    let outcome = try sync(server, HonestSite.catalogPath, many)
    try assertEachHasItsOwn(site, outcome, "idle")
    try await assertNothingIsLost(of: site.versions, "after idle connections")
    try assertConverges(on: server, to: Self.site("last"))
    try Extent.record(
      "F22", "answers that nobody asked for, 0.3 s later on an idle connection",
      count: site.items.count, "nobody's: each item has its own bytes")
  }

  /// Nothing lies on the connection when it is looked at: what nobody asked for comes as soon as
  /// the next request has gone out.
  func testF22_anAnswerThatComesBeforeTheAskedOneIsNobodys() async throws {
    let server = try serve(Self.site("old"))
    assertEnd(try sync(server), 0)
    let single = ["--connections", "1", "--concurrency", "1"]
    let chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nPOISON\r\n0\r\n\r\n"
    let unasked: [String: @Sendable ([UInt8]) -> [UInt8]] = [
      "with the right one": {
        Self.poison + FaultAnswer.head(200, framing: .length, length: $0.count) + $0
      },
      "in chunks": { _ in Array(chunks.utf8) },
    ]
    for (way, bytes) in unasked {
      let site = Self.site("new, \(way),")
      let bodies = Self.bodies(site)
      server.follow { request, attempt in
        guard let body = bodies[request.path] else { return FaultAnswer(status: 404) }
        guard attempt == 1, request.path != HonestSite.catalogPath else { return FaultAnswer(body) }
        return FaultAnswer([.bytes(bytes(body))], staysOpen: true)
      }
      try assertEachHasItsOwn(site, try sync(server, HonestSite.catalogPath, single), way)
      try await assertNothingIsLost(of: site.versions, "after \(way)")
    }
    try assertConverges(on: server, to: Self.site("last"))
  }

  func testF22_aFirstCopyOfUnknownSizesKeepsItsConnection() throws {
    let site = Self.site("first")
    let server = try serve(site)
    let outcome = try sync(server, HonestSite.catalogPath, ["--connections", "1"])
    try assertEachHasItsOwn(site, outcome, "first copy")
    XCTAssertEqual(server.connectionCount, 1)
  }
}
