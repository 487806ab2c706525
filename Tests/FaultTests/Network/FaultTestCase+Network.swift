import Foundation
import TestSupport
import XCTest

/// A row of the matrix whose fault is on the network: a real `mirror` against a server that does
/// what the test says.
extension FaultTestCase {
  /// Starts a server on 127.0.0.1.
  func serveFaults(_ script: @escaping FaultServer.Script) throws -> FaultServer {
    let server = try FaultServer(script)
    keep(server)
    return server
  }

  /// Starts an honest server.
  func serve(_ site: HonestSite) throws -> FaultServer { try serveFaults(site.script) }

  /// An honest server, and the tree of a mirror of it.
  func mirrored(_ site: HonestSite) throws -> (server: FaultServer, tree: [String: String]) {
    let server = try serve(site)
    assertEnd(try sync(server), 0)
    return (server, try tree())
  }

  /// The four things, after the server has told its last lie.
  func assertIsWell(
    on server: FaultServer, to site: HonestSite, _ claim: String, file: StaticString = #filePath,
    line: UInt = #line
  ) async throws {
    try await assertNothingIsLost(of: site.versions, claim, file: file, line: line)
    try assertConverges(on: server, to: site, file: file, line: line)
  }

  /// Takes a server that was started elsewhere, and stops it after the test.
  func keep(_ server: FaultServer) { atEnd { server.stop() } }

  /// Runs `mirror sync` of a server's catalog to its end.
  ///
  /// - Parameter memory: The most bytes of memory that it gets.
  func sync(
    _ server: FaultServer, _ path: String = HonestSite.catalogPath, _ options: [String] = [],
    memory: Int? = nil, environment: [String: String] = [:], within limit: Duration = .seconds(60)
  ) throws -> ProgramOutcome {
    let arguments = ["sync", server.url(path), copy.path] + options
    let child =
      if let memory {
        try start(arguments, memory: memory, environment: environment)
      } else {
        try start(arguments, environment: environment)
      }
    return try child.outcome(within: limit)
  }

  private func start(
    _ arguments: [String], memory: Int, environment: [String: String]
  ) throws -> ChildProcess {
    // Without memory, the program that would print a trace hangs.
    var environment = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    // Its own addresses take terabytes, so that it counts the memory itself.
    if let sanitizer = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] {
      environment["ASAN_OPTIONS"] = "\(sanitizer) hard_rss_limit_mb=\(memory >> 20)"
      return try start(arguments, environment: environment)
    }
    return try start(
      ["--as=\(memory)", Programs.mirror] + arguments, program: try Programs.find("prlimit"),
      environment: environment)
  }

  /// These bytes as gzip packs them best.
  func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
    let plain = base.appending(path: "plain")
    try Data(bytes).write(to: plain)
    let child = try start(["-9", "-f", plain.path], program: try Programs.find("gzip"))
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0))
    return Array(try Data(contentsOf: plain.appendingPathExtension("gz")))
  }

  /// What `copy` holds of the mirrored tree, to every detail that can be told.
  func tree() throws -> [String: String] {
    try Self.traces(in: copy).filter { !$0.key.hasPrefix(".mirror") }
  }

  /// The fourth of the four: an honest server again, and the copy becomes equal to the catalog;
  /// one more run asks one question and changes nothing.
  func assertConverges(
    on server: FaultServer, to site: HonestSite, _ options: [String] = [],
    file: StaticString = #filePath, line: UInt = #line
  ) throws {
    server.follow(site.script)
    assertEnd(try sync(server, HonestSite.catalogPath, options), 0, file: file, line: line)
    let expected = site.items.reduce(into: [:]) { $0[$1.key] = Data($1.bytes) }
    XCTAssertTrue(try files(in: copy) == expected, "other files", file: file, line: line)
    let before = try tree()
    _ = server.takeRequests()
    assertEnd(try sync(server, HonestSite.catalogPath, options), 0, file: file, line: line)
    // Of what the catalog says nothing, only its own validator can tell that it is still right.
    let asked =
      [HonestSite.catalogPath] + site.items.filter(\.declares.isEmpty).map { "/" + $0.key }
    let requests = server.takeRequests()
    XCTAssertEqual(
      requests.map(\.path).sorted(), asked.sorted(), "more than a look", file: file, line: line)
    XCTAssertTrue(
      requests.allSatisfy { $0["If-None-Match"] != nil || $0.path == asked[0] }, file: file,
      line: line)
    try assertTree(is: before, "one more run", file: file, line: line)
  }

  /// Asserts that nothing in the mirrored tree was touched since it was looked at.
  func assertTree(
    is before: [String: String], _ claim: @autoclosure () -> String, file: StaticString = #filePath,
    line: UInt = #line
  ) throws {
    let now = try tree()
    let touched = Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }
    let shown = touched.sorted().prefix(5).map { key in
      "\(key): \(before[key] ?? "-") became \(now[key] ?? "-")"
    }
    XCTAssertEqual(
      touched.count, 0, "touched: \(shown.joined(separator: "\n")); \(claim())", file: file,
      line: line)
  }

  /// Asserts that a run ended with one line that says what to do, and left everything as it was.
  func assertLeftAlone(
    _ outcome: ProgramOutcome, _ status: Int32 = 1, saying words: [String],
    _ before: [String: String],
    _ claim: String, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    XCTAssertEqual(outcome.end, .exited(status), "\(claim): \(outcome)", file: file, line: line)
    XCTAssertEqual(
      outcome.said.split(separator: "\n").count, 1, "\(claim): \(outcome)", file: file, line: line)
    assertSays(outcome, words, claim, file: file, line: line)
    try assertTree(is: before, claim, file: file, line: line)
  }

  /// Asserts that what a run said holds some words and no trace of the inside of the program.
  func assertSays(
    _ outcome: ProgramOutcome, _ words: [String], _ claim: String, file: StaticString = #filePath,
    line: UInt = #line
  ) {
    for word in words {
      XCTAssertTrue(
        outcome.said.contains(word), "\(claim): no '\(word)' in: \(outcome.said)", file: file,
        line: line)
    }
    for trace in ["Fatal error", "Swift/", ".swift:", "Error("] {
      XCTAssertFalse(outcome.said.contains(trace), outcome.said, file: file, line: line)
    }
  }
}
