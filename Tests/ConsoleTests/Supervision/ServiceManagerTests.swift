import Foundation
import TestSupport
import XCTest

@testable import Console

final class ServiceManagerTests: XCTestCase {
  func testEachMessageIsTheProtocolsOwn() {
    let cases: [(ServiceMessage, String)] = [
      (.ready, "READY=1"), (.status("3 mirrors"), "STATUS=3 mirrors"),
      (.status("a\nREADY=1\u{0}\r\nb"), "STATUS=a READY=1  b"),
      (.reloading(monotonicMicroseconds: 12), "RELOADING=1\nMONOTONIC_USEC=12"),
      (.stopping, "STOPPING=1"), (.watchdog, "WATCHDOG=1"),
    ]
    for (message, text) in cases { XCTAssertEqual(message.text, text) }
  }

  func testWhereTheManagerListens() {
    XCTAssertNil(ServiceManager([:]))
    for path in ["", "@", "relative", "vsock:2:1", String(repeating: "/a", count: 60)] {
      XCTAssertNil(ServiceManager(["NOTIFY_SOCKET": path]), path)
    }
    XCTAssertEqual(ServiceManager.address("/run/notify"), Array("/run/notify".utf8))
    XCTAssertEqual(ServiceManager.address("@name"), [0] + Array("name".utf8))
  }

  func testTheWatchdogIsThisProcesss() {
    let socket = ["NOTIFY_SOCKET": "/x"]
    let cases: [([String: String], Duration?)] = [
      ([:], nil), (["WATCHDOG_USEC": "30000000"], .seconds(30)),
      (["WATCHDOG_USEC": "1000", "WATCHDOG_PID": "7"], .milliseconds(1)),
      (["WATCHDOG_USEC": "1000", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil),
      (["WATCHDOG_USEC": "soon"], nil),
    ]
    for (variables, interval) in cases {
      let manager = ServiceManager(variables.merging(socket) { $1 }, process: 7)
      XCTAssertEqual(manager?.watchdogInterval, interval, "\(variables)")
    }
  }

  func testMessagesArriveAtAPathAndAtANameOfLinux() throws {
    let name = UUID().uuidString
    for path in ["\(FileManager.default.temporaryDirectory.path)/\(name.prefix(8))", "@\(name)"] {
      let ear = try Ear(path)
      let manager = try XCTUnwrap(ServiceManager(["NOTIFY_SOCKET": path]))
      manager.tell(.ready)
      manager.tell(.status("well"))
      XCTAssertEqual(ear.hear(), "READY=1")
      XCTAssertEqual(ear.hear(), "STATUS=well")
    }
  }

  func testAManagerThatIsGoneOrDoesNotListenIsNotWaitedFor() throws {
    let path = "@\(UUID().uuidString)"
    let manager = try XCTUnwrap(ServiceManager(["NOTIFY_SOCKET": path]))
    manager.tell(.ready)
    let ear = try Ear(path)
    for _ in 0..<10_000 { manager.tell(.watchdog) }
    XCTAssertEqual(ear.hear(), "WATCHDOG=1")
  }

  func testTheMonotonicTimeGoesOn() {
    let before = ServiceManager.monotonicMicroseconds
    XCTAssertGreaterThan(before, 0)
    XCTAssertGreaterThanOrEqual(ServiceManager.monotonicMicroseconds, before)
  }
}
