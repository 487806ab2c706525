import DocumentEndpoints
import DocumentSync
import Foundation
import TestSupport
import XCTest

/// Credentials in a file.
final class FileCredentialsTests: XCTestCase {
  private var folder = ""
  private var path: String { folder + "/credentials" }

  override func setUp() async throws { folder = try temporaryFolder().path }

  private func setRights(_ rights: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: path)
  }

  private func rights(of path: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  private func assertFails(
    _ expected: ServiceError, line: UInt = #line, _ body: () async throws -> Void
  ) async {
    await assertThrows(expected, try await body(), line: line)
  }

  func testWhatIsKeptComesBack() async throws {
    let file = FileCredentials(path: path)
    try await assertNil(file.load())
    let all: [AccountCredentials] = [
      .password(name: "ann", password: "a \"quoted\" one\\ 日本"), .token(name: "bob", token: "t"),
      .token(name: "", token: "t", refresh: "r"),
    ]
    for credentials in all {
      try await file.keep(credentials)
      try await assertEqual(file.load(), credentials)
    }
    try await file.remove()
    try await file.remove()
    try await assertNil(file.load())
  }

  func testOnlyItsOwnerMayReadTheFileAndNothingIsLeftBesideIt() async throws {
    try await FileCredentials(path: path).keep(.token(name: "ann", token: "t"))
    XCTAssertEqual(try rights(of: path), 0o600)
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), ["credentials"])
  }

  func testAFileThatOthersMayReadIsRefused() async throws {
    let file = FileCredentials(path: path)
    try await file.keep(.token(name: "ann", token: "t"))
    for mode: UInt32 in [0o640, 0o604, 0o644, 0o660] {
      try setRights(Int(mode), of: path)
      await assertFails(.readableByOthers(path: path, mode: mode)) { _ = try await file.load() }
    }
    XCTAssertEqual(
      "\(ServiceError.readableByOthers(path: "f", mode: 0o644))",
      "f can be read by others (its rights are 0644): make them 0600, and change the password")
    try await file.keep(.token(name: "ann", token: "new"))
    XCTAssertEqual(try rights(of: path), 0o600, "what is written anew is nobody else's")
  }

  func testADirectoryInWhichOthersMayWriteIsRefused() async throws {
    let file = FileCredentials(path: path)
    try await file.keep(.token(name: "ann", token: "t"))
    try setRights(0o777, of: folder)
    await assertFails(.directoryOfOthers(path: path, mode: 0o777)) { _ = try await file.load() }
    await assertFails(.directoryOfOthers(path: path, mode: 0o777)) {
      try await file.keep(.token(name: "ann", token: "new"))
    }
    try setRights(0o1777, of: folder)
    let loaded = try await file.load()
    XCTAssertEqual(loaded, .token(name: "ann", token: "t"), "nobody may replace it there")
  }

  func testALinkIsRefused() async throws {
    let other = folder + "/other"
    try await FileCredentials(path: other).keep(.token(name: "ann", token: "t"))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
    let file = FileCredentials(path: path)
    await assertFails(.notAFile(path: path)) { _ = try await file.load() }
    try FileManager.default.createDirectory(
      atPath: folder + "/folder", withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    let folder = FileCredentials(path: folder + "/folder")
    await assertFails(.notAFile(path: folder.path)) { _ = try await folder.load() }
  }

  func testWhatHoldsNoCredentialsIsRefused() async throws {
    for text in ["", "{", "[]", "{\"name\":\"ann\"}", "{\"token\":\"t\"}", "ann:milk"] {
      try Data(text.utf8).write(to: URL(filePath: path))
      try setRights(0o600, of: path)
      await assertFails(.unreadable(path: path)) {
        _ = try await FileCredentials(path: self.path).load()
      }
    }
  }

  func testADirectoryThatIsMissingIsAnErrorThatNamesThePath() async throws {
    let file = FileCredentials(path: folder + "/missing/credentials")
    if let error = await thrown(
      (any Error).self, by: try await file.keep(.token(name: "ann", token: "hush")))
    {
      XCTAssertTrue("\(error)".hasPrefix(file.path), "\(error)")
      XCTAssertFalse("\(error)".contains("hush"))
    }
  }
}
