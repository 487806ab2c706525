import Foundation
import TestSupport
import XCTest

/// F1 where the file system takes fewer names than a catalog may have: that item fails by name.
final class F1RefusedNamesTests: FaultTestCase {
  private var disk: CarriedDisk?

  override func tearDownWithError() throws {
    try disk?.close()
    try super.tearDownWithError()
  }

  func testF1_aNameThatTheFileSystemRefusesFailsThatItemAndSaysSo() async throws {
    let long = String(repeating: "n", count: 144)
    try await refuse(["what?", "a:b"], on: .exFAT)
    try await refuse(["what?", "a:b/x", "x/blank ", "NUL"], on: .ntfs)
    try await refuse(["\(long)/x", "x/\(long)", "n\(long)"], on: .eCryptfs)
  }

  private func refuse(_ keys: [String], on kind: CarriedDisk.Kind) async throws {
    try? FileManager.default.removeItem(at: copy)
    try? FileManager.default.removeItem(at: copy.appendingPathExtension("store"))
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
    disk = try CarriedDisk(kind, at: copy, records: base.appending(path: "records"))
    try publish(["bytes": "bytes"])
    try writeCatalog(
      [#"{"catalog":1,"complete":true}"#]
        + (["good"] + keys).map { #"{"key":"\#($0)","url":"bytes","size":5}"# })
    let outcome = try sync(try serve().url + Self.catalogName)
    assertEnd(outcome, 2)
    for key in keys {
      let line = outcome.said.split(separator: "\n").first { $0.hasPrefix("mirror: \(key): ") }
      XCTAssertEqual(
        line?.contains("is a name that the file system here doesn't take"), true,
        "\(kind), \(key): \(outcome)")
    }
    XCTAssertEqual(try copied(), ["good": "bytes"], "\(kind)")
    let problems = try await Self.untruths(in: copy)
    XCTAssertEqual(problems, [])
    try disk?.close()
    disk = nil
    try Extent.record(
      "F1", "names that the file system refuses, on \(kind)", count: keys.count,
      "each failed by name, the others went on")
  }
}
