import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// How many descriptors a run has open, and what it does when it may have few.
final class F21DescriptorTests: FaultTestCase {
  private let catalog = LargeCatalog(
    count: 600, bytes: Data("a few bytes\n".utf8), directorySize: 3)

  /// Items that a later run could go on with, each with a record of its own while it comes.
  private let resumable = LargeCatalog(
    count: 150, bytes: Data(repeating: 7, count: 1_200_000), directorySize: 50)

  func testF21_theRecordsOfPartsKeepNoFilesOpen() async throws {
    try resumable.write(to: source)
    let server = try serve()
    let child = try start([
      "sync", server.url + LargeCatalog.name, copy.path, "--quiet", "--concurrency", "16",
    ])
    let use = try ProcessUse.watch(child, within: .seconds(60))
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    XCTAssertLessThanOrEqual(use.descriptors, 2 * 16 + 32)
    XCTAssertGreaterThan(use.descriptors, 8, "hardly looked at")
    XCTAssertEqual(try copied().count, resumable.count)
  }

  private func assertWhole(_ claim: String) async throws {
    var versions: [String: Set<Data>] = [:]
    for number in 0..<catalog.count { versions[catalog.key(number)] = [catalog.bytes] }
    try await assertNothingIsLost(of: versions, claim)
  }

  func testF21_aRunHasAtMostTwoDescriptorsADownloadAndThirtyTwoMore() async throws {
    try catalog.write(to: source)
    let server = try serve()
    var most: [String] = []
    for (downloads, durability) in [(8, "batch"), (8, "file"), (32, "batch"), (32, "file")] {
      try? FileManager.default.removeItem(at: copy)
      let child = try start([
        "sync", server.url + LargeCatalog.name, copy.path, "--quiet",
        "--concurrency", "\(downloads)", "--durability", durability,
      ])
      let use = try ProcessUse.watch(child, within: .seconds(60))
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
      let claim = "\(downloads) downloads, durability \(durability)"
      XCTAssertLessThanOrEqual(use.descriptors, 2 * downloads + 32, claim)
      XCTAssertGreaterThan(use.descriptors, 8, "hardly looked at; \(claim)")
      try await assertWhole(claim)
      most.append("\(use.descriptors) of \(2 * downloads + 32)")
    }
    try Extent.record(
      "F21", "descriptors of runs with 8 and 32 downloads at once", count: 4,
      "at most \(most.joined(separator: ", "))")
  }

  func testF21_aRunAskedForMoreDownloadsThanItMayOpenFilesForMakesFewer() async throws {
    try catalog.write(to: source)
    let server = try serve()
    let child = try start(
      ["--nofile=96", Programs.mirror, "sync", server.url + LargeCatalog.name, copy.path]
        + ["--quiet", "--concurrency", "128", "--retries", "0"],
      program: try Programs.find("prlimit"))
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    try await assertWhole("128 downloads, 96 descriptors")
  }

  func testF21_aRunThatMayHaveFewDescriptorsWorksOrSaysSo() async throws {
    try catalog.write(to: source)
    try age(catalogIn: source)
    let server = try serve()
    let url = server.url + LargeCatalog.name
    var works = 0
    let limits =
      Extent.asked == .full ? Array(6...64) : [6, 12, 20, 33, 34, 64]
    for limit in limits {
      try? FileManager.default.removeItem(at: copy)
      let child = try start(
        ["--nofile=\(limit)", Programs.mirror, "sync", url, copy.path],
        program: try Programs.find("prlimit"))
      let end = try child.end(within: .seconds(60))
      let claim = "\(limit) descriptors: \(end), \(child.printed) \(child.said)"
      if end == .exited(0) {
        works += 1
      } else {
        XCTAssertEqual(end, .exited(1), claim)
        XCTAssertTrue(child.said.contains("ulimit -n"), claim)
        XCTAssertEqual(child.said.split(separator: "\n").count, 1, claim)
      }
      if limit == 64 { XCTAssertEqual(end, .exited(0), claim) }
      if limit < 34 { XCTAssertTrue(child.said.contains("needs 34"), claim) }
      if isThere(copy) { try await assertWhole(claim) }
      assertEnd(try sync(url), 0)
      XCTAssertEqual(try copied().count, catalog.count, claim)
      _ = try server.takeRequests()
      assertEnd(try sync(url), 0)
      XCTAssertEqual(try server.takeRequests().map(\.status), [304], claim)
    }
    try Extent.record(
      "F21", "runs that may have 6 to 64 descriptors", count: limits.count,
      "\(works) work, with 64 among them; the others say so in one sentence and lose nothing")
  }
}
