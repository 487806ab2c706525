import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// A copy of a shifting source, whose runs are ended at random moments.
class RunningTestCase: FaultTestCase {
  private(set) var server: NginxServer?
  /// How often a run asked for the rest of a file.
  private(set) var resumed = 0
  /// How long a run takes that nobody disturbs: the longest of the last ones.
  private var length = Duration.milliseconds(150)

  /// What is in the folder from the start and isn't ours.
  let mine = Data("my own words".utf8)

  /// A source with its server.
  func shiftingSource(seed: UInt64) throws -> ShiftingSource {
    let shifting = try ShiftingSource(in: source, seed: seed)
    server = try serve()
    return shifting
  }

  /// Starts a run.
  func startRun(of shifting: ShiftingSource) throws -> ChildProcess {
    let url = try XCTUnwrap(server).url + ShiftingSource.catalog
    // Most of the large file comes at once and the rest takes a while: a run can be caught in it.
    let pace = shifting.hasNewLargeFile ? ["--limit-rate", "2M"] : []
    return try start(
      ["sync", url, copy.path, "--json", "--previews", "--max-delete", "all"] + pace)
  }

  /// A moment in the next run.
  func moment(_ random: inout SeededGenerator, of shifting: ShiftingSource) -> RunMoment {
    .random(in: length + (shifting.hasNewLargeFile ? .milliseconds(100) : .zero), &random)
  }

  /// The first three assertions, for the contents and the previews.
  func assertNothingIsLost(
    of shifting: ShiftingSource, _ held: IndexClaims, _ claim: String,
    file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    let versions = shifting.versions.merging(["mine.txt": [mine]]) { $1 }
    try await assertNothingIsLost(of: versions, claim, file: file, line: line)
    for problem in held.untruePreviews(in: copy) {
      XCTFail("\(problem); \(claim)", file: file, line: line)
    }
    XCTAssertEqual(
      try files(in: copy)["mine.txt"], mine, "a foreign file; \(claim)", file: file, line: line)
  }

  /// Asserts that a run asked for nothing that the index had recorded before it.
  func assertNothingIsFetchedAgain(
    of shifting: ShiftingSource, _ before: IndexClaims, _ claim: String,
    file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let recorded = before.recorded(of: shifting.items)
    let requests = try XCTUnwrap(server).takeRequests()
    resumed += requests.count { $0.status == 206 }
    for request in requests where recorded.contains(String(request.target.dropFirst())) {
      XCTFail("\(request) although it was recorded; \(claim)", file: file, line: line)
    }
  }

  /// The fourth: a run without a fault makes the copy equal to the source, and one more has
  /// nothing to do.
  func assertConverges(
    to shifting: ShiftingSource, _ claim: String,
    file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    let before = try await indexClaims()
    let run = try startRun(of: shifting)
    let began = ContinuousClock.now
    XCTAssertEqual(
      try run.end(within: .seconds(60)), .exited(0), "\(run.said); \(claim)", file: file,
      line: line)
    if !shifting.hasNewLargeFile { length = began.duration(to: .now) }
    try assertNothingIsFetchedAgain(of: shifting, before, claim, file: file, line: line)
    try await assertEqual(to: shifting, claim, file: file, line: line)
    let traces = try tree()
    let idle = try startRun(of: shifting)
    XCTAssertEqual(
      try idle.end(within: .seconds(60)), .exited(0), "\(idle.said); \(claim)", file: file,
      line: line)
    XCTAssertEqual(
      try XCTUnwrap(server).takeRequests().map(\.status), [304], "more than a look; \(claim)",
      file: file, line: line)
    XCTAssertEqual(try tree(), traces, "touched; \(claim)", file: file, line: line)
  }

  private func assertEqual(
    to shifting: ShiftingSource, _ claim: String, file: StaticString, line: UInt
  ) async throws {
    var wanted = shifting.items.mapValues(\.content.bytes)
    wanted["mine.txt"] = mine
    let found = try files(in: copy)
    XCTAssertEqual(
      found.keys.sorted(), wanted.keys.sorted(), "other files; \(claim)", file: file, line: line)
    for (path, bytes) in wanted where found[path] != bytes {
      XCTFail("\(path) has other bytes; \(claim)", file: file, line: line)
    }
    let held = try await indexClaims()
    XCTAssertEqual(
      held.rows.filter { $0.content != nil }.map(\.key.description).sorted(),
      shifting.items.keys.sorted(), "other rows; \(claim)", file: file, line: line)
    let previews = try files(in: copy.appending(path: ".mirror/previews")).values
    XCTAssertEqual(
      previews.map { $0.base64EncodedString() }.sorted(),
      shifting.items.values.compactMap { $0.preview?.bytes.base64EncodedString() }.sorted(),
      "other previews; \(claim)", file: file, line: line)
    XCTAssertEqual(
      try names(in: "staging"), [], "left in the staging area; \(claim)", file: file, line: line)
  }

  /// What the index has now.
  func indexClaims() async throws -> IndexClaims {
    try await IndexClaims(in: copy, copyingTo: base.appending(path: "index-copy"))
  }

  /// The names in a folder of the mirror's own.
  func names(in area: String) throws -> [String] {
    let path = copy.appending(path: ".mirror/\(area)").path
    guard isThere(path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path)
  }
}
