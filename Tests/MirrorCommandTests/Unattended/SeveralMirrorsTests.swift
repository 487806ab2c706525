import Foundation
import TestSupport
import XCTest

/// Several mirrors of one configuration.
final class SeveralMirrorsTests: MirrorTestCase {
  private let names = ["one", "two", "three", "four", "five"]
  private var file: URL { base.appending(path: "mirrors.ini") }

  /// A configuration of mirrors, each of the folder of its name.
  private func configure(_ server: NginxServer, _ defaults: String = "") throws {
    let parts = names.map { name in
      "[\(name)]\ncatalog = \(server.url)\(name)/\nfolder = \(copy.path)/\(name)\n"
    }
    try makeFolder(at: copy)
    try Data("[defaults]\n\(defaults)\n\(parts.joined(separator: "\n"))".utf8).write(to: file)
  }

  /// The files of all copies.
  private func copies() throws -> [String: Data] {
    try files(in: copy).filter { !$0.key.contains("/.mirror/") }
  }

  private func publishAll(each count: Int) throws {
    for name in names {
      try publish(
        Dictionary(
          uniqueKeysWithValues: (0..<count).map { ("\(name)/\($0).txt", "\(name) \($0)") }))
    }
  }

  /// The limit of a mirror is that of all: nginx counts the connections on which requests came. Who
  /// ends last closes them, so that there may be a second pair, if three happen to end together.
  func testFiveMirrorsAskOneServerNoMoreAtOnceThanOneMay() throws {
    try publishAll(each: 20)
    var options = NginxServer.Options(listing: .json)
    let log = base.appending(path: "connections.log")
    options.common = ["log_format connection '$connection';"]
    options.locations = ["access_log \(log.path) connection;"]
    let server = try serve(nil, options)
    try configure(server, "connections = 2\nretries = 0")
    let plan = try mirror("sync", "--config", file.path, "--dry-run", "one", "five")
    assertEnd(plan, 0)
    XCTAssertTrue(plan.printed.contains("five: would fetch 20 items"), "\(plan)")
    try FileManager.default.removeItem(at: log)
    try server.restart(options)
    let outcome = try mirror("sync", "--config", file.path, "--jobs", "3")
    assertEnd(outcome, 0)
    XCTAssertEqual(try copies(), try files(in: source))
    let connections = try readText(log).split(separator: "\n")
    XCTAssertGreaterThanOrEqual(connections.count, 105)
    XCTAssertLessThanOrEqual(Set(connections).count, 4)
    for name in names {
      XCTAssertTrue(outcome.printed.contains("\(name): done: 20 added"), "\(outcome)")
    }
    let second = try mirror("sync", "--config", file.path, "two", "five", "--json")
    assertEnd(second, 0)
    let ended = try second.printed.split(separator: "\n").compactMap { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["event"] as? String == "ended" ? object?["mirror"] as? String : nil
    }
    XCTAssertEqual(Set(ended), ["two", "five"])
    for (command, line) in [
      ("plan", "two: unchanged: "), ("status", "two: contents    20 files"),
      ("verify", "two: verified: 20 files"),
    ] {
      let looked = try mirror(command, "--config", file.path, "two", "one")
      assertEnd(looked, 0)
      XCTAssertTrue(looked.printed.contains("\n" + line), "\(looked)")
      XCTAssertTrue(looked.printed.hasPrefix("one: "), "\(looked)")
    }
  }

  func testTheStatusIsThatOfWhoeverNeedsAPersonMost() throws {
    try publishAll(each: 1)
    let server = try serve(listing: .json)
    try configure(server, "log-file = \(base.path)/log")
    try FileManager.default.removeItem(at: source.appending(path: "three"))
    let outcome = try mirror("sync", "--config", file.path)
    assertEnd(outcome, 1)
    XCTAssertTrue(outcome.said.contains("mirror: three: "), "\(outcome)")
    XCTAssertEqual(try copies().count, 4, "the others are done")
    let log = try readText(base.appending(path: "log"))
    XCTAssertTrue(log.contains(" one: done: 1 added"), log)
    XCTAssertTrue(log.contains(" three: "), log)
    XCTAssertTrue(log.contains(" mirror sync --config \(file.path)\n"), log)
    assertRefused(
      try mirror("sync", "--config", file.path, "thre"), 64, saying: "did you mean 'three'?")
  }

  func testACheckNamesTheLineOfAMistake() throws {
    let server = try serve(listing: .json)
    try configure(server, "retires = 3")
    assertRefused(
      try mirror("config", "check", file.path), 64, saying: "line 2", "did you mean 'retries'?")
    try configure(server)
    let outcome = try mirror("config", "check", file.path)
    assertEnd(outcome, 0)
    XCTAssertTrue(outcome.printed.contains("5 mirrors"), "\(outcome)")
    assertRefused(try mirror("config", "chekc", file.path), 64, saying: "config check FILE")
  }

  func testTheEnvironmentSaysWhatTheCommandLineDoesNot() throws {
    try publish(["one/a.txt": "a"])
    let server = try serve(listing: .json)
    let outcome = try mirror(
      "sync", server.url, copy.path,
      environment: ["MIRROR_QUIET": "yes", "MIRROR_RETRIES": "0", "MIRROR_SIMULATION": "x"])
    assertEnd(outcome, 0)
    XCTAssertEqual(outcome.printed, "")
    assertRefused(
      try mirror("sync", server.url, copy.path, environment: ["MIRROR_RETRIES": "-1"]), 64,
      saying: "MIRROR_RETRIES: '-1' is no number")
  }
}
