import TestSupport
import XCTest

@testable import RecordSync

/// Random lists without keys, beside a model in which each parent simply has its last list.
final class OwnedRowsRandomTests: XCTestCase {
  private typealias Line = [String: Int]

  private func lines(using random: inout SeededGenerator) -> [Line] {
    (0..<Int.random(in: 0..<5, using: &random)).map { _ in
      var line: Line = [:]
      for name in ["a", "b", "c"] where isLucky(60, &random) {
        line[name] = Int.random(in: 0..<3, using: &random)
      }
      return line
    }
  }

  private func json(_ line: Line) -> String {
    "{" + line.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
      + "}"
  }

  private func rows(_ lists: [Int: [Line]]) -> [String] {
    lists.sorted { $0.key < $1.key }.flatMap { parent, lines in
      lines.enumerated().map { place, line in
        let values = ["a", "b", "c"].map { line[$0].map(String.init) ?? "NULL" }
        return ([String(parent), String(place)] + values).joined(separator: "|")
      }
    }
  }

  func testEachParentHasItsLastListWhereverWindowsEnd() async throws {
    for seed in seeds(usually: 25, atLeast: 5) {
      var random = SeededGenerator(seed: seed)
      let size = [1, 60, 1 << 20].randomElement(using: &random) ?? 1
      let database = try TestDatabase(
        """
        lists: name TEXT;
        lines (list_id INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE, place INTEGER,
          a INTEGER, b INTEGER, c INTEGER, PRIMARY KEY (list_id, place))
        """)
      let overrides = SchemaOverrides.of("lists") { $0.relation("lines") { $0.position = "place" } }
      var lists: [Int: [Line]] = [:]
      for step in 0..<5 {
        var elements: [String] = []
        var named: Set<Int> = []
        for _ in 0..<Int.random(in: 1..<7, using: &random) {
          let parent = Int.random(in: 1..<5, using: &random)
          named.insert(parent)
          var list = ""
          if isLucky(80, &random) {
            lists[parent] = lines(using: &random)
            list = ",\"lines\":[\((lists[parent] ?? []).map(json).joined(separator: ","))]"
          } else if isLucky(30, &random) {
            lists[parent] = []
            list = ",\"lines\":null"
          }
          elements.append("{\"id\":\(parent)\(list)}")
        }
        lists = lists.filter { named.contains($0.key) }
        var payload = RecordPayload.text("[\(elements.joined(separator: ","))]")
        payload.bounds.window = size
        let story = "seed \(seed), step \(step), window \(size): \(elements)"
        let report = try await database.sync(payload, "lists", overrides: overrides)
        XCTAssertFalse(report.isPartial, "\(story): \(report)")
        let present = try database.rows(
          "SELECT list_id, place, a, b, c FROM lines ORDER BY 1, 2")
        XCTAssertEqual(present, rows(lists), story)
        let again = try await database.sync(payload, "lists", overrides: overrides)
        XCTAssertEqual(again.status, .unchanged, "\(story): \(again)")
        if testRun?.failureCount ?? 0 > 0 { return }
      }
    }
  }
}
