import Foundation
import TestSupport
import XCTest

/// Stores of one account at a real Kinto.
final class SyncCommandTests: ServedTestCase {
  func testEditsOfDifferentMembersAreMergedAndDigestsBecomeEqual() throws {
    try makeShared()
    try documents("put", "a.db", "note", "milk", #"{"text": "Oat milk", "n": 1}"#)
    try documents("put", "b.db", "note", "milk", #"{"text": "Milk", "n": 2}"#)
    try sync("a.db", "b.db", "a.db")
    let milk = try documents("get", "a.db", "milk").object
    XCTAssertEqual(milk["text"] as? String, "Oat milk")
    XCTAssertEqual(milk["n"] as? Int, 2)
    let digest = try documents("digest", "a.db")
    XCTAssertEqual(digest.said, "")
    XCTAssertEqual(digest.printed, try documents("digest", "b.db").printed)
  }

  func testAFileReachesTheOtherStoreAndLeavesBothWhenItIsDetached() throws {
    try makeShared()
    try Data("a picture in full".utf8).write(to: folder.appending(path: "full.png"))
    try Data("a picture".utf8).write(to: folder.appending(path: "small.png"))
    try documents("attach", "a.db", "bread", "picture", "full.png", ends: 1)
    try documents(
      "attach", "a.db", "milk", "picture", "full.png", "--preview", "small.png", ends: 0)
    try sync("a.db")
    try documents("sync", "b.db", "--push")
    XCTAssertEqual(try documents("get", "b.db", "milk", "--file", "picture").status, 1)
    try sync("b.db")
    let got = try documents("get", "b.db", "milk", "--file", "picture")
    XCTAssertEqual(got.printed, "a picture in full", got.said)
    let member = try documents("get", "b.db", "milk").object["picture"] as? [[String: Any]]
    XCTAssertEqual(member?.first?["name"] as? String, "full.png")
    XCTAssertEqual(member?.first?["type"] as? String, "image/png")
    XCTAssertEqual(try documents("detach", "b.db", "milk", "picture").status, 0)
    try sync("b.db", "a.db")
    XCTAssertNil(try documents("get", "a.db", "milk").object["picture"])
    XCTAssertEqual(try documents("sync", "a.db").lines.last?.hasPrefix("in step"), true)
  }

  func testAFileThatTheServerRefusesIsTold() throws {
    try makeShared()
    try Data("program".utf8).write(to: folder.appending(path: "a.exe"))
    try documents("attach", "a.db", "milk", "tool", "a.exe")
    let outcome = try documents("sync", "a.db", "--json", ends: 2)
    let failures = try XCTUnwrap(outcome.object["failures"] as? [[String: Any]])
    XCTAssertEqual(failures.map { $0["id"] as? String }, ["milk"])
    XCTAssertTrue((failures.first?["words"] as? String ?? "").contains("extension"), outcome.said)
    let status = try documents("status", "a.db", "--json").object
    XCTAssertEqual((status["files"] as? [String: Any])?["refused"] as? Int, 1)
  }

  func testAConflictIsParkedDecidedAndSent() throws {
    try makeShared()
    try documents("put", "a.db", "note", "milk", #"{"text": "Oat"}"#)
    try documents("put", "b.db", "note", "milk", #"{"text": "Soy"}"#)
    try sync("a.db")
    let parked = try documents("sync", "b.db", "--on-conflict", "ask", "--json", ends: 2)
    XCTAssertEqual((parked.object["conflicts"] as? [[String: Any]])?.count, 1)
    XCTAssertEqual(
      try documents("get", "b.db", "milk", "--server").object["text"] as? String, "Oat")
    XCTAssertEqual(try documents("get", "b.db", "milk", "--base").object["n"] as? Int, 1)
    XCTAssertEqual(try documents("resolve", "b.db", "milk", "--local").status, 0)
    XCTAssertEqual(try documents("resolve", "b.db", "milk", "--local").status, 1)
    try sync("b.db", "a.db")
    XCTAssertEqual(try documents("get", "a.db", "milk").object["text"] as? String, "Soy")
  }

  func testWhatGaveWayIsListedAndTakenBack() throws {
    try makeShared()
    try documents("put", "a.db", "note", "milk", #"{"text": "Oat", "n": 1}"#)
    try documents("put", "b.db", "note", "milk", #"{"text": "Soy", "n": 1}"#)
    try sync("a.db", "b.db")
    XCTAssertEqual(try documents("get", "b.db", "milk").object["text"] as? String, "Oat")
    let lost = try documents("lost", "b.db", "--json").object
    XCTAssertEqual(lost["value"] as? String, "Soy")
    XCTAssertEqual(lost["path"] as? [String], ["text"])
    let number = try XCTUnwrap(lost["lost"] as? Int)
    XCTAssertEqual(try documents("restore", "b.db", "\(number)").printed, "milk\n")
    try sync("b.db", "a.db")
    XCTAssertEqual(try documents("get", "a.db", "milk").object["text"] as? String, "Soy")
  }

  func testTheReportIsTheLastLineAndASecondSyncHasNothingToDo() throws {
    try makeStores()
    try documents("put", "a.db", "note", "milk", "{}")
    let first = try documents("sync", "a.db", "--json").object
    XCTAssertEqual(first["event"] as? String, "report")
    let sent = try XCTUnwrap(first["sent"] as? [[String: Any]])
    XCTAssertEqual(sent.map { $0["id"] as? String }, ["milk"])
    XCTAssertNotNil(first["checkpoints"] as? [String: Any])
    let second = try documents("sync", "a.db", "--json").object
    for name in ["sent", "received", "conflicts", "failures", "lost"] {
      XCTAssertEqual((second[name] as? [Any])?.count, 0, name)
    }
  }

  func testAnUnreachableServerAndAWrongPasswordFailAndKeepWhatWaits() throws {
    try makeStores()
    try documents("put", "a.db", "note", "milk", "{}")
    try writePrivately("wrong\n", to: "wrong")
    let wrong = try documents("sync", "a.db", "--password-file", "wrong")
    XCTAssertEqual(wrong.status, 1)
    XCTAssertTrue(wrong.said.contains("password"), wrong.said)
    try stopServer()
    try documents("sync", "a.db", ends: 1)
    XCTAssertEqual(try documents("status", "a.db", "--json").object["outbox"] as? Int, 1)
  }

  func testAPasswordComesFromTheEnvironmentOrTheNetrcAndNothingIsSentWithoutOne() throws {
    try makeStores()
    let address = try XCTUnwrap(server).address
    try documents(
      "init", "c.db", "--kinto", address, "--bucket", "home", "--type", "note", "--account", "ann")
    let without = try documents("sync", "c.db")
    XCTAssertEqual(without.status, 1)
    XCTAssertTrue(without.said.contains("--password-file"), without.said)
    environment["DOCUMENTS_PASSWORD"] = "secret"
    try sync("c.db")
    environment["DOCUMENTS_PASSWORD"] = nil
    let netrc =
      "machine 127.0.0.1 login eve password no\nmachine 127.0.0.1 login ann password secret"
    try Data(netrc.utf8).write(to: folder.appending(path: ".netrc"))
    try sync("c.db")
  }

  func testAWatchSendsWhatIsEditedMeanwhile() throws {
    try makeStores()
    try documents("put", "a.db", "note", "milk", #"{"n": 1}"#)
    let watch = try start(["watch", "a.db", "--every", "1s"])
    defer { watch.send(SIGTERM) }
    let end = Patience.end
    while !watch.printed.contains("1 sent"), !watch.hasEnded, .now < end { sched_yield() }
    XCTAssertTrue(watch.printed.contains("1 sent"), watch.said)
    try documents("put", "a.db", "note", "bread", #"{"n": 2}"#)
    while try documents("get", "a.db", "bread", "--base").status != 0, .now < end {}
    XCTAssertEqual(try documents("get", "a.db", "bread", "--base").status, 0)
  }

  func testASecondSyncDuringAWatchIsTurnedAwayAndASignalEndsTheWatch() throws {
    try makeStores()
    let watch = try start(["watch", "a.db", "--every", "1h"])
    let end = Patience.end
    while !watch.printed.contains("in step"), !watch.hasEnded, .now < end { sched_yield() }
    XCTAssertTrue(watch.printed.contains("in step"), watch.said)
    try documents("sync", "a.db", ends: 75)
    XCTAssertEqual(try documents("put", "a.db", "note", "milk", "{}").status, 0)
    watch.send(SIGTERM)
    XCTAssertEqual(try watch.end(within: .seconds(10)), .exited(130))
  }
}
