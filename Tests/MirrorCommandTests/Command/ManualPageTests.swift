import Foundation
import TestSupport
import XCTest

/// `mirror manual` on a terminal: it printed what only `man` can read.
final class ManualPageTests: MirrorTestCase {
  /// What is on the terminal, with a program of this text as `man`.
  private func shown(man text: String?) throws -> String {
    let tools = base.appending(path: "tools")
    try makeFolder(at: tools)
    let man = tools.appending(path: "man")
    try? FileManager.default.removeItem(at: man)
    if let text {
      try Data("#!/bin/sh\n\(text)\n".utf8).write(to: man)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: man.path)
    }
    let command = "PATH='\(tools.path)' exec '\(Programs.mirror)' manual sync"
    let child = try start(
      ["-qec", command, "/dev/null"], program: try Programs.find("script"), environment: [:])
    XCTAssertEqual(try child.end(within: .seconds(30)), .exited(0), child.printed)
    return child.printed
  }

  func testManFormatsThePage() throws {
    let shown = try shown(man: "echo \"man $*\"; read -r line; echo \"read: $line\"")
    XCTAssert(shown.hasPrefix("man -l -\r\nread: .TH"), shown)
    XCTAssertEqual(shown.components(separatedBy: ".TH").count, 2, "it came once: \(shown)")
  }

  /// In a group of its own it would be stopped at the first key.
  func testManMayReadFromTheTerminal() throws {
    let shown = try shown(
      man: """
        read -r _ _ _ _ group _ _ front _ </proc/self/stat
        if [ "$group" = "$front" ]; then echo "in front"; fi
        """)
    XCTAssertEqual(shown, "in front\r\n")
  }

  func testWithoutManOrWithOneThatCannotItComesAsItIs() throws {
    for text in [nil, "exit 1"] {
      XCTAssert(try shown(man: text).hasPrefix(".TH \"MIRROR\\-SYNC\""), text ?? "none")
    }
  }

  func testElsewhereItComesAsItIs() throws {
    XCTAssert(try mirror("manual", "sync").printed.hasPrefix(".TH \"MIRROR\\-SYNC\""))
  }
}
