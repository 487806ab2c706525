import Foundation
import TestSupport
import XCTest

/// F24: standard output or standard error that can't be written, or that nobody reads. The work is
/// done and the folder let go of all the same; the exit status doesn't say that all was told.
final class F24OutputTests: FaultTestCase {
  private static let styles = [[], ["--json"]]

  func testF24_whatCannotBeToldOnStandardOutputIsSaidOnStandardError() async throws {
    let server = try published()
    let places = [">/dev/full": "No space left", ">&-": "Bad file"]
    for (place, reason) in places {
      for style in Self.styles {
        try? FileManager.default.removeItem(at: copy)
        let claim = "\(place) \(style)"
        let outcome = try run(["sync", catalog(server), copy.path] + style, place)
        XCTAssertEqual(outcome.end, .exited(1), "\(claim): \(outcome)")
        XCTAssertTrue(outcome.said.contains("standard output"), "\(claim): \(outcome)")
        XCTAssertTrue(outcome.said.contains(reason), "\(claim): \(outcome)")
        XCTAssertEqual(outcome.said.count { $0.isNewline }, 1, "\(claim): \(outcome)")
        try await assertIsDone(server, claim)
      }
      // Where nothing is to be told, nothing is missing.
      XCTAssertEqual(
        try run(["sync", catalog(server), copy.path, "--quiet"], place).end, .exited(0), place)
    }
    for arguments in [["--help"], ["--version"], ["status", copy.path]] {
      XCTAssertEqual(try run(arguments, ">/dev/full").end, .exited(1), "\(arguments)")
    }
    try Extent.record(
      "F24", "standard output closed, or a full device", count: places.count * 2,
      "the work is done, the folder let go of; status 1 and a sentence on standard error")
  }

  /// Who stops reading of his own accord, as `head` does, has heard enough.
  func testF24_aReaderThatGoesAwayChangesNothing() async throws {
    let server = try published()
    for style in Self.styles {
      try? FileManager.default.removeItem(at: copy)
      let outcome = try run(["sync", catalog(server), copy.path] + style, "| true")
      XCTAssertEqual(outcome.end, .exited(0), "\(style): \(outcome)")
      XCTAssertEqual(outcome.said, "")
      try await assertIsDone(server, "\(style)")
    }
  }

  func testF24_whatCannotBeToldOnStandardErrorChangesNothingElse() async throws {
    let server = try published()
    for place in ["2>/dev/full", "2>&-"] {
      for style in Self.styles {
        try? FileManager.default.removeItem(at: copy)
        let good = try run(["sync", catalog(server), copy.path] + style, place)
        XCTAssertEqual(good.end, .exited(0), "\(place) \(style): \(good)")
        try await assertIsDone(server, place)
        // A failure that can't be told is a failure; and something else hears of the rest.
        let bad = try run(["sync", server.url + "none", copy.path, "--new-catalog"] + style, place)
        XCTAssertEqual(bad.end, .exited(1), "\(place) \(style): \(bad)")
        if style.isEmpty { XCTAssertTrue(bad.printed.contains("standard error"), "\(bad)") }
      }
    }
    let both = try run(["sync", catalog(server), copy.path], ">&- 2>&-")
    XCTAssertEqual(both.end, .exited(1))
    try await assertIsDone(server, "both closed")
  }

