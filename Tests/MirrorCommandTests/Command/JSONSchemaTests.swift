import Foundation
import TestSupport
import XCTest

/// The documentation's table of JSON lines is true.
final class JSONSchemaTests: MirrorTestCase {
  func testEveryEventAndMemberThatIsPrintedIsDocumentedOnce() throws {
    let documented = try documentedMembers()
    var seen: Set<String> = []
    for object in try objectsOfAnEventfulLife() {
      let event = try XCTUnwrap(object["event"] as? String, "\(object)")
      let members = try XCTUnwrap(documented[event], "\(event) isn't documented")
      seen.insert(event)
      let time = try XCTUnwrap(object["time"] as? String, "\(object)")
      XCTAssertNotNil(try? Date(time, strategy: .iso8601), time)
      for member in Self.members(of: object) where !["event", "time", "mirror"].contains(member) {
        XCTAssertTrue(members.contains("`\(member)`"), "\(event).\(member) isn't documented")
      }
    }
    let rare: Set<String> = [
      "confirmed", "retrying", "progress", "leftOut", "watching", "reloaded", "notReloaded",
      "waiting", "packGivenUp", "ask", "fail",
    ]
    XCTAssertEqual(Set(documented.keys).subtracting(seen).subtracting(rare), [])
  }

  /// The names of all members of a value, however deep.
  private static func members(of value: Any) -> Set<String> {
    switch value {
    case let object as [String: Any]:
      object.values.reduce(into: Set(object.keys)) { $0.formUnion(members(of: $1)) }
    case let list as [Any]: list.reduce(into: []) { $0.formUnion(members(of: $1)) }
    default: []
    }
  }

  /// What the commands print while everything happens that usually does.
  private func objectsOfAnEventfulLife() throws -> [[String: Any]] {
    try publish([
      "a.txt": "a", "b.txt": "b", "empty.txt": "", "gone.txt": "gone", "lost.txt": "lost",
      "small/a.txt.svg": "<a/>",
    ])
    try makeFolder(at: copy)
    try Data("a".utf8).write(to: copy.appending(path: "a.txt"))
    try Data("mine".utf8).write(to: copy.appending(path: "b.txt"))
    let server = try serve()
    let catalog = server.url + "catalog.ndjson"
    let publishing = ["publish", source.path, "--previews", "small", "--packs"]
    var objects = try printed(by: publishing)
    try withdraw("lost.txt")
    objects += try printed(by: ["plan", catalog, copy.path, "--exclude", "b.*"])
    objects += try printed(by: ["plan", catalog, copy.path])
    objects += try printed(by: ["sync", catalog, copy.path, "--previews"], ending: 2)
    objects += try printed(by: ["status", copy.path])
    objects += try printed(by: ["sums", copy.path])
    objects += try printed(by: ["doctor", catalog])
    objects += try printed(by: ["doctor", server.url + "a.txt"], ending: 1)
    try publish(["lost.txt": "lost"])
    assertEnd(try sync(catalog, ["--previews"]), 0)
    try withdraw("gone.txt")
    try publish(["twin.txt": "lost"])
    objects += try printed(by: publishing)
    objects += try printed(by: ["plan", catalog, copy.path])
    objects += try printed(by: ["sync", catalog, copy.path])
    objects += try printed(by: ["restore", copy.path])
    objects += try printed(by: ["restore", copy.path, "gone.txt"])
    objects += try printed(by: ["status", copy.path])
    objects += try printed(by: ["verify", copy.path])
    try FileManager.default.removeItem(at: copy.appending(path: "a.txt"))
    objects += try printed(by: ["verify", copy.path], ending: 2)
    try Data("rubbish".utf8).write(to: copy.appending(path: ".mirror/index.sqlite"))
    objects += try printed(by: ["sync", catalog, copy.path])
    let configuration = base.appending(path: "mirrors.ini")
    try Data("[one]\ncatalog = \(catalog)\nfolder = one\n".utf8).write(to: configuration)
    return try objects + printed(by: ["config", "check", configuration.path])
      + printed(by: ["sync", "--config", configuration.path])
  }

  private func printed(by arguments: [String], ending status: Int32 = 0) throws -> [[String: Any]] {
    let child = try start(arguments + ["--json"])
    XCTAssertEqual(try child.end(within: .seconds(30)), .exited(status), child.said)
    return try child.printed.split(separator: "\n").map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try XCTUnwrap(value as? [String: Any], "\(line)")
    }
  }

  /// The second column of the table of what `mirror` writes by each event of the first.
  private func documentedMembers() throws -> [String: String] {
    let page = try String(
      contentsOf: Programs.package.appending(
        path: "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/JSONOutput.md"),
      encoding: .utf8)
    let sections = page.components(separatedBy: "\n### ")
    let section = try XCTUnwrap(sections.first { $0.hasPrefix("What `mirror` writes\n") })
    var members: [String: String] = [:]
    for row in section.split(separator: "\n") where row.hasPrefix("| `") {
      let columns = row.split(separator: "|")
      for event in columns[0].split(separator: "`").map(String.init)
      where event.allSatisfy(\.isLetter) && event != "event" {
        XCTAssertNil(members[event], "\(event) has two rows")
        members[event] = String(columns[1])
      }
    }
    return members
  }
}
