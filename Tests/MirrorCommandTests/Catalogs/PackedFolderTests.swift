import Foundation
import TestSupport
import XCTest

/// A folder of many small files that is published with packs, mirrored from real servers.
final class PackedFolderTests: MirrorTestCase {
  private func path(_ number: Int) -> String { "d\(number % 7)/f\(1_000 + number).txt" }

  @discardableResult
  private func publishMany(_ count: Int = 300, _ word: String = "text") throws -> [String: String] {
    let texts = Dictionary(
      uniqueKeysWithValues: (0..<count).map { number in
        (path(number), "\(word) \(number) " + String(repeating: "y", count: number))
      })
    try publish(texts)
    try publishPacked(each: 10_000)
    return texts
  }

  private var published = 0.0

  /// As a publisher that knows its packs from files.
  private func publishPacked(each size: Int) throws {
    try? FileManager.default.removeItem(at: source.appending(path: "catalog.ndjson.packs"))
    try publishCatalog("--no-packs")
    try PackedCatalog.pack(in: source, each: size)
    // Python's server tells two of them apart by the second alone.
    published += 1
    try age(catalogIn: source, by: 60 - 10 * published)
  }

  private func requests(_ all: [NginxServer.Request]) -> (packs: Int, others: Int) {
    let packs = all.count { $0.target.contains(".packs/") }
    return (packs, all.count - packs)
  }

  func testFromNginxManyFilesComeInFewRequests() throws {
    let texts = try publishMany()
    let server = try serve()
    let plan = try mirror("plan", server.url + "catalog.ndjson", copy.path)
    assertEnd(plan, 0)
    XCTAssertTrue(plan.printed.contains("for 300 files in packs"), plan.printed)
    _ = try server.takeRequests()
    let outcome = try sync(server.url + "catalog.ndjson")
    assertEnd(outcome, 0)
    XCTAssertEqual(try copied(), texts)
    let asked = requests(try server.takeRequests())
    XCTAssertEqual(asked.others, 1, "the catalog's")
    XCTAssertEqual(asked.packs, 5)
    XCTAssertTrue(outcome.printed.contains("5 requests for 300 files in packs"), outcome.printed)
    let status = try mirror("status", copy.path)
    XCTAssertTrue(status.printed.contains("5 requests for 300 files in packs"), status.printed)
  }

  /// The publisher that stands in the documentation.
  func testWhatTheWrittenPublisherPacksComesInPacks() throws {
    let page = try readText(
      Programs.package.appending(
        path: "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/CatalogFormat.md"))
    let script = try XCTUnwrap(
      page.components(separatedBy: "```python\n").last?.components(separatedBy: "```").first)
    let file = base.appending(path: "publish.py")
    try Data(script.utf8).write(to: file)
    let texts = Dictionary(
      uniqueKeysWithValues: (0..<90).map { (path($0), "text \($0)") })
    try publish(texts)
    let child = try ChildProcess(
      try Programs.find("python3"), [file.path, source.path], environment: [:],
      directory: base, records: base)
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    try age(catalogIn: source)
    let outcome = try sync(try serve().url + "catalog.ndjson")
    assertEnd(outcome, 0)
    XCTAssertEqual(try copied(), texts)
    XCTAssertTrue(outcome.printed.contains("for 90 files in packs"), outcome.printed)
  }

  func testAPartOfAPackIsAskedForByItsRange() throws {
    var texts = try publishMany()
    let server = try serve()
    assertEnd(try sync(server.url + "catalog.ndjson"), 0)
    _ = try server.takeRequests()
    for number in 100..<140 { texts[path(number)]? += " changed" }
    try publish(texts)
    try publishPacked(each: 1 << 20)
    let outcome = try sync(server.url + "catalog.ndjson")
    assertEnd(outcome, 0)
    XCTAssertEqual(try copied(), texts)
    let asked = try server.takeRequests()
    XCTAssertTrue(asked.contains { $0.target.contains(".packs/") && $0.status == 206 }, "\(asked)")
  }