  func testF24_aPipeThatNobodyReadsHoldsNeitherTheRunNorTheFolder() async throws {
    try publish(["a": "text a"])
    // Something has to be told on standard error, too.
    try writeCatalog([#"{"catalog":1,"complete":true}"#, #"{"key":"a"}"#, #"{"key":"none"}"#])
    for style in Self.styles {
      for stream in [">", "2>"] {
        let (server, hold) = try holding("/a")
        try? FileManager.default.removeItem(at: copy)
        let pipe = try unreadPipe()
        let claim = "\(stream) \(style)"
        let child = try shell(
          ["sync", catalog(server), copy.path] + style, "\(stream)'\(pipe.path)'")
        try waitUntilTheFolderIsFree(after: hold, claim)
        XCTAssertEqual(try copied(), ["a": "text a"])
        XCTAssertTrue(child.isRunning, "the reader is waited for; \(claim)")
        let began = ContinuousClock.now
        child.send(SIGTERM)
        let end = try child.end(within: .seconds(10))
        assertKept(.seconds(2), since: began, claim)
        XCTAssertEqual(end, .exited(2), claim)
        let other = stream == ">" ? child.said : child.printed
        XCTAssertTrue(other.contains("nobody read it"), "\(claim): \(other)")
      }
    }
    try Extent.record(
      "F24", "a full pipe that nobody reads", count: 4,
      "the work is done, the folder let go of; a signal ends it within 2 s")
  }

  func testF24_aSignalEndsARunWhoseOutputNobodyReads() async throws {
    try publish(["a": "text a", "held": "text held"])
    for style in Self.styles {
      let (server, hold) = try holding("/held", listing: .json)
      defer { hold.close() }
      try? FileManager.default.removeItem(at: copy)
      let pipe = try unreadPipe()
      let child = try shell(
        ["sync", server.url, copy.path] + style, ">'\(pipe.path)' 2>&1")
      XCTAssertTrue(hold.waitForCaller())
      let began = ContinuousClock.now
      child.send(SIGINT)
      XCTAssertEqual(try child.end(within: .seconds(10)), .exited(130), "\(style)")
      assertKept(.seconds(2), since: began, "\(style)")
      assertRecorded(try mirror("status", copy.path), "\(style)")
    }
  }

  /// What happened to single items may be left out, and is counted; the result is not.
  func testF24_aReaderThatComesLateGetsTheResultAndTheCountOfWhatWasLeftOut() async throws {
    let count = 12_000
    let filler = String(repeating: "x", count: 300)
    try publish(["a": "text a"])
    try writeCatalog(
      [#"{"catalog":1,"complete":true}"#, #"{"key":"a"}"#]
        + (0..<count).map { #"{"key":"../\#($0)\#(filler)"}"# })
    let (server, hold) = try holding("/a")
    let pipe = try unreadPipe()
    let child = try shell(
      ["sync", server.url + Self.catalogName, copy.path, "--json"], ">'\(pipe.path)'")
    try waitUntilTheFolderIsFree(after: hold, "before anybody reads")
    let lines = try pipe.readAll(until: #""event":"ended""#).split(separator: "\n")
    XCTAssertEqual(try child.end(within: .seconds(30)), .exited(2))
    let leftOut = lines.compactMap { line -> Int? in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["event"] as? String == "leftOut" ? object?["count"] as? Int : nil
    }
    let told = lines.count { $0.contains(#""event":"failed""#) }
    XCTAssertEqual(leftOut.count, 1)
    XCTAssertGreaterThan(leftOut.first ?? 0, 0)
    XCTAssertGreaterThan(told, 1_000)
    XCTAssertLessThan(told, count)
    // What was told of the run was held until then: 4 MiB, and the result beside.
    let held = lines.dropLast(2).reduce(0) { $0 + $1.utf8.count + 1 }
    XCTAssertLessThan(held, 4 << 20)
    XCTAssertGreaterThan(held, 3 << 20, "there were too few lines to tell")
    XCTAssertTrue(lines.last?.contains(#""failed":\#(count)"#) ?? false)
  }

  // MARK: - Support

  private func published() throws -> NginxServer {
    try republish(["a": "text a", "d/b": "text b", "d/c": "text c"])
    return try serve()
  }

  private func catalog(_ server: NginxServer) -> String { server.url + Self.catalogName }

  private func unreadPipe() throws -> UnreadPipe {
    let pipe = try UnreadPipe(at: base.appending(path: "pipe-\(UUID().uuidString)"))
    atEnd { pipe.close() }
    return pipe
  }

  /// Starts `mirror` with its output led elsewhere, as a shell writes it.
  private func shell(_ arguments: [String], _ redirection: String) throws -> ChildProcess {
    let exec = redirection.hasPrefix("|") ? "" : "exec "
    return try start(
      ["-c", "set -o pipefail; \(exec)\"$0\" \"$@\" \(redirection)", Programs.mirror] + arguments,
      program: try Programs.find("bash"))
  }

  private func run(_ arguments: [String], _ redirection: String) throws -> ProgramOutcome {
    let child = try shell(arguments, redirection)
    return try child.outcome(within: .seconds(30))
  }

  private func assertIsDone(_ server: NginxServer, _ claim: String) async throws {
    try assertCopyIsTrue(except: [Self.catalogName])
    try await assertEqual(Self.untruths(in: copy), [], claim)
    assertEnd(try mirror("status", copy.path), 0)
  }

  /// Serves the source, but for one item, which whoever asks for it waits for.
  private func holding(
    _ path: String, listing: NginxServer.Listing? = nil
  ) throws -> (NginxServer, LoopbackListener) {
    let hold = try LoopbackListener()
    let held = NginxServer.Options.holding(path, at: hold)
    return (try serve(nil, NginxServer.Options(listing: listing, locations: [held])), hold)
  }

  /// Lets a run go on that waits for an item, and waits until it has recorded itself and let go of
  /// the folder: it holds that from before its first item on.
  private func waitUntilTheFolderIsFree(after hold: LoopbackListener, _ claim: String) throws {
    XCTAssertTrue(hold.waitForCaller(), claim)
    hold.close()
    assertRecorded(try mirror("status", "--wait", copy.path), claim)
  }

  private func assertRecorded(_ status: ProgramOutcome, _ claim: String) {
    assertEnd(status, 0)
    XCTAssertTrue(status.printed.contains("\nrun "), "\(claim): \(status)")
  }
}
