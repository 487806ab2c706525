import Foundation
import TestSupport
import XCTest

/// JSON of any kind, read as the command line says.
final class MappedCatalogTests: MirrorTestCase {
  private func publishList() throws -> String {
    try makeFolder(at: source)
    try Data("alpha".utf8).write(to: source.appending(path: "a.bin"))
    let list = #"{"data":{"files":[{"folder":"x","name":"a.txt","href":"a.bin","size":"5"}]}}"#
    try Data(list.utf8).write(to: source.appending(path: "list.json"))
    return "file://\(source.path)/list.json"
  }

  func testTheCommandLineSaysWhatIsWhat() throws {
    let outcome = try mirror(
      "sync", try publishList(), copy.path, "--map",
      "items=data.files,key={folder}/{name},url=href,size=size")
    XCTAssertEqual(outcome.end, .exited(0), outcome.said)
    XCTAssertEqual(try readText(copy.appending(path: "x/a.txt")), "alpha")
  }

  func testAMappingThatIsNoneIsAUsageErrorThatSaysWhatToWrite() throws {
    let list = try publishList()
    for (mapping, said) in [
      ("items=data.files", "add key=PATH"), ("items=.,key=a,colour=b", "no field 'colour'"),
      ("items=[,key=a", "items=[ is no path"),
    ] {
      let outcome = try mirror("sync", list, copy.path, "--map", mapping)
      XCTAssertEqual(outcome.end, .exited(64), mapping)
      XCTAssert(outcome.said.contains(said), outcome.said)
      XCTAssertFalse(outcome.said.contains(".;"), outcome.said)
    }
  }

  func testAMappingAndAFormatContradictEachOther() throws {
    let list = try publishList()
    let options = [["--format", "rss"], ["--map", "items=.,key=a"]]
    for order in [options, options.reversed()] {
      let child = try start(["sync", list, copy.path] + order.joined())
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(64))
      XCTAssert(child.said.contains("contradict"), child.said)
    }
    XCTAssertFalse(isThere(copy))
  }
}
