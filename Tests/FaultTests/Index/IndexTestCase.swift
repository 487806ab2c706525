import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// A copy that equals its source, whose index is damaged and put back again and again.
class IndexTestCase: FaultTestCase {
  /// Every command that opens an index.
  enum Command: CaseIterable {
    case sync, plan, status, verify, repair

    /// Whether it only looks.
    var looks: Bool { self == .plan || self == .status || self == .verify }
  }

  private(set) var catalog = ""
  private(set) var server: NginxServer?
  /// The files of the index, by the end of their names.
  var sound: [String: Data] = [:]
  private(set) var tree: [String: String] = [:]

  var index: URL { copy.appending(path: ".mirror/index.sqlite") }
  private var versions: [String: Set<Data>] = [:]

  /// A mirror of 60 items and a foreign file.
  func makeCopy() throws {
    try publish(
      Dictionary(uniqueKeysWithValues: (0..<60).map { ("d\($0 % 4)/\($0)", "text \($0)") }))
    try publishCatalog()
    let server = try serve()
    self.server = server
    catalog = server.url + "catalog.ndjson"
    assertEnd(try sync(catalog), 0)
    try Data("my own words".utf8).write(to: copy.appending(path: "d1/mine"))
    sound = ["": try Data(contentsOf: index)]
    tree = try copied()
    versions = try files(in: copy).mapValues { [$0] }
  }

  /// Puts files in the place of the index and its log.
  func place(_ files: [String: Data]) throws {
    let folder = copy.appending(path: ".mirror")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix("index") {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
    for (suffix, bytes) in files {
      try bytes.write(to: folder.appending(path: "index.sqlite" + suffix))
    }
  }

  func run(_ command: Command) throws -> ProgramOutcome {
    switch command {
    case .sync: try mirror("sync", catalog, copy.path)
    case .plan: try mirror("plan", catalog, copy.path)
    case .status: try mirror("status", copy.path)
    case .verify: try mirror("verify", copy.path)
    case .repair: try mirror("verify", copy.path, "--repair")
    }
  }

  /// Asserts that a command said what a user can act on, whatever it met.
  func assertSpoke(
    _ outcome: ProgramOutcome, _ claim: @autoclosure () -> String, file: StaticString = #filePath,
    line: UInt = #line
  ) {
    guard case .exited(let status) = outcome.end else {
      return XCTFail("\(outcome); \(claim())", file: file, line: line)
    }
    XCTAssertTrue([0, 1, 2].contains(status), "\(outcome); \(claim())", file: file, line: line)
    for trace in ["Fatal error", "Swift/", ".swift:", "Error(", "report it"] {
      XCTAssertFalse(outcome.said.contains(trace), "\(outcome); \(claim())", file: file, line: line)
    }
    if status == 1 {
      let lines = outcome.said.split(separator: "\n")
      XCTAssertEqual(
        lines.filter { $0.contains("index.sqlite") }.count, 1, "\(outcome); \(claim())", file: file,
        line: line)
    }
  }

  /// The tree is as it was, and at the latest the second sync makes everything right.
  ///
  /// - Parameter byRepair: Whether a digest may have been changed into another: the file is as we
  ///   left it, so that a sync has no cause to read it, and a repair has.
  func assertRecovers(
    byRepair: Bool = false, _ claim: @autoclosure () -> String, file: StaticString = #filePath,
    line: UInt = #line
  ) async throws {
    XCTAssertEqual(try copied(), tree, claim(), file: file, line: line)
    var outcome = try run(.sync)
    assertSpoke(outcome, claim(), file: file, line: line)
    if outcome.end != .exited(0) { outcome = try run(.sync) }
    XCTAssertEqual(outcome.end, .exited(0), "\(outcome); \(claim())", file: file, line: line)
    if byRepair {
      outcome = try run(.repair)
      XCTAssertEqual(outcome.end, .exited(0), "\(outcome); \(claim())", file: file, line: line)
    }
    XCTAssertEqual(try copied(), tree, claim(), file: file, line: line)
    try await assertNothingIsLost(of: versions, claim(), file: file, line: line)
    _ = try server?.takeRequests()
    outcome = try run(.sync)
    XCTAssertEqual(outcome.end, .exited(0), "\(outcome); \(claim())", file: file, line: line)
    XCTAssertEqual(
      try server?.takeRequests().map(\.target), ["/catalog.ndjson"], claim(), file: file,
      line: line)
  }
}
