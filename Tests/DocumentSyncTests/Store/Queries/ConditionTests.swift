import XCTest

@testable import DocumentSync

/// What conditions hold of.
final class ConditionTests: QueryTestCase {
  func testOnlyValuesOfTheSameTypeAreEqual() async throws {
    let store = try await store(of: [
      "int": #"{"a":1}"#, "ten": #"{"a":10}"#, "text": #"{"a":"1"}"#, "real": #"{"a": 1.0}"#,
      "power": #"{"a":10e-1}"#, "true": #"{"a":true}"#, "null": #"{"a":null}"#, "none": "{}",
    ])
    try await assertFinds(where: "a = 1", ["int", "power", "real"], in: store)
    try await assertFinds(where: #"a = "1""#, ["text"], in: store)
    try await assertFinds(where: "a = true", ["true"], in: store)
    try await assertFinds(where: "a = null", ["null"], in: store)
    try await assertFinds(where: "a = one", [], in: store)
  }

  func testWhatIsNotEqualIsThere() async throws {
    let store = try await store(of: [
      "one": #"{"a":1}"#, "text": #"{"a":"1"}"#, "null": #"{"a":null}"#, "none": "{}",
      "other": #"{"b":2}"#,
    ])
    try await assertFinds(where: "a != 1", ["null", "text"], in: store)
    try await assertFinds(where: "a exists", ["null", "one", "text"], in: store)
    try await assertFinds(where: "a is-null", ["null"], in: store)
    try await assertFinds(where: "a != null", ["one", "text"], in: store)
  }

  func testOnlyValuesOfTheSameTypeAreLessOrGreater() async throws {
    let store = try await store(of: [
      "minus": #"{"a":-2}"#, "two": #"{"a":2}"#, "ten": #"{"a":10}"#, "no": #"{"a":false}"#,
      "yes": #"{"a":true}"#, "text": #"{"a":"1"}"#, "null": #"{"a":null}"#, "list": #"{"a":[1]}"#,
      "object": #"{"a":{"a":1}}"#,
    ])
    try await assertFinds(where: "a < 10", ["minus", "two"], in: store)
    try await assertFinds(where: "a <= 10", ["minus", "ten", "two"], in: store)
    try await assertFinds(where: "a > -2", ["ten", "two"], in: store)
    try await assertFinds(where: "a >= -2", ["minus", "ten", "two"], in: store)
    try await assertFinds(where: "a < true", ["no"], in: store)
    try await assertFinds(where: "a >= false", ["no", "yes"], in: store)
    try await assertFinds(where: #"a >= """#, ["text"], in: store)
    try await assertFinds(where: #"a < "2""#, ["text"], in: store)
    for none in ["a <= null", "a >= null", "a <= [1]", #"a >= {"a":1}"#] {
      try await assertFinds(where: none, [], in: store)
    }
  }

  func testNumbersCompareByAllTheirDigits() async throws {
    let store = try await store(of: [
      "a": #"{"n":9007199254740993}"#, "b": #"{"n":9007199254740992}"#,
      "c": #"{"n":9007199254740993.0}"#, "d": #"{"n":18446744073709551615}"#,
      "e": #"{"n":18446744073709551614}"#, "f": #"{"n":-9223372036854775808}"#,
      "g": #"{"n":0.1}"#, "h": #"{"n":0.10000000000000001}"#, "i": #"{"n":-0.0}"#,
    ])
    try await assertFinds(where: "n = 9007199254740993", ["a", "c"], in: store)
    try await assertFinds(where: "n < 9007199254740993", ["b", "f", "g", "h", "i"], in: store)
    try await assertFinds(where: "n > 18446744073709551614", ["d"], in: store)
    try await assertFinds(where: "n = 1e-1", ["g"], in: store)
    try await assertFinds(where: "n > 0.1", ["a", "b", "c", "d", "e", "h"], in: store)
    try await assertFinds(where: "n = 0", ["i"], in: store)
    try await assertFinds(where: "n <= -9223372036854775808", ["f"], in: store)
  }

  func testArraysAndObjectsAreEqualWhereTheyMeanTheSame() async throws {
    let store = try await store(of: [
      "one": #"{"a":{"x":1,"y":[1,2.0]}}"#, "two": #"{"a": {"y":[1e0, 2], "x":1.0} }"#,
      "three": #"{"a":{"y":[2,1],"x":1}}"#,
    ])
    try await assertFinds(where: #"a = {"x":1,"y":[1,2]}"#, ["one", "two"], in: store)
    try await assertFinds(where: #"a.y = [2, 1]"#, ["three"], in: store)
    try await assertFinds(where: #"a.y in [[1,2],3]"#, ["one", "two"], in: store)
  }

  func testPathsLeadToExactlyTheirMembers() async throws {
    let store = try await store(of: [
      "a": #"{"a":{"b":1},"b":2,"a.b":3}"#, "b": #"{"a":[{"b":1},{"b":[0,4]}]}"#,
      "c": #"{"x":"\"b\":1","a\"b":5,"":6}"#, "d": #"{"caf\u00e9":7,"A":1}"#,
      "e": #"{"café":8,"a":"b"}"#, "f": #"{ "a" : { "c" : { "b" : 1 } } , "ab" : 1 }"#,
    ])
    try await assertFinds(where: "a.b = 1", ["a"], in: store)
    try await assertFinds(where: "b exists", ["a"], in: store)
    try await assertFinds(where: #""a.b" = 3"#, ["a"], in: store)
    try await assertFinds(where: "a[0].b = 1", ["b"], in: store)
    try await assertFinds(where: "a[1].b[1] = 4", ["b"], in: store)
    try await assertFinds(where: "a[2] exists", [], in: store)
    try await assertFinds(where: #""a\"b" = 5"#, ["c"], in: store)
    try await assertFinds(where: #""" = 6"#, ["c"], in: store)
    try await assertFinds(where: "café exists", ["d", "e"], in: store)
    try await assertFinds(where: "a.c.b = 1", ["f"], in: store)
    try await assertFinds(where: "a exists", ["a", "b", "e", "f"], in: store)
  }

  func testStringsCompareByWhatTheySayToTheByte() async throws {
    let store = try await store(of: [
      "a": #"{"s":"caf\u00e9"}"#, "b": #"{"s":"café"}"#, "c": #"{"s":"cafe\u0301"}"#,
      "d": #"{"s":"a\u0000b"}"#, "e": #"{"s":"a"}"#, "f": #"{"s":"\ud83d\ude00"}"#,
      "g": #"{"s":"A"}"#,
    ])
    try await assertFinds(where: "s = café", ["a", "b"], in: store)
    try await assertFinds(where: "s = a", ["e"], in: store)
    try await assertFinds(where: #"s = "a\u0000b""#, ["d"], in: store)
    try await assertFinds(where: "s > 😀", [], in: store)
    try await assertFinds(where: "s >= 😀", ["f"], in: store)
    try await assertFinds(where: "s < a", ["g"], in: store)
  }

  func testAmongManyValuesOneIsFound() async throws {
    let store = try await store(of: ["a": #"{"n":7}"#, "b": #"{"n":"7"}"#, "c": #"{"n":3000}"#])
    try await assertFinds(where: #"n in [7.0, "x", null]"#, ["a"], in: store)
    try await assertFinds(where: "n in []", [], in: store)
    let many = (0..<3_000).map { DocumentValue($0) }
    try await assertFinds(DocumentQuery(in: "notes", where: .among(["n"], many)), ["a"], in: store)
  }

  func testAllOrOneOfSeveralConditionsMustHold() async throws {
    let store = try await store(of: [
      "a": #"{"x":1,"y":1}"#, "b": #"{"x":1}"#, "c": #"{"y":1}"#, "d": "{}",
    ])
    let (x, y) = (DocumentCondition.equal(["x"], 1), DocumentCondition.equal(["y"], 1))
    for (condition, expected) in [
      (.and([x, y]), ["a"]), (.or([x, y]), ["a", "b", "c"]), (.and([]), ["a", "b", "c", "d"]),
      (.or([]), []), (.and([x, .or([y, .exists(["z"])])]), ["a"]),
      (.or(Array(repeating: x, count: 1_200)), ["a", "b"]),
      (.and(Array(repeating: y, count: 1_200)), ["a", "c"]),
    ] as [(DocumentCondition, [String])] {
      try await assertFinds(DocumentQuery(in: "notes", where: condition), expected, in: store)
    }
  }

  func testTheWholeDocumentIsAValueToo() async throws {
    let store = try await store(of: ["a": #"{"x":1}"#, "b": #"{"x":1.0}"#, "c": #"{"x":2}"#])
    try await assertFinds(DocumentQuery(where: .equal([], ["x": 1])), ["a", "b"], in: store)
    try await assertFinds(DocumentQuery(where: .exists([0])), [], in: store)
  }

  func testTheTimesOfMembersAreNotThere() async throws {
    let store = try await openStore(.memory)
    var stamped = edit(milk, ["n": 1])
    stamped.stamps = true
    try await store.save(stamped)
    try await assertFinds(DocumentQuery(where: .exists(["_times"])), [], in: store)
    try await assertFinds(DocumentQuery(where: .exists(["_times", "n"])), [], in: store)
    try await assertFinds(DocumentQuery(where: .equal([], ["n": 1])), ["milk"], in: store)
    let found = try await store.read { try $0.documents(matching: DocumentQuery()) }
    XCTAssertEqual(found.map(\.content), [["n": 1]])
  }
}
