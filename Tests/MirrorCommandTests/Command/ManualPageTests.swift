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

  /// Every name that a mirror makes for its user is on the pages, and no other.
  func testThePagesNameTheFilesThatAreThere() throws {
    let page = try mirror("manual", "sync").printed.replacing("\\-", with: "-")
    for status in ["0", "1", "2", "3", "64"] {
      XCTAssertTrue(page.contains("\\fB\(status)\\fP"), "\(status) isn't on \(page)")
    }
    try publish(["a.txt": "a", "b.txt": "b", "c/d.txt": "d"])
    try makeFolder(at: copy)
    try Data("mine".utf8).write(to: copy.appending(path: "a.txt"))
    let server = try serve(listing: .json)
    assertEnd(try sync(server.url), 0)
    try withdraw("b.txt")
    assertEnd(try sync(server.url), 0)
    let places = page.split(separator: "FOLDER/.mirror/").dropFirst()
      .map { String($0.prefix { $0 != "\\" }) }
    // Previews weren't asked for.
    for place in places where place != "previews" {
      let file = copy.appending(path: ".mirror/\(place)")
      XCTAssertTrue(FileManager.default.fileExists(atPath: file.path), place)
    }
    XCTAssertEqual(places.count, 5, page)
  }

  func testElsewhereItComesAsItIs() throws {
    XCTAssert(try mirror("manual", "sync").printed.hasPrefix(".TH \"MIRROR\\-SYNC\""))
  }
}
