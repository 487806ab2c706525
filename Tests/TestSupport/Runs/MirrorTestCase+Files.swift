import Foundation
package import XCTest

extension MirrorTestCase {
  /// Writes texts below `source`, by path, dated long ago or as told.
  package func publish(_ texts: [String: String], dated date: Date = longAgo) throws {
    for (path, text) in texts {
      let file = source.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    }
  }

  /// Publishes the catalog of `source`, as if a minute ago.
  package func publishCatalog(
    _ options: String..., file: StaticString = #filePath, line: UInt = #line
  ) throws {
    assertEnd(try mirror(["publish", source.path] + options), 0, file: file, line: line)
    try age(catalogIn: source)
  }

  /// Makes a catalog look as if it were published a minute ago: a date of this very second proves
  /// nothing to a later request.
  package func age(catalogIn folder: URL, by seconds: Double = 60) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -seconds)],
      ofItemAtPath: folder.appending(path: "catalog.ndjson").path)
  }

  /// Takes a file out of `source`.
  package func withdraw(_ path: String) throws {
    try FileManager.default.removeItem(at: source.appending(path: path))
  }

  /// The bytes of every file below a folder, by path, but for what `mirror` keeps for itself.
  package func files(in folder: URL) throws -> [String: Data] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try paths.reduce(into: [:]) { files, path in
      guard !path.hasPrefix(".mirror"), !path.hasSuffix(".mirror-state") else { return }
      let file = folder.appending(path: path)
      if try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true { return }
      files[path] = try Data(contentsOf: file)
    }
  }

  /// The texts that `copy` holds, by path.
  package func copied() throws -> [String: String] {
    try files(in: copy).mapValues { String(decoding: $0, as: UTF8.self) }
  }

  /// Asserts that `copy` holds what `source` does, but for `exceptions`, byte for byte.
  package func assertCopyIsTrue(
    except exceptions: Set<String> = [], file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let expected = try files(in: source).filter { !exceptions.contains($0.key) }
    let found = try files(in: copy)
    XCTAssertEqual(
      found.keys.sorted(), expected.keys.sorted(), "other files", file: file, line: line)
    for (path, bytes) in expected {
      XCTAssertTrue(found[path] == bytes, "\(path) has other bytes", file: file, line: line)
    }
  }

  /// Asserts how a run ended; shows what it said when it ended otherwise.
  package func assertEnd(
    _ outcome: ProgramOutcome, _ status: Int32, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertEqual(outcome.end, .exited(status), "\(outcome)", file: file, line: line)
  }

  /// Asserts that a run was refused: its status, one line that says what to do, nothing else.
  package func assertRefused(
    _ outcome: ProgramOutcome, _ status: Int32, saying words: String..., inLines count: Int = 1,
    file: StaticString = #filePath,
    line: UInt = #line
  ) {
    assertEnd(outcome, status, file: file, line: line)
    let lines = outcome.said.split(separator: "\n")
    XCTAssertEqual(lines.count, count, outcome.said, file: file, line: line)
    for word in words {
      XCTAssertTrue(
        outcome.said.localizedCaseInsensitiveContains(word), "\(word) isn't in: \(outcome.said)",
        file: file, line: line)
    }
    for trace in ["Fatal error", "Swift/", ".swift:", "Error("] {
      XCTAssertFalse(outcome.said.contains(trace), outcome.said, file: file, line: line)
    }
  }
}
