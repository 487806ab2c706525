@testable import DocumentSync
import XCTest

final class LatestMergeTests: XCTestCase {
  private struct Row {
    var story: String
    var base: TimedDocument?
    var here: TimedDocument
    var there: TimedDocument
    var merged: DocumentValue
    var times: DocumentValue
    var overruled: [LatestMerge.Overruled] = []
  }

  private static func timed(_ value: DocumentValue, _ time: Int64?) -> TimedDocument {
    TimedDocument(value: value, time: time)
  }

  private static let rows: [Row] = [
    Row(
      story: "the later change of each member stays",
      here: timed(["a": 1, "b": 1, "_times": ["a": 9, "b": 3]], nil),
      there: timed(["a": 2, "b": 2, "_times": ["a": 5, "b": 4]], 5), merged: ["a": 1, "b": 2],
      times: ["a": 9, "b": 4],
      overruled: [
        .init(name: "a", side: .there, value: 2), .init(name: "b", side: .here, value: 1),
      ]
    ),
    Row(
      story: "a member without a time has the version's",
      here: timed(["a": 1, "_times": ["a": 9]], 3), there: timed(["a": 2], 10), merged: ["a": 2],
      times: ["a": 10], overruled: [.init(name: "a", side: .here, value: 1)]),
    Row(
      story: "a version of which no time is known is older than all",
      here: timed(["a": 1, "_times": ["a": 1]], 3), there: timed(["a": 2], nil), merged: ["a": 1],
      times: ["a": 1], overruled: [.init(name: "a", side: .there, value: 2)]),
    Row(
      story: "a later removal wins and keeps its time",
      here: timed(["_times": ["a": 9]], nil), there: timed(["a": 2, "_times": ["a": 5]], 5),
      merged: [:], times: ["a": 9], overruled: [.init(name: "a", side: .there, value: 2)]),
    Row(
      story: "an earlier removal loses",
      here: timed(["_times": ["a": 4]], nil), there: timed(["a": 2, "_times": ["a": 5]], 5),
      merged: ["a": 2], times: ["a": 5], overruled: [.init(name: "a", side: .here, value: nil)]),
    Row(
      story: "at the same time the greater bytes stay",
      here: timed(["a": "x", "b": 1, "_times": ["a": 5, "b": 5]], nil),
      there: timed(["a": "y", "b": 0, "_times": ["a": 5, "b": 5]], nil),
      merged: ["a": "y", "b": 1], times: ["a": 5, "b": 5],
      overruled: [
        .init(name: "a", side: .here, value: "x"), .init(name: "b", side: .there, value: 0),
      ]
    ),
    Row(
      story: "at the same time a removal gives way",
      here: timed(["_times": ["a": 5]], nil), there: timed(["a": 2, "_times": ["a": 5]], nil),
      merged: ["a": 2], times: ["a": 5], overruled: [.init(name: "a", side: .here, value: nil)]),
    Row(
      story: "who doesn't know of a member hasn't removed it",
      here: timed(["a": 1, "new": 1, "_times": ["a": 3, "new": 5]], nil),
      there: timed(["a": 2], 10), merged: ["a": 2, "new": 1], times: ["a": 10, "new": 5],
      overruled: [.init(name: "a", side: .here, value: 1)]),
    Row(
      story: "who knows of no times removed what the base had",
      base: timed(["a": 1, "b": 1], 3), here: timed(["a": 1, "b": 7, "_times": ["b": 5]], nil),
      there: timed(["b": 1], 10), merged: ["b": 7], times: ["b": 5, "a": 10],
      overruled: [
        .init(name: "b", side: .there, value: 1), .init(name: "a", side: .here, value: 1),
      ]
    ),
    Row(
      story: "who knows of no times hasn't changed what is as it was",
      base: timed(["a": 1, "b": 1, "_times": ["a": 2]], 3),
      here: timed(["a": 5, "b": 1, "_times": ["a": 8]], 3), there: timed(["a": 1, "b": 9], 10),
      merged: ["a": 5, "b": 9], times: ["a": 8, "b": 10],
      overruled: [
        .init(name: "a", side: .there, value: 1), .init(name: "b", side: .here, value: 1),
      ]
    ),
    Row(
      story: "a time that came with the base's value is no time of another one",
      base: timed(["a": 1, "_times": ["a": 2]], 3), here: timed(["a": 5, "_times": ["a": 8]], 3),
      there: timed(["a": 9, "_times": ["a": 2]], 10), merged: ["a": 9], times: ["a": 10],
      overruled: [.init(name: "a", side: .here, value: 5)]),
  ]

  func testEveryRowMergesAsItSays() {
    for row in Self.rows {
      let merge = LatestMerge(base: row.base, here: row.here, there: row.there)
      XCTAssertEqual(merge.value.withoutTimes, row.merged, row.story)
      XCTAssertEqual(merge.value["_times"], row.times, row.story)
      XCTAssertEqual(merge.overruled, row.overruled, row.story)
      for name in row.times.members?.map(\.name) ?? [] {
        let winner = LatestMerge.winner(of: name, base: row.base, here: row.here, there: row.there)
        let value = winner == .here ? row.here.value[name] : row.there.value[name]
        XCTAssertEqual(value, row.merged[name], row.story)
      }
    }
  }

  func testMembersStandInTheServersOrder() throws {
    let there = try DocumentValue(parsing: #"{"c":1.0,"_times":{},"\u0061":1}"#)
    let merge = LatestMerge(
      here: Self.timed(["a": 2, "b": 2, "c": 0], 1), there: Self.timed(there, 2))
    XCTAssertEqual(merge.value.text, #"{"c":1.0,"a":1,"b":2,"_times":{"a":2,"b":1,"c":2}}"#)
  }
}
