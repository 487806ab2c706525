import Console
import Foundation
import TestSupport
import XCTest

/// `mirror watch` as a service.
final class WatchCommandTests: MirrorTestCase {
  private var file: URL { base.appending(path: "mirrors.ini") }

  private func configure(_ server: NginxServer, _ more: String = "") throws {
    let text = "[one]\ncatalog = \(server.url)\nfolder = \(copy.path)\ninterval = 1h\n\(more)"
    try Data(text.utf8).write(to: file)
  }

  func testAServiceIsReadyReloadsAndStopsAsItsManagerHasIt() throws {
    try publish(["a.txt": "a"])
    let server = try serve(listing: .json)
    try configure(server)
    let name = "@\(UUID().uuidString)"
    let ear = try Ear(name)
    let log = base.appending(path: "log")
    let child = try start(
      ["watch", "--config", file.path, "--log-file", log.path],
      environment: ["NOTIFY_SOCKET": name, "HOME": base.path])
    XCTAssertEqual(ear.hear(), "READY=1")
    try waitUntil("it has run") { child.printed.contains("one: done: 1 added") }

    try configure(server, "retires = 1\n")
    child.send(SIGHUP)
    XCTAssertTrue(ear.hear(after: "STATUS=").hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
    XCTAssertEqual(ear.hear(after: "STATUS="), "READY=1")
    try waitUntil("the mistake is told") { child.said.contains("line 5: 'retires'") }

    try publish(["b.txt": "b"])
    try configure(server, "retries = 1\n")
    child.send(SIGHUP)
    try waitUntil("it has run again") {
      child.printed.components(separatedBy: "one: done: 1 added").count == 3
    }
    XCTAssertTrue(child.printed.contains("configuration read anew: changed one"), child.printed)

    let sent = ContinuousClock.now
    child.send(SIGTERM)
    XCTAssertEqual(try child.end(within: .seconds(20)), .exited(130), child.said)
    assertKept(.seconds(2), since: sent)
    var last = ear.hear(within: 0)
    while let next = ear.hear(within: 0) { last = next }
    XCTAssertEqual(last, "STOPPING=1")
    XCTAssertEqual(try files(in: copy).count, 2)
    let logged = try readText(log)
    XCTAssertTrue(logged.contains(" one: added a.txt"), logged)
    let ends = logged.components(separatedBy: " one: done: 1 added")
    XCTAssertEqual(ends.count, 3, "each run is there once: \(logged)")
  }

  func testAWatchOfOneMirrorSaysALineARunAndHowLongItWaits() throws {
    let child = try start([
      "watch", "http://127.0.0.1:1/", copy.path, "--interval", "1h", "--retries", "0",
    ])
    try waitUntil("it has run") { child.said.contains("failed 1 time in a row, next in") }
    XCTAssertEqual(child.printed, "watching 1 mirror\n")
    XCTAssertEqual(child.said.split(separator: "\n").count, 1, child.said)
    child.send(SIGHUP)
    try waitUntil("it has heard") { child.printed.contains("no configuration to be read anew") }
    child.send(SIGINT)
    XCTAssertEqual(try child.end(within: .seconds(20)), .exited(130), child.said)
  }

  func testAHangupEndsASyncInGoodOrder() throws {
    try publish(["a.txt": "a"])
    let hold = try LoopbackListener()
    let server = try serve(
      nil,
      NginxServer.Options(
        listing: .json, locations: [NginxServer.Options.holding("/a.txt", at: hold)]))
    let child = try start(["sync", server.url, copy.path])
    XCTAssertTrue(hold.waitForCaller(), child.said)
    child.send(SIGHUP)
    XCTAssertEqual(try child.end(within: .seconds(20)), .exited(130), child.said)
    hold.close()
  }
}

extension Ear {
  /// The next message that doesn't begin in that way.
  func hear(after uninteresting: String) -> String {
    while let message = hear() {
      if !message.hasPrefix(uninteresting) { return message }
    }
    return "nothing"
  }
}