  /// Whether there are parts, only the server tells.
  func testAPlanOfPartsSaysThatTheServerHasToGiveThem() throws {
    var texts = try publishMany()
    let server = try serve(by: .python)
    assertEnd(try sync(server.url + "catalog.ndjson"), 0)
    for number in 100..<140 { texts[path(number)]? += " changed" }
    try publish(texts)
    try publishPacked(each: 1 << 20)
    let plan = try mirror("plan", server.url + "catalog.ndjson", copy.path)
    XCTAssertTrue(
      plan.printed.contains("for 40 files in packs if the server gives parts of them"),
      plan.printed)
    let json = try mirror("plan", server.url + "catalog.ndjson", copy.path, "--json")
    XCTAssertTrue(json.printed.contains(#""packParts":"#), json.printed)
    XCTAssertFalse(json.printed.contains(#""packParts":0"#), json.printed)
  }

  func testDoctorSaysWhatPacksAreOfferedAndWhetherPartsAreSent() throws {
    try publishMany()
    let offer = "300 of its 300 items lie in 5 packs as well"
    for (url, words) in [
      (try serve().url, "and come with few requests: parts of packs are sent as asked."),
      (try serve(by: .python).url, "of which the server sends no parts"),
    ] {
      let doctor = try mirror("doctor", url + "catalog.ndjson")
      assertEnd(doctor, 0)
      XCTAssertTrue(doctor.printed.contains(offer), doctor.printed)
      XCTAssertTrue(doctor.printed.contains(words), doctor.printed)
    }
    let directory = source.appending(path: "catalog.ndjson.packs")
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      try Data("short".utf8).write(to: directory.appending(path: name))
    }
    let url = try serve().url + "catalog.ndjson"
    let cut = try mirror("doctor", url)
    XCTAssertTrue(cut.printed.contains("of which the first can't be used: it has 5 B"), cut.printed)
    try FileManager.default.removeItem(at: directory)
    let gone = try mirror("doctor", url)
    XCTAssertTrue(gone.printed.contains("status 404; put it beside the catalog"), gone.printed)
    let run = try sync(url)
    assertEnd(run, 0)
    XCTAssertTrue("\(run)".contains("status 404; put it beside the catalog"), "\(run)")
  }

  /// A run of rsync that was cut, or a restored backup: nothing has changed at the source.
  func testWhatTheFolderLostComesInPacksThoughTheCatalogHasNotChanged() throws {
    let texts = try publishMany()
    let server = try serve()
    assertEnd(try sync(server.url + "catalog.ndjson"), 0)
    for number in 0..<200 {
      try FileManager.default.removeItem(at: copy.appending(path: path(number)))
    }
    _ = try server.takeRequests()
    let outcome = try sync(server.url + "catalog.ndjson")
    assertEnd(outcome, 0)
    XCTAssertEqual(try copied(), texts)
    let all = try server.takeRequests()
    XCTAssertEqual(all.filter { $0.target == "/catalog.ndjson" }.map(\.status), [304, 200])
    XCTAssertEqual(requests(all).others, 2)
    XCTAssertTrue(outcome.printed.contains("requests for 200 files in packs"), outcome.printed)
  }

  func testPublishGoesOnWithPacksUntilItIsToldNotTo() throws {
    try publish(Dictionary(uniqueKeysWithValues: (0..<90).map { (path($0), "text \($0)") }))
    let places = { [source] in
      try String(contentsOf: source.appending(path: "catalog.ndjson"), encoding: .utf8)
        .components(separatedBy: "\"pack\":").count - 1
    }
    try publishCatalog("--packs")
    XCTAssertEqual(try places(), 90)
    try publish(["new.txt": "new"])
    try publishCatalog()
    XCTAssertEqual(try places(), 90)
    try publishCatalog("--no-packs")
    XCTAssertEqual(try places(), 0)
    try publishCatalog()
    XCTAssertEqual(try places(), 0)
  }

  func testFromApacheManyFilesComeInFewRequests() throws {
    let texts = try publishMany()
    let server = try serve(by: .apache(nil))
    let outcome = try sync(server.url + "catalog.ndjson")
    assertEnd(outcome, 0)
    XCTAssertEqual(try copied(), texts)
    let asked = requests(try server.takeRequests())
    XCTAssertEqual([asked.packs, asked.others], [5, 1])
  }

  /// Python's server gives no parts: it sends the whole pack to who asks for a part of it.
  func testFromAServerWithoutRangesAllComes() throws {
    var texts = try publishMany()
    let server = try serve(by: .python)
    assertEnd(try sync(server.url + "catalog.ndjson"), 0)
    for number in 0..<140 { texts[path(number)]? += " changed" }
    try publish(texts)
    try publishPacked(each: 1 << 20)
    assertEnd(try sync(server.url + "catalog.ndjson"), 0)
    XCTAssertEqual(try copied(), texts)
  }

  func testWithoutPacksEachFileIsARequest() throws {
    let texts = try publishMany(40)
    let server = try serve()
    assertEnd(try sync(server.url + "catalog.ndjson", ["--no-packs"]), 0)
    XCTAssertEqual(try copied(), texts)
    let asked = requests(try server.takeRequests())
    XCTAssertEqual([asked.packs, asked.others], [0, 41])
  }
}
