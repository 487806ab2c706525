import Foundation
import TestSupport
import XCTest

/// Sources with flaws that nobody mends: what is listed or named and never given, run after run.
final class StayingFlawTests: MirrorTestCase {
  private static let last = ["--last", "dists/**", "--retries", "0"]

  private func publishIndex(_ round: Int) throws {
    // Each state has its own date.
    let date = Self.longAgo.addingTimeInterval(Double(round * 86_400))
    try publish(["dists/Index": "\(round)"], dated: date)
  }

  /// Runs over a source that lists a flaw: told when it is new, and from then on no end but that of
  /// all well, by a plan, too, and no reason against the index.
  private func check(
    _ url: String, flaw: String, that words: String, _ rest: [String: String],
    line: UInt = #line
  ) throws {
    for round in 1...3 {
      try publishIndex(round)
      let planned = try mirror(["plan", url, copy.path] + Self.last)
      let outcome = try sync(url, Self.last)
      assertEnd(outcome, round == 1 ? 2 : 0, line: line)
      XCTAssertEqual(outcome.said.contains(flaw), round == 1, "\(outcome)", line: line)
      let index = round == 1 ? [:] : ["dists/Index": "\(round)"]
      XCTAssertEqual(try copied(), rest.merging(index) { $1 }, "\(outcome)", line: line)
      guard round > 1 else { continue }
      assertEnd(planned, 0, line: line)
      XCTAssertTrue(planned.printed.contains(flaw), "\(planned)", line: line)
      XCTAssertTrue(
        outcome.printed.contains("but for 1 item that \(words)"), "\(outcome)", line: line)
    }
  }

  func testAFileWithoutRightsIsToldOnce() throws {
    try publish(["pool/a": "a", "pool/secret": "s"])
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: source.appending(path: "pool/secret").path)
    for listing in NginxServer.Listing.allCases {
      var options = NginxServer.Options(listing: listing)
      options.mayReadAll = false
      let server = try serve(nil, options)
      try? FileManager.default.removeItem(at: copy)
      try check(
        server.url, flaw: "pool/secret", that: "the source doesn't give", ["pool/a": "a"])
      let refused = try server.takeRequests().filter { $0.target == "/pool/secret" }
      XCTAssertEqual(refused.map(\.status), [403, 403, 403], "\(listing)")
    }
  }

  /// A mirror that holds nothing was done from the second run on.
  func testASourceThatGivesNothingAtAllIsNeverDone() throws {
    try publish(["a": "a", "b": "b"])
    for name in ["a", "b"] {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0], ofItemAtPath: source.appending(path: name).path)
    }
    var options = NginxServer.Options(listing: .html)
    options.mayReadAll = false
    let server = try serve(nil, options)
    for _ in 1...3 { assertEnd(try sync(server.url, ["--retries", "0"]), 2) }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: source.appending(path: "a").path)
    assertEnd(try sync(server.url, ["--retries", "0"]), 2)
    assertEnd(try sync(server.url, ["--retries", "0"]), 0)
    XCTAssertEqual(try copied(), ["a": "a"])
  }

  func testANameThatIsNotUTF8IsToldOnce() throws {
    try publish(["pool/a": "a"])
    let name = Array(source.path.utf8) + Array("/pool/latin".utf8) + [0xE9, 0]
    let descriptor = open(name.map(CChar.init(bitPattern:)), O_CREAT | O_WRONLY, 0o644)
    XCTAssertGreaterThanOrEqual(descriptor, 0)
    close(descriptor)
    for listing in NginxServer.Listing.allCases {
      try? FileManager.default.removeItem(at: copy)
      try check(
        serve(listing: listing).url, flaw: "pool/latin", that: "can't be used as listed",
        ["pool/a": "a"])
    }
  }

  /// Runs over a source whose index names a file that isn't there: what a person doesn't say to
  /// pass over keeps the index back in every run.
  private func check(
    _ options: [String], _ index: String, of url: String, _ republish: (Int) throws -> Void,
    line: UInt = #line
  ) throws {
    func run(_ round: Int, _ more: [String]) throws -> ProgramOutcome {
      try republish(round)
      return try sync(url, options + ["--retries", "0"] + more)
    }
    for round in 1...2 {
      assertEnd(try run(round, []), 2, line: line)
      XCTAssertNil(try copied()[index], line: line)
    }
    assertEnd(try run(3, ["--skip-failed", "403"]), 2, line: line)
    XCTAssertNil(try copied()[index], "another status than the one that is named", line: line)
    for round in 4...6 {
      let outcome = try run(round, ["--skip-failed", "404,403"])
      // From the second run on in which the answer is one that is named.
      assertEnd(outcome, round == 4 ? 2 : 0, line: line)
      guard round > 4 else { continue }
      let published = try Data(contentsOf: source.appending(path: index))
      XCTAssertEqual(try files(in: copy)[index], published, "\(outcome)", line: line)
      XCTAssertTrue(
        outcome.printed.contains("but for 1 item that the source doesn't give"), "\(outcome)",
        line: line)
    }
    // What is asked for no longer holds the index back again.
    assertEnd(try run(7, []), 2, line: line)
  }

  func testAPackageThatARepositoryNamesAndHasNotIsPassedOverWhereThatIsSaid() throws {
    let server = try serve()
    let release = SuiteOfFiles.path + "Release"
    try check(["--format", "debian"], release, of: server.url + SuiteOfFiles.path) { round in
      var suite = SuiteOfFiles(at: source)
      let packages = ["a", "gone"] + (1...round).map { "p\($0)" }
      suite.files["main/binary-amd64/Packages"] = SuiteOfFiles.list(packages)
      try suite.publish(packages, at: Self.longAgo.addingTimeInterval(Double(round * 86_400)))
      try withdraw("pool/gone.deb")
    }
  }

  func testAFileThatACatalogNamesAndIsNotThereIsPassedOverWhereThatIsSaid() throws {
    try publish(["pool/a": "a"])
    let server = try serve()
    try check(
      ["--last", "dists/**"], "dists/Index", of: server.url + "catalog.ndjson"
    ) { round in
      try publishIndex(round)
      try publish(["pool/gone": "gone", "pool/p\(round)": "p"])
      try publishCatalog()
      try withdraw("pool/gone")
    }
  }
}
