import Foundation
import TestSupport
import XCTest

/// A test that runs the real program over stores in a folder of its own.
class DocumentsTestCase: XCTestCase {
  private(set) var folder = URL(filePath: "/")
  /// What the program finds in its environment besides the usual.
  var environment: [String: String] = [:]

  override func setUpWithError() throws { folder = try temporaryFolder() }

  /// Starts the program in the folder.
  func start(_ arguments: [String], input: Int32? = nil) throws -> ChildProcess {
    let outputs = folder.appending(path: ".outputs")
    try FileManager.default.createDirectory(at: outputs, withIntermediateDirectories: true)
    var all = ProcessInfo.processInfo.environment
    (all["DOCUMENTS_PASSWORD"], all["NETRC"], all["HOME"]) = (nil, nil, folder.path)
    all.merge(environment) { $1 }
    return try ChildProcess(
      Programs.documents, arguments, environment: all, directory: folder, records: outputs,
      input: input)
  }

  /// Runs the program to its end; asserts its status, and what it says on the way, where these are
  /// given.
  @discardableResult
  func documents(
    _ arguments: String..., input: String? = nil, ends status: Int32? = nil,
    says words: String = "", file: StaticString = #filePath, line: UInt = #line
  ) throws -> ProgramOutcome {
    let name = folder.appending(path: ".in")
    try Data((input ?? "").utf8).write(to: name)
    let standardInput = try FileHandle(forReadingFrom: name)
    let outcome = try start(arguments, input: standardInput.fileDescriptor).outcome()
    outcome.check(ends: status, says: words, file: file, line: line)
    return outcome
  }

  /// Writes a file that nobody else may read.
  func writePrivately(_ text: String, to name: String) throws {
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
  }

  /// A store of notes that goes with a server, which nobody asks.
  func makeStore(_ name: String = "a.db") throws {
    try documents(
      "init", name, "--kinto", "http://127.0.0.1:9/v1", "--bucket", "home", "--type", "note",
      ends: 0)
  }
}
