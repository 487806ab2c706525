import TestSupport
import XCTest

@testable import DocumentSync

/// Documents that would wait for each other for ever.
final class WaitingCircleTests: XCTestCase {
  func testADocumentThatGoesAfterItselfIsACircle() {
    XCTAssertEqual(circle(of: "a", after: ["a"], in: [:]), ["a", "a"])
  }

  func testTheWayRoundIsNamed() {
    let graph = ["b": ["c", "x"], "c": ["d"], "d": ["a"], "x": ["y"]]
    XCTAssertEqual(circle(of: "a", after: ["x", "b"], in: graph), ["a", "b", "c", "d", "a"])
  }

  func testWaysThatMeetAreNoCircle() {
    let graph = ["b": ["d"], "c": ["d"], "d": ["e"]]
    XCTAssertNil(circle(of: "a", after: ["b", "c"], in: graph))
    XCTAssertNil(circle(of: "a", after: [], in: graph))
    XCTAssertNil(circle(of: "a", after: ["never heard of"], in: graph))
  }

  func testACircleThatADocumentOnlyLeadsToIsNotItsOwn() {
    XCTAssertNil(circle(of: "a", after: ["b"], in: ["b": ["c"], "c": ["b"]]))
  }

  func testALongWayIsWalkedWithoutADeepStack() {
    var graph: [String: [String]] = [:]
    for number in 0..<100_000 { graph["\(number)"] = ["\(number + 1)"] }
    XCTAssertNil(circle(of: "a", after: ["0"], in: graph))
    XCTAssertEqual(circle(of: "100000", after: ["0"], in: graph)?.count, 100_002)
  }

  func testACircleIsFoundExactlyWhenThereIsOne() {
    for seed in 1...2_000 {
      var random = SeededGenerator(seed: UInt64(seed))
      let names = (0..<7).map { "\($0)" }
      var graph: [String: [String]] = [:]
      for name in names {
        graph[name] = names.filter { _ in random.oneIn(6) }
      }
      let others = names.filter { _ in random.oneIn(4) }
      let found = circle(of: "0", after: others, in: graph)
      XCTAssertEqual(found != nil, reached(from: others, in: graph).contains("0"), "seed \(seed)")
      guard let found else { continue }
      XCTAssertEqual(found.first, "0")
      XCTAssertEqual(found.last, "0")
      XCTAssertTrue(others.contains(found[1]), "seed \(seed)")
      for (one, next) in zip(found.dropFirst(), found.dropFirst(2)) {
        XCTAssertTrue(graph[one]?.contains(next) ?? false, "seed \(seed): \(one) → \(next)")
      }
      XCTAssertEqual(Set(found).count, found.count - 1, "no detours")
    }
  }

  private func reached(from names: [String], in graph: [String: [String]]) -> Set<String> {
    var reached = Set(names)
    for _ in graph { reached.formUnion(reached.flatMap { graph[$0] ?? [] }) }
    return reached
  }

  private func circle(
    of id: String, after others: [String], in graph: [String: [String]]
  ) -> [String]? {
    WaitingCircle(of: DocumentID(id), after: Set(others.map(DocumentID.init))) { id in
      Set((graph[id.text] ?? []).map(DocumentID.init))
    }?.way.map(\.text)
  }
}
