import Foundation
import SyncLock
import SyncTransport
import SynchronizerTesting
import TestSupport
import XCTest

@testable import CatalogMirror

/// Runs of which some items come last: an index names files, and never one that isn't there.
final class LastRunTests: RunTestCase {
  /// A repository: an index that names the packages of a generation, and the packages.
  private static func repository(_ packages: [String]) -> [String: ServedFile] {
    var files = ["dists/Packages": ServedFile(text: packages.joined(separator: " "))]
    // Each state of the index has its own date.
    files["dists/Packages"]?.modified = "Sat, 01 Jan 2022 00:00:\(10 + packages.count) GMT"
    for name in packages { files["pool/\(name)"] = ServedFile(text: "package \(name)") }
    return files
  }

  private func last(_ options: inout MirrorOptions) {
    tree(&options)
    options.last = (try? [KeyPattern("/dists/")]) ?? []
    options.maximumRemoval = .all
  }

  /// Whether every package is there that the copy's index names.
  private func assertIndexIsTrueToThePool(_ place: String = "", line: UInt = #line) throws {
    let tree = try tree()
    for name in tree["dists/Packages", default: ""].split(separator: " ") {
      XCTAssertNotNil(tree["pool/\(name)"], "\(name) \(place)", line: line)
    }
  }

  func testTheIndexIsFetchedFirstAndPlacedLast() async throws {
    try serveTree(Self.repository(["a"]))
    try await syncWell { last(&$0) }
    XCTAssertEqual(
      site.asked.filter { !$0.hasSuffix("/") },
      ["/pub/dists/Packages", "/pub/dists/Packages", "/pub/pool/a"],
      "fetched, asked for again, and then what it names")
    try serveTree(Self.repository(["a", "b"]))
    let seen = Locked<[String: String]>([:])
    site.onRequest { [folder] request, _ in
      guard request.address.path == "/pub/pool/b" else { return }
      let file = URL(fileURLWithPath: folder + "/dists/Packages")
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      seen.withLock { $0["Packages"] = text }
    }
    try await syncWell { last(&$0) }
    XCTAssertEqual(seen.withLock { $0 }, ["Packages": "a"], "while b is fetched, a is all")
    XCTAssertEqual(
      try tree(),
      ["dists/Packages": "a b", "pool/a": "package a", "pool/b": "package b"])
    try await assertIndexIsTrue()
    site.onRequest(nil)
    let again = try await syncWell { last(&$0) }
    XCTAssertEqual(again.added + again.updated, 0)
    XCTAssertFalse(site.asked.contains { !$0.hasSuffix("/") })
  }

  /// Equal bytes are fetched once. Where who fetches them is refused, the others ask themselves.
  func testATwinOfWhatIsRefusedIsFetchedByItself() async throws {
    let twins = ["a", "b", "c"].map { Thing("dists/\($0)", "same") }
    try serve(twins)
    // All of them: whichever is asked for first, the others wait for it.
    for twin in ["a", "b", "c"] { try site.answer(Self.root + "dists/\(twin)", .status(404)) }
    func options(_ options: inout MirrorOptions) {
      options.last = (try? [KeyPattern("/dists/")]) ?? []
      options.retries = 0
    }
    try await sync(ending: .someFailed, options)
    let asked = Set(site.asked.filter { $0.hasPrefix("/pub/dists/") })
    XCTAssertEqual(asked, ["/pub/dists/a", "/pub/dists/b", "/pub/dists/c"])
    XCTAssertEqual(try tree(), [:], "none of what comes last without the others")
    try serve(twins)
    try await syncWell(options)
    XCTAssertEqual(try tree().count, 3)
  }

  /// Events, the report and the progress say the same of those that weren't fetched.
  func testTwinsOfWhatIsFetchedAreToldAsCopies() async throws {
    try serve(["a", "b", "c"].map { Thing("dists/\($0)", "same") })
    let mirror = mirror { options in
      options.last = (try? [KeyPattern("/dists/")]) ?? []
    }
    let deeds = try await Deeds(of: mirror)
    XCTAssertEqual(site.asked.count { $0.hasPrefix("/pub/dists/") }, 1)
    XCTAssertEqual(deeds.copied.count, 2)
    let fetched = deeds.fetched.subtracting(deeds.copied.keys)
    XCTAssertEqual(
      Set(deeds.copied.values.map { $0 }.map(\.key)), fetched, "of the one that came")
    XCTAssertEqual([deeds.report.added, deeds.report.copied], [3, 2])
    XCTAssertEqual([deeds.report.bytes, deeds.report.copiedBytes], [4, 8])
    XCTAssertEqual(mirror.progress.bytesCopied, 8)
  }

