import Foundation
import TestSupport
import XCTest

/// A test with stores of one account at a real Kinto, which is started once for all tests of a class
/// and empty at the beginning of each.
class ServedTestCase: DocumentsTestCase {
  private(set) var server: KintoServer?

  /// The class's server, and where it writes. Only its tests use it, one after the other.
  nonisolated(unsafe) private static var shared: (server: KintoServer, folder: URL)?

  override class func tearDown() { XCTAssertNoThrow(try endServer()) }

  private static func endServer() throws {
    guard let (server, folder) = shared else { return }
    shared = nil
    try server.stop()
    try FileManager.default.removeItem(at: folder)
  }

  private func startServer() throws {
    if let (server, _) = Self.shared {
      self.server = server
      try ask("POST", "__flush__", as: nil)
      return
    }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "kinto-\(UUID().uuidString)")
    let server = try KintoServer(in: folder)
    Self.shared = (server, folder)
    self.server = server
  }

  /// Stops the server for good; the next test has another.
  func stopServer() throws {
    server = nil
    try Self.endServer()
  }

  /// Two stores that go with one server, which is empty.
  func makeStores() throws {
    try startServer()
    try ask("PUT", "accounts/ann", #"{"data": {"password": "secret"}}"#, as: nil)
    try writePrivately("secret\n", to: "password")
    for name in ["a.db", "b.db"] { try makeStore(name, types: ["note", "task=todo"]) }
  }

  /// A store of these types that goes with the server.
  func makeStore(_ name: String, types: [String]) throws {
    var words = ["init", name, "--kinto", try XCTUnwrap(server).address, "--bucket", "home"]
    words += ["--account", "ann", "--password-file", "password"]
    for type in types { words += ["--type", type] }
    let child = try start(words)
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
  }

  /// Asks the server for something past the program, as somebody else does.
  func ask(
    _ method: String, _ path: String, _ body: String = "{}", as user: String? = "ann:secret"
  ) throws {
    var words = ["-sf", "-X", method, "-H", "Content-Type: application/json", "-d", body]
    if let user { words += ["-u", user] }
    let curl = try ChildProcess(
      Programs.find("curl"), words + ["\(try XCTUnwrap(server).address)/v1/\(path)"],
      environment: [:], directory: folder, records: folder)
    XCTAssertEqual(try curl.end(within: .seconds(30)), .exited(0), "\(path): \(curl.said)")
  }

  /// Syncs stores, one after the other, which must go well.
  func sync(_ stores: String...) throws {
    for store in stores { try documents("sync", store, ends: 0) }
  }

  /// Two stores, and one document in both.
  func makeShared() throws {
    try makeStores()
    try share()
  }

  /// One document in both stores.
  func share() throws {
    try documents("put", "a.db", "note", "milk", #"{"text": "Milk", "n": 1}"#)
    try sync("a.db", "b.db")
  }
}
