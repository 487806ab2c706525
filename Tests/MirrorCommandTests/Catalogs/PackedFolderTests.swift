import Foundation
import TestSupport
import XCTest

/// A folder of many small files that is published with packs, mirrored from real servers.
final class PackedFolderTests: MirrorTestCase {
  private func path(_ number: Int) -> String { "d\(number % 7)/f\(1_000 + number).txt" }

  private func publishMany(_ count: Int = 300, _ word: String = "text") throws -> [String: String] {
    let texts = Dictionary(
      uniqueKeysWithValues: (0..<count).map { number in
        (path(number), "\(word) \(number) " + String(repeating: "y", count: number))
      })
    try publish(texts)
    try publishPacked(each: 10_000)
    return texts
  }

  /// As a publisher that knows its packs from files.
  private func publishPacked(each size: Int) throws {
    try? FileManager.default.removeItem(at: source.appending(path: "catalog.ndjson.packs"))
    try publishCatalog()
    try PackedCatalog.pack(in: source, each: size)
    try age(catalogIn: source)
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