  func testAServerThatSaysOfAChangedOneThatItHasNotIsNotBelieved() async throws {
    try serveTree(Self.repository(["a"]))
    try await syncWell { last(&$0) }
    try serveTree(Self.repository(["a", "b"]))
    try site.answer(Self.root + "dists/Packages", .status(304))
    let report = try await sync(ending: .someFailed) { last(&$0) }
    XCTAssertEqual(report.failures.map(\.key), ["dists/Packages"])
    XCTAssertEqual(try tree()["dists/Packages"], "a")
    try serveTree(Self.repository(["a", "b"]))
    try await syncWell { last(&$0) }
    XCTAssertEqual(try tree()["dists/Packages"], "a b")
  }

  func testIfAnythingElseFailsItIsHeldBackAndNothingIsRemoved() async throws {
    try serveTree(Self.repository(["a", "b"]))
    try await syncWell { last(&$0) }
    var files = Self.repository(["b", "c", "d"])
    try serveTree(files)
    try site.answer(Self.root + "pool/c", .status(404))
    let report = try await sync(ending: .someFailed) { last(&$0) }
    XCTAssertEqual(report.failures.map(\.key), ["pool/c", "dists/Packages"])
    XCTAssertEqual(report.removed, 0)
    XCTAssertEqual(report.kept, 1)
    XCTAssertEqual(try tree().keys.sorted(), ["dists/Packages", "pool/a", "pool/b", "pool/d"])
    XCTAssertEqual(try tree()["dists/Packages"], "a b")
    XCTAssertEqual(try inside("staging"), [:])
    files["pool/c"] = ServedFile(text: "package c")
    try serveTree(files)
    try await assertEqual(syncWell { last(&$0) }.removed, 1)
    XCTAssertEqual(try tree()["dists/Packages"], "b c d")
    try assertIndexIsTrueToThePool()
  }

  func testADirectoryThatCantBeListedHoldsItBackToo() async throws {
    var files = Self.repository(["a"])
    files["pool/deep/x"] = ServedFile(text: "x")
    try serveTree(files)
    try await syncWell { last(&$0) }
    files.merge(Self.repository(["a", "b"])) { $1 }
    try serveTree(files, forbidden: ["pool/deep"])
    let report = try await sync(ending: .someFailed) { last(&$0) }
    XCTAssertEqual(report.failures.map(\.key), ["dists/Packages"])
    XCTAssertEqual(try tree()["dists/Packages"], "a")
    let filters = try scope("- deep/")
    try await syncWell { options in
      last(&options)
      options.scope = filters
    }
    XCTAssertEqual(try tree()["dists/Packages"], "a b")
  }

  func testAnIndexThatCantBeListedKeepsWhatItNames() async throws {
    try serveTree(Self.repository(["a", "b"]))
    try await syncWell { last(&$0) }
    try serveTree(Self.repository(["a"]), forbidden: ["dists"])
    for _ in 0..<2 {
      try await assertEqual(sync { last(&$0) }.removed, 0)
      try assertIndexIsTrueToThePool()
    }
  }

  func testASourceThatIsPublishedAnewWhileItIsListedIsReadAgain() async throws {
    try serveTree(Self.repository(["a"]))
    let (next, old) = (Self.repository(["b", "c"]), Locked(true))
    site.onRequest { [site] request, _ in
      // What the index named goes before the pool is listed.
      guard request.address.path == "/pub/pool/", old.withLock({ $0 }) else { return }
      old.withLock { $0 = false }
      try site.serveTree(next)
    }
    try await syncWell { last(&$0) }
    XCTAssertEqual(try tree()["dists/Packages"], "b c")
    try assertIndexIsTrueToThePool()
  }

  func testASourceThatIsPublishedAnewUnderTheSameDateIsReadAgain() async throws {
    try serveTree(Self.repository(["a", "b"]))
    try await syncWell { last(&$0) }
    try serveTree(Self.repository(["x"]))
    let next = Locked([Self.repository(["y"])])
    site.onRequest { [site] request, _ in
      guard request.address.path == "/pub/pool/", let files = next.withLock({ $0.popLast() })
      else { return }
      try site.serveTree(files)
    }
    try await syncWell { last(&$0) }
    XCTAssertEqual(try tree(), ["dists/Packages": "y", "pool/y": "package y"])
  }

