import Foundation
import TestSupport
import XCTest

/// F5, before the run: links, FIFOs, sockets, devices, directories and files where something of
/// ours has to be.
final class F5PlantedThingsTests: FaultTestCase {
  private let before = ["d/bird": "bird 1", "d/deep/bird": "deep 1", "top": "top 1", "gone": "1"]
  private let after = ["d/bird": "bird two", "d/deep/bird": "deep two", "top": "top two"]

  private var generator = SeededGenerator(seed: Extent.seed())

  /// All kinds in the full form, some of them in the quick one.
  private func kinds(_ count: Int) -> [Planted] {
    let shuffled = Planted.allCases.shuffled(using: &generator)
    return Extent.asked == .full ? shuffled : Array(shuffled.prefix(count))
  }

  private func versions() -> Versions {
    var versions = Versions(before)
    versions.add(after)
    return versions
  }

  func testF5_whatStandsInTheWayOfAnItemFailsThatItemOrIsMovedAway() async throws {
    let server = try serve()
    let failing = [
      "d": ["d/bird", "d/deep/bird"], "d/bird": ["d/bird"], "d/deep": ["d/deep/bird"], "gone": [],
    ]
    var count = 0
    for (place, keys) in failing.sorted(by: { $0.key < $1.key }) {
      for kind in kinds(2) {
        count += 1
        let claim = "\(kind) at \(place)"
        try prepare(server)
        try kind.plant(at: copy.appending(path: place), canary: canary)
        let outcome = try sync(server.url + Self.catalogName, within: .seconds(10))
        let failed = kind.mayBeMoved ? [] : keys
        XCTAssertEqual(outcome.end, .exited(failed.isEmpty ? 0 : 2), "\(claim): \(outcome)")
        for key in keys {
          XCTAssertEqual(
            outcome.said.contains(
              "mirror: \(key): \(place == key ? "it" : place) is, or leads through, a link"),
            failed.contains(key), "\(claim): \(outcome)")
        }
        let top = try Data(contentsOf: copy.appending(path: "top"))
        XCTAssertEqual(top, Data("top two".utf8), "the others go on; \(claim)")
        try await assertMends(server, afterRemoving: place, claim)
      }
    }
    try Extent.record(
      "F5", "links and special files planted in the tree",
      count: count,
      "what would go through them failed by name, the others went on")
  }

  func testF5_whatStandsInPlaceOfTheMirrorsOwnIsNamedOrReplaced() async throws {
    let server = try serve()
    let names = [
      "", "/staging", "/previews", "/quarantine", "/displaced", "/lock", "/marker",
      "/index.sqlite", "/index.sqlite-wal", "/revision", "/revision-new",
    ]
    var count = 0
    for name in names {
      for kind in kinds(1) {
        count += 1
        try await standsInPlace(kind, ".mirror" + name, server)
      }
    }
    try Extent.record(
      "F5", "links and special files in place of the mirror's own", count: count,
      "named in one error, or replaced; nothing was led out")
  }

  /// A link in place of the displaced files failed each item that had something to displace, and
  /// nobody said why.
  func testF5_whatStandsInPlaceOfADirectoryOfTheMirrorsIsNamedBeforeTheWork() async throws {
    let server = try serve()
    var count = 0
    for name in ["displaced", "quarantine", "previews", "staging"] {
      let some = Set(kinds(1) + (name == "displaced" ? [.linkToDirectory, .file] : []))
      for kind in some where kind != .directory {
        count += 1
        let place = ".mirror/" + name
        try prepare(server)
        try Data("edited".utf8).write(to: copy.appending(path: "d/bird"))
        try kind.plant(at: copy.appending(path: place), canary: canary)
        _ = try server.takeRequests()
        let outcome = try sync(server.url + Self.catalogName, within: .seconds(10))
        let claim = "\(kind) at \(place): \(outcome)"
        XCTAssertEqual(outcome.end, .exited(1), claim)
        XCTAssertTrue(
          outcome.said.hasPrefix("mirror: \(place) is, or leads through, a link"), claim)
        XCTAssertTrue(outcome.said.contains("move it away"), claim)
        XCTAssertEqual(outcome.said.split(separator: "\n").count, 1, claim)
        XCTAssertEqual(try server.takeRequests().map(\.target), [], claim)
        try await assertMends(server, afterRemoving: place, claim)
      }
    }
    try Extent.record(
      "F5", "links, files and special files in place of the mirror's own directories",
      count: count, "named in one error before any request")
  }

  private func standsInPlace(
    _ kind: Planted, _ place: String, _ server: NginxServer
  ) async throws {
    let claim = "\(kind) at \(place)"
    try prepare(server)
    try Data("edited".utf8).write(to: copy.appending(path: "d/bird"))
    try kind.plant(at: copy.appending(path: place), canary: canary)
    for arguments in [
      ["status", copy.path], ["verify", copy.path],
      ["plan", server.url + Self.catalogName, copy.path],
      ["sync", server.url + Self.catalogName, copy.path],
    ] {
      let outcome = try start(arguments).outcome(within: .seconds(10))
      let isNamed = outcome.said.contains("\(place) is, or leads through, a link")
      let isLost =
        ["no mirror yet", "can't be read", "is damaged", "was cut short"]
        .contains(where: outcome.said.contains)
      switch outcome.end {
      case .exited(0), .exited(2): break
      case .exited(1) where isNamed || isLost || place == ".mirror": break
      default: XCTFail("\(claim), \(arguments[0]): \(outcome)")
      }
    }
    try await assertMends(server, afterRemoving: place, claim)
  }

  private func prepare(_ server: NginxServer) throws {
    try? FileManager.default.removeItem(at: copy)
    try republish(before)
    assertEnd(try sync(server.url + Self.catalogName), 0)
    try republish(after, round: 1)
  }

  /// What was planted is moved away, as `mirror` said, or is left where it is nobody's business.
  private func assertMends(
    _ server: NginxServer, afterRemoving place: String, _ claim: String
  ) async throws {
    if try sync(server.url + Self.catalogName).end != .exited(0) {
      try FileManager.default.removeItem(at: copy.appending(path: place))
    }
    // With the index went the knowledge of what is ours.
    let isIndexLost = [".mirror", ".mirror/index.sqlite"].contains(place)
    let leftAlone = place == "gone" || isIndexLost ? ["gone"] : []
    for name in leftAlone + ["d/foreign", "d/deep/foreign"] {
      try? FileManager.default.removeItem(at: copy.appending(path: name))
    }
    try assertConverges(on: server)
    try await assertNothingIsLost(of: versions().all, claim)
  }
}
