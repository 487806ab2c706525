import CatalogMirror
import Console
import Foundation
import SyncFetching
import XCTest

@testable import mirror

/// A test that reads configurations from a file of its own.
class ConfigurationTestCase: XCTestCase {
  private(set) var path = ""

  override func setUpWithError() throws {
    path = FileManager.default.temporaryDirectory.path + "/mirror-\(UUID().uuidString).ini"
  }

  override func tearDown() {
    try? FileManager.default.removeItem(atPath: path)
  }

  func read(
    _ text: String, _ arguments: [String] = [], _ environment: [String: String] = [:],
    command: String = "sync"
  ) throws -> MirrorConfiguration {
    try Data(text.utf8).write(to: URL(filePath: path))
    let parsed = try ArgumentParser.parse(
      [command, "--config", path] + arguments, of: Invocation.program)
    guard case .run(let words) = parsed else { throw UsageError("no command") }
    let source = try Invocation(words, in: environment).source
    return try XCTUnwrap(source).read()
  }

  func problem(
    _ text: String, _ arguments: [String] = [], _ environment: [String: String] = [:]
  ) -> String {
    do {
      _ = try read(text, arguments, environment)
      return "none"
    } catch {
      return "\(error)".replacing(path, with: "FILE")
    }
  }

  let one = "[one]\ncatalog = http://h/one/\nfolder = /tmp/one\n"
  let two = "[two]\ncatalog = http://h/two/\nfolder = /tmp/two\n"
}

extension CommandLineWords {
  init(_ command: Command, _ operands: [String]) {
    self.init(command)
    self.operands = operands
  }
}
