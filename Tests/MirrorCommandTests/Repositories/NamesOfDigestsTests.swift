import Foundation
import SyncText
import TestSupport
import XCTest

/// Where a `Release` says that its indices are there by the names of their digests, clients ask by
/// these, and so that they get those of one state.
final class NamesOfDigestsTests: MirrorTestCase {
  private static let list = "main/binary-amd64/Packages"
  private static let architectures = ["amd64", "arm64", "armhf", "i386", "ppc64el", "s390x"]
  private let options = ["--format", "debian"]

  private func publish(_ packages: [String], secondsAgo: Double) throws {
    var suite = SuiteOfFiles(at: source)
    suite.namesByDigest = true
    for architecture in Self.architectures {
      suite.files["main/binary-\(architecture)/Packages"] = SuiteOfFiles.list(packages)
    }
    suite.files["main/i18n/Translation-de"] = Data("the same".utf8)
    suite.files["main/i18n/Translation-en"] = Data("the same".utf8)
    try suite.publish(packages, at: Date(timeIntervalSinceNow: -secondsAgo))
  }

  private func names(of packages: [String]) -> [String] {
    SuiteOfFiles.names(of: SuiteOfFiles.list(packages)).flatMap { name in
      Self.architectures.map { "\(SuiteOfFiles.path)main/binary-\($0)/by-hash/\(name)" }
    }
  }

  func testBytesWithSeveralNamesAreFetchedOnce() throws {
    try publish(["a"], secondsAgo: 100)
    let server = try serve()
    assertEnd(try sync(server.url + SuiteOfFiles.path, options), 0)
    try assertCopyIsTrue()
    let asked = try server.takeRequests().filter { $0.method == "GET" }.map(\.target)
    // Each to be read, and once for all of their names.
    XCTAssertEqual(
      asked.filter { $0.contains("/binary-") }.count, Self.architectures.count + 1, "\(asked)")
    XCTAssertEqual(asked.filter { $0.contains("i18n") }.count, 1, "\(asked)")
  }

  /// A client that read the `Release` a moment before it was replaced still finds what it names.
  /// Each state renews these names, and of a small repository that is the most of what it has: it
  /// isn't refused for that.
  func testTheNamesOfAStateStayUntilTheNextOneAndAreNoReasonToRefuseIt() throws {
    let states = [["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]]
    let server = try serve()
    for (number, packages) in states.enumerated() {
      try publish(packages, secondsAgo: 500 - 100 * Double(number))
      assertEnd(try sync(server.url + SuiteOfFiles.path, options), 0)
      assertEnd(try sync(server.url + SuiteOfFiles.path, options), 0)
      let held = try files(in: copy).keys
      for (earlier, packages) in states[...number].enumerated() {
        let isThere = Set(names(of: packages).map(held.contains))
        XCTAssertEqual(isThere, [earlier >= number - 1], "\(earlier) at \(number)")
      }
    }
  }

  func testWhatIsLeftOutIsSoByTheNameOfItsDigestAsWell() throws {
    try publish(["a"], secondsAgo: 100)
    assertEnd(
      try sync(try serve().url + SuiteOfFiles.path, options + ["--exclude", "Translation-*"]), 0)
    XCTAssertFalse(try files(in: copy).keys.contains { $0.contains("i18n") })
  }

  /// A suite that was published between its `Release` and a list of it was an error of the run.
  func testASuiteThatIsPublishedWhileItIsReadIsReadAgain() throws {
    func suite(_ packages: [String]) -> SuiteOfFiles {
      var suite = SuiteOfFiles(at: source)
      suite.files[Self.list] = SuiteOfFiles.list(packages)
      return suite
    }
    try suite(["a"]).publish(["a"], at: Date(timeIntervalSinceNow: -100))
    let hold = try LoopbackListener()
    let server = try serve(holding: "/" + SuiteOfFiles.path + Self.list, at: hold)
    let run = try start(["sync", server.url + SuiteOfFiles.path, copy.path] + options)
    XCTAssertTrue(hold.waitForCaller())
    try suite(["a", "b"]).publish(["a", "b"], at: Date(timeIntervalSinceNow: -50))
    hold.close()
    assertEnd(try run.outcome(within: .seconds(60)), 0)
    try assertCopyIsTrue()
    let asked = try server.takeRequests().map(\.target).filter { $0.hasSuffix("/Release") }
    XCTAssertEqual(asked.count, 3, "twice to be read, and once to be kept: \(asked)")
  }
}
