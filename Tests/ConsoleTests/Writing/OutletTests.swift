import Console
import Foundation
import XCTest

/// One place that output leads to.
final class OutletTests: XCTestCase {
  override func setUp() { signal(SIGPIPE, SIG_IGN) }

  func testTextsComeInTheirOrderAndAllOfThemBeforeTheEnd() throws {
    let pipe = Pipe()
    let outlet = Outlet()
    for number in 0..<100 {
      outlet.write("\(number)\n", to: pipe.fileHandleForWriting.fileDescriptor, .kept)
    }
    XCTAssertNil(outlet.finish())
    try pipe.fileHandleForWriting.close()
    let text = try XCTUnwrap(try pipe.fileHandleForReading.readToEnd())
    XCTAssertEqual(String(decoding: text, as: UTF8.self), (0..<100).map { "\($0)\n" }.joined())
  }

  func testWhatNobodyReadsIsLeftOutUnlessItIsKept() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    let outlet = Outlet()
    // More than the pipe and the room together take.
    let text = String(repeating: "x", count: 1 << 20)
    for _ in 0..<8 { outlet.write(text, to: descriptor, .counted) }
    XCTAssertGreaterThanOrEqual(outlet.takeLeftOut(), 3)
    XCTAssertEqual(outlet.takeLeftOut(), 0)
    outlet.write("gone", to: descriptor, .fleeting)
    XCTAssertEqual(outlet.takeLeftOut(), 0)
    outlet.hurry(until: .now)
    XCTAssertEqual(outlet.finish(), "nobody read it")
    try pipe.fileHandleForReading.close()
  }

  func testAStreamThatFailsSaysWhyOnceSomethingIsLost() {
    let outlet = Outlet(end: .failed("no such thing"))
    XCTAssertNil(outlet.finish(), "nothing was lost")
    outlet.write("text", to: -1, .counted)
    XCTAssertNil(outlet.finish())
    outlet.write("text", to: -1, .kept)
    XCTAssertEqual(outlet.finish(), "no such thing")
    XCTAssertNil(Outlet(end: .readerGone).finish())
  }
}
