import Foundation
import XCTest

/// How sources are written, as far as no other tool looks.
final class WritingTests: XCTestCase {
  /// Not yet held to it: several work there side by side.
  private static let inTheMaking = "RecordSync/"

  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  /// Comments and texts as well, which the linter passes over. Told in characters, as people see it.
  func testNoLineIsWiderThanAHundredColumns() throws {
    for folder in ["Sources", "Demo"] {
      for (path, text) in try Self.sources(below: folder) {
        for (number, line) in Self.lines(of: text) where line.count > 100 {
          let columns = String(decoding: line, as: UTF8.self).count
          XCTAssertLessThanOrEqual(columns, 100, "\(folder)/\(path):\(number)")
        }
      }
    }
  }

  /// Each stands behind a colon some day: behind the program's name, a key, an option.
  func testNoErrorOfALibraryBeginsWithACapital() throws {
    // Advice there stands behind a full stop, and a title in an alert.
    let others = [
      "SyncTransport/Errors/TransportError+Sentence.swift",
      "SyncDatabase/Errors/DatabaseError.swift", "SyncFolder/Keys/KeyProblem+Localized.swift",
    ]
    for (path, text) in try Self.sources(below: "Sources") where !others.contains(path) {
      // The engine's are for the alerts of apps.
      let engine = ["SyncEngine/", "OneWaySynchronizer/", "SynchronizerTesting/"]
      if engine.contains(where: path.hasPrefix) { continue }
      if path.hasPrefix(Self.inTheMaking) { continue }
      var isLong = false
      for (number, line) in Self.lines(of: text) {
        let code = line.drop { $0 == UInt8(ascii: " ") }
        if code.starts(with: "//".utf8) { continue }
        if isLong ? Self.beginsSentence(code) : Self.opensSentence(code) {
          XCTFail("Sources/\(path):\(number): \(String(decoding: code, as: UTF8.self))")
        }
        isLong = !isLong && code.hasSuffix("\"\"\"".utf8)
      }
    }
  }

  // MARK: - Reading

  private static func sources(below folder: String) throws -> [(path: String, text: [UInt8])] {
    let top = root.appending(path: folder)
    return try FileManager.default.subpathsOfDirectory(atPath: top.path)
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".h") }
      .map { ($0, Array(try Data(contentsOf: top.appending(path: $0)))) }
  }

  private static func lines(of text: [UInt8]) -> [(number: Int, line: ArraySlice<UInt8>)] {
    text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
      .map { ($0 + 1, $1) }
  }

  /// Whether a string in the line begins as a sentence does.
  private static func opensSentence(_ line: ArraySlice<UInt8>) -> Bool {
    line.indices.contains { place in
      line[place] == UInt8(ascii: "\"")
        && (place == line.startIndex || line[place - 1] != UInt8(ascii: "\\"))
        && beginsSentence(line[(place + 1)...])
    }
  }

  /// What protocols, libcurl, nginx and our own files say, and no error does.
  private static let wordsOfOthers = [
    "Bearer \\", "Empty reply", "Unsupported proxy", "Index of ", "What mirror has",
  ]

  /// A capital, small letters, a blank or an apostrophe, and a small letter.
  private static func beginsSentence(_ text: ArraySlice<UInt8>) -> Bool {
    func isSmall(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    guard let first = text.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first),
      !wordsOfOthers.contains(where: { text.starts(with: $0.utf8) })
    else { return false }
    let rest = text.dropFirst().drop(while: isSmall)
    guard let gap = rest.first else { return false }
    let next = rest.dropFirst().first
    return gap == UInt8(ascii: " ") && next.map { isSmall($0) || $0 == UInt8(ascii: "\\") } ?? false
      || gap == UInt8(ascii: "'")
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ suffix: some Collection<UInt8>) -> Bool {
    count >= suffix.count && self.suffix(suffix.count).elementsEqual(suffix)
  }
}