  func testAnIndexThatIsPublishedAnewAfterItWasListedKeepsWhatTheOldOneNames() async throws {
    try serveTree(Self.repository(["a"]))
    try await syncWell { last(&$0) }
    let next = Locked([Self.repository(["b", "c"])])
    site.onRequest { [site] request, _ in
      guard request.address.path == "/pub/pool/", let files = next.withLock({ $0.popLast() })
      else { return }
      try site.serveTree(files)
    }
    try await syncWell { last(&$0) }
    XCTAssertEqual(try tree()["dists/Packages"], "b c")
    try assertIndexIsTrueToThePool()
  }

  func testASourceThatNeverRestsIsHeldBackInTheEnd() async throws {
    try serveTree(Self.repository(["a"]))
    try await syncWell { last(&$0) }
    let count = Locked(1)
    site.onRequest { [site] request, _ in
      guard request.address.path == "/pub/pool/" else { return }
      let number = count.withLock { count in
        count += 1
        return count
      }
      try site.serveTree(Self.repository((0..<number).map { "p\($0)" }))
    }
    let report = try await sync { last(&$0) }
    XCTAssertNotEqual(report.outcome, .done)
    XCTAssert(report.failures.contains { $0.sentence.contains("published anew") })
    XCTAssertEqual(try tree()["dists/Packages"], "a")
    XCTAssertEqual(report.removed, 0)
    XCTAssertGreaterThan(count.withLock { $0 }, ListingAhead.rounds)
    site.onRequest(nil)
    try serveTree(Self.repository(["b", "c"]))
    try await syncWell { last(&$0) }
    XCTAssertEqual(try tree()["dists/Packages"], "b c")
    try assertIndexIsTrueToThePool()
  }

  func testWhatHasADigestIsFetchedOnceAndPlacedLastAllTheSame() async throws {
    let things = [Thing("pool/a", "alpha"), Thing("dists/Packages", "a")]
    try serve(things, etag: "\"1\"")
    let packages = Self.root + "dists/Packages"
    try await syncWell { options in
      last(&options)
      options.catalog = Self.catalogURL
    }
    XCTAssertEqual(site.log.count { $0.address.text == packages }, 1)
    let unchanged = try await syncWell { options in
      last(&options)
      options.catalog = Self.catalogURL
    }
    XCTAssert(unchanged.wasUnchanged)
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson"])
  }

  func testACancelledRunPlacesNoneOfIt() async throws {
    try serveTree(Self.repository(["a"]))
    try await syncWell { last(&$0) }
    try serveTree(Self.repository(["a", "b", "c"]))
    var number = 0
    while true {
      number += 1
      let report = try await syncCancelled(atRequest: number) { options in
        last(&options)
        options.concurrency = 1
      }
      try assertIndexIsTrueToThePool("cancelled at request \(number)")
      XCTAssertEqual(try inside("staging"), [:])
      guard report.outcome == .cancelled else { break }
      XCTAssertEqual(try tree()["dists/Packages"], "a")
    }
    XCTAssertEqual(try tree()["dists/Packages"], "a b c")
    XCTAssertGreaterThan(number, 5)
  }

  func testAnItemOfItThatFailsHoldsTheOthersBack() async throws {
    var files = Self.repository(["a"])
    files["dists/Release"] = ServedFile(text: "release")
    try serveTree(files)
    try site.answer(Self.root + "dists/Release", .status(404))
    let report = try await sync(ending: .someFailed) { last(&$0) }
    XCTAssertEqual(try tree(), ["pool/a": "package a"])
    XCTAssertEqual(Set(report.failures.map(\.key)), ["dists/Release", "dists/Packages"])
  }

  func testOnlyWhatIsInTheScopeIsWaitedFor() async throws {
    try serveTree(Self.repository(["a", "b"]))
    try site.answer(Self.root + "pool/b", .status(404))
    let filters = try scope("- pool/b")
    try await syncWell { options in
      last(&options)
      options.scope = filters
    }
    XCTAssertEqual(try tree().keys.sorted(), ["dists/Packages", "pool/a"])
  }
}
