import Foundation
@testable import RecordSync
import TestSupport
import XCTest

/// A database that ships with an app is copied once, whole or not at all.
final class ShippedCopyTests: XCTestCase {
  private func shipped() throws -> TestDatabase {
    try TestDatabase("users: name; users = (1, 'Ann')")
  }

  func testItIsCopiedOnceAndThenOurs() async throws {
    let (shipped, folder) = (try shipped(), try TestFolder())
    let before = try Data(contentsOf: URL(filePath: shipped.path))
    let location = StoreLocation.file(
      folder.path + "/app.sqlite", ifMissing: .copy(of: shipped.path))
    for status in [RecordReport.Status.written, .unchanged] {
      let store = try await RecordStore(location)
      try await assertEqual(store.row(1, of: "users")?["name"], "Ann")
      let report = try await store.put(.text(#"{"id": 2, "name": "Ben"}"#), into: "users")
      XCTAssertEqual(report.status, status)
    }
    XCTAssertEqual(try folder.names(), ["app.sqlite"])
    XCTAssertEqual(try Data(contentsOf: URL(filePath: shipped.path)), before)
  }

  func testManyAtOnceMakeOne() async throws {
    let (shipped, folder) = (try shipped(), try TestFolder())
    let location = StoreLocation.file(
      folder.path + "/app.sqlite", ifMissing: .copy(of: shipped.path))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in Int64(2)...9 {
        group.addTask {
          let store = try await RecordStore(location)
          try await store.put(.value(["id": .integer(number)]), into: "users")
        }
      }
      try await group.waitForAll()
    }
    let store = try await RecordStore(location)
    let text = try await store.exported("users", options: ExportOptions())
    XCTAssertEqual(String(decoding: text, as: UTF8.self).filter { $0 == "{" }.count, 9)
    XCTAssertEqual(try folder.names(), ["app.sqlite"])
  }

  func testWhatIsNoWholeDatabaseIsNotCopied() async throws {
    let (shipped, folder) = (try shipped(), try TestFolder())
    let text = folder.path + "/text"
    try Data("no database, but a text".utf8).write(to: URL(filePath: text))
    try Data("log".utf8).write(to: URL(filePath: shipped.path + "-wal"))
    let log = folder.path + "/left.sqlite-wal"
    try Data("log".utf8).write(to: URL(filePath: log))
    let whole = try self.shipped()
    let names = try folder.names()
    for (source, name, fault) in [
      (text, "app.sqlite", RecordError.CopyFault.noDatabase),
      (text + "2", "app.sqlite", .failed("No such file or directory")),
      (shipped.path, "app.sqlite", .notClosed(shipped.path + "-wal")),
      (whole.path, "left.sqlite", .strayLog("left.sqlite-wal")),
      (whole.path, "none/app.sqlite", .failed("No such file or directory")),
    ] {
      let location = StoreLocation.file("\(folder.path)/\(name)", ifMissing: .copy(of: source))
      await assertThrows(
        RecordError.opening(.shippedCopy(of: source, fault)), try await RecordStore(location))
      XCTAssertEqual(try folder.names(), names)
    }
  }

  /// Wherever making it ends, there is none, or a whole one; what is left aside is never taken for it.
  func testACopyThatIsCutShortIsNone() async throws {
    let (shipped, folder) = (try shipped(), try TestFolder())
    let size = try Data(contentsOf: URL(filePath: shipped.path)).count
    let options = "size=\(size / 2)"
    let place = folder.path
    try await withMount(at: place, options: options) {
      let location = StoreLocation.file(place + "/app.sqlite", ifMissing: .copy(of: shipped.path))
      await assertThrows(try await RecordStore(location)) {
        XCTAssertEqual(
          $0 as? RecordError,
          .opening(.shippedCopy(of: shipped.path, .failed("No space left on device"))))
      }
      XCTAssertEqual(try folder.names(), [])
      try remount(place, options: "size=\(size * 4)")
      let store = try await RecordStore(location)
      try await assertNotNil(store.row(1, of: "users"))
    }
  }
}
