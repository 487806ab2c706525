import Foundation
import TestSupport
import XCTest

/// Systems on which the program's own command line can't be read.
final class WithoutProcTests: MirrorTestCase {
  /// It used to ask what to do, whatever it had been told, or to end with "Illegal instruction".
  func testASystemWithoutProcIsToldToMountIt() throws {
    #if os(Linux)
      guard geteuid() == 0 else { throw XCTSkip("only root may mount") }
      let child = try ChildProcess(
        try Programs.find("unshare"),
        [
          "--mount", "--", "/bin/sh", "-ec", "mount -t tmpfs none /proc; exec \"$0\" --version",
          Programs.mirror,
        ],
        environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], directory: base, records: base)
      let outcome = try child.outcome(within: .seconds(60))
      XCTAssertEqual(outcome.end, .exited(1), outcome.said)
      XCTAssertEqual(outcome.printed, "")
      XCTAssertEqual(
        outcome.said,
        "mirror: /proc isn't there, and with it the command line; mount it:"
          + " mount -t proc proc /proc.\n"
      )
    #else
      throw XCTSkip("elsewhere the command line doesn't come from /proc")
    #endif
  }
}
