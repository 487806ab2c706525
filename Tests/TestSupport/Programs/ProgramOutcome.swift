import Foundation
import XCTest

/// What a program came to.
package struct ProgramOutcome: CustomStringConvertible {
  package var end: ChildProcess.End
  package var printed: String
  package var said: String

  /// -1 where it didn't end by itself.
  package var status: Int32 { if case .exited(let status) = end { status } else { -1 } }

  /// The lines that it printed.
  package var lines: [String] { printed.split(separator: "\n").map(String.init) }

  /// The lines of JSON among them.
  package var objects: [[String: Any]] { lines.compactMap(Self.object) }

  /// The last line as an object of JSON; empty where it is none.
  package var object: [String: Any] { lines.last.flatMap(Self.object) ?? [:] }

  package var description: String { "\(end)\n--- printed\n\(printed)\n--- said\n\(said)" }

  private static func object(_ line: String) -> [String: Any]? {
    try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
  }

  /// A line for each item that failed, from what a run of `mirror` with `--json` printed: people are
  /// told of the first ones only.
  package var failureLines: [String] {
    objects.compactMap { object in
      guard object["event"] as? String == "failed", let key = object["key"] as? String,
        let error = object["error"] as? String
      else { return nil }
      return "mirror: \(key): \(error)"
    }
  }

  /// Asserts that it ended by itself: with this status where one is given, and saying these words on
  /// the way.
  package func check(
    ends status: Int32?, says words: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertEqual(end, .exited(status ?? self.status), said, file: file, line: line)
    XCTAssertTrue(words.isEmpty || said.contains(words), said, file: file, line: line)
  }
}

extension ChildProcess {
  /// What it comes to.
  package func outcome(within limit: Duration = .seconds(60)) throws -> ProgramOutcome {
    let end = try end(within: limit)
    return ProgramOutcome(end: end, printed: printed, said: said)
  }
}
