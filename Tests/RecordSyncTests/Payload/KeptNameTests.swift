import SyncText
import TestSupport
import XCTest
@testable import RecordSync

/// Objects that stand under names which are their keys.
final class KeptNameTests: XCTestCase {
  private func reading(_ text: String, at path: String) throws -> PayloadReading {
    PayloadReading(text, form: .items(try XCTUnwrap(PayloadPath(path))))
  }

  func testEachValueIsAnElementThatHasItsName() throws {
    let cases: [(String, String, [String])] = [
      (
        #"{"n":1,"e":{"Q1":{"a":1},"Q2":{ },"Q\u00e9\"":{"b":[{"key":2}]}},"x":{}}"#, "e{}",
        [
          #"{"key":"Q1","a":1}"#, #"{"key":"Q2" }"#, #"{"key":"Qé\"","b":[{"key":2}]}"#,
        ]
      ),
      (#"{"u":{"n":1},"v":{"n":2}}"#, "{}", [#"{"key":"u","n":1}"#, #"{"key":"v","n":2}"#]),
      (#"{"d":{}}"#, "d{}", []), (#"{}"#, "{}", []),
      // What says the same itself stays as it is.
      (
        #"{"e":{"7":{"id":7},"Q":{"id":"Q"},"8":{"n":1}}}"#, "e{id}",
        [#"{"id":7}"#, #"{"id":"Q"}"#, #"{"id":"8","n":1}"#]
      ),
      (
        #"{"c":{"de":{"cities":{"B":{"n":1},"H":{"n":2}}},"fr":{"cities":{"P":{"n":3}}}}}"#,
        "c{country}.cities{city}",
        [
          #"{"country":"de","city":"B","n":1}"#, #"{"country":"de","city":"H","n":2}"#,
          #"{"country":"fr","city":"P","n":3}"#,
        ]
      ),
      (
        #"{"releases":{"1.0":[{"f":"a"},{"f":"b"}],"2.0":[]}}"#, "releases{version}[]",
        [#"{"version":"1.0","f":"a"}"#, #"{"version":"1.0","f":"b"}"#]
      ),
      (
        #"{"a":{"x":{"b":[{"n":1}]},"y":{"b":{"n":2}}}}"#, "a{}.b",
        [#"{"key":"x","n":1}"#, #"{"key":"y","n":2}"#]
      ),
      (
        #"{"a":[{"x":{"n":1}},{"y":{"n":2}}]}"#, "a[]{}",
        [#"{"key":"x","n":1}"#, #"{"key":"y","n":2}"#]
      ),
    ]
    for (body, path, elements) in cases {
      for piece in [1, 3, 1_000] {
        let form = PayloadForm.items(try XCTUnwrap(PayloadPath(path)))
        let found = PayloadReading(pieces: Array(body.utf8), form: form) { piece }
        XCTAssertNil(found.problem, body)
        XCTAssertEqual(found.elements, elements, body)
      }
    }
  }

  func testWhatWouldLoseAValueIsAnError() throws {
    XCTAssertEqual(
      try reading(#"{"e":{"a":{"key":"b"}}}"#, at: "e{}").problem,
      .items(path: "e{}", .nameTaken(member: "key", name: "a")))
    XCTAssertEqual(
      try reading(#"{"e":{"a":{"key":null}}}"#, at: "e{}").problem,
      .items(path: "e{}", .nameTaken(member: "key", name: "a")))
    // Two rows would have the one name for a key.
    XCTAssertEqual(
      try reading(#"{"e":{"a":[{"n":1},{"n":2}]}}"#, at: "e{}").problem,
      .items(path: "e{}", .arrayUnderName))
    XCTAssertEqual(
      try reading(#"{"e":{"a":1.5}}"#, at: "e{}").problem, .items(path: "e{}", .scalar(.number)))
    XCTAssertEqual(
      try reading(#"{"e":[{"a":1}]}"#, at: "e{}").problem, .items(path: "e{}", .noObject("e")))
    XCTAssertEqual(
      try reading(#"{"e":{"a":{"c":[]}}}"#, at: "e{}.b").problem,
      .items(path: "e{}.b", .absent("e{}.b")))
  }

  func testWhatLeadsToNothingMakesAPart() throws {
    for body in [#"{"e":{"a":null,"b":{"n":1}}}"#, #"{"e":{"b":{"n":1},"a":null},"x":null}"#] {
      var reader = PayloadReader(
        Array(body.utf8), form: .items(try XCTUnwrap(PayloadPath("e{}"))))
      var window = PayloadWindow()
      while try reader.next(&window) {}
      XCTAssertEqual(reader.count, 1, body)
      XCTAssertEqual(reader.notes.lacking, 1, body)
      XCTAssertFalse(reader.isAlone, body)
    }
  }

  /// Of names without end, none is held but the last.
  func testMemoryDoesNotGrowWithTheNames() throws {
    var bounds = PayloadBounds()
    bounds.window = 1 << 10
    let names = 20_000
    let members = (0..<names).map { "\"n\($0)\":{\"v\":\($0)}" }
    let body = "{\(members.joined(separator: ","))}"
    let form = PayloadForm.items(try XCTUnwrap(PayloadPath("{}")))
    var reader = PayloadReader(
      from: PieceSource(bytes: Array(body.utf8)) { 700 }, form: form, bounds: bounds)
    var window = PayloadWindow()
    var most = 0
    while try reader.next(&window) {
      most = max(most, window.tape.bytes.count + window.tape.count)
      let last = window.excerpt(of: window.elements.count - 1)
      let place = body.utf8.dropFirst(last.offset).prefix(1)
      XCTAssertEqual(String(place), "{", "it stands where the payload has it")
    }
    XCTAssertEqual(reader.count, names)
    XCTAssertLessThan(most, 8 << 10)
  }

  // MARK: - Tables

  private let entities = """
    {"success": 1, "entities": {
      "Q42": {"id": "Q42", "type": "item", "labels": {"en": {"value": "Douglas Adams"}}},
      "Q1": {"id": "Q1", "type": "item"}}}
    """

  /// As Wikidata has them, and npm, whose objects have other keys besides.
  func testTheNameIsTheKeyOfATableThatIsMade() async throws {
    let database = try TestDatabase()
    try await database.sync(entities, "entities", items: "entities{}") { $0.creates = true }
    XCTAssertEqual(
      try database.columns("entities"),
      ["key TEXT", "id TEXT", "type TEXT", "labels_en_value TEXT"])
    XCTAssertEqual(
      try database.rows("SELECT * FROM entities ORDER BY 1"),
      ["Q1|Q1|item|NULL", "Q42|Q42|item|Douglas Adams"])
    for creates in [true, false] {
      let again = try await database.sync(entities, "entities", items: "entities{}") {
        $0.creates = creates
      }
      XCTAssertEqual(again.status, .unchanged)
    }
    let versions = """
      {"_id": "odd", "versions": {"0.1.0": {"_id": "odd@1", "name": "odd"},
        "3.0.1": {"_id": "odd@1", "name": "odd", "dist": {"size": 4}}}}
      """
    try await database.sync(versions, "versions", items: "versions{version}") { $0.creates = true }
    XCTAssertEqual(
      try database.rows("SELECT * FROM versions ORDER BY 1"),
      ["0.1.0|odd@1|odd|NULL", "3.0.1|odd@1|odd|4"], "no key of their own merges them")
    try await database.sync(
      #"{"versions": {"0.1.0": {"_id": "odd@1", "name": "odd"}}}"#, "versions",
      items: "versions{version}")
    XCTAssertEqual(try database.rows("SELECT version FROM versions"), ["0.1.0"])
  }

  func testSeveralNamesAreOneKeyAndOneBeforeAnArrayIsNone() async throws {
    let database = try TestDatabase()
    let cities = """
      {"c": {"de": {"cities": {"B": {"n": 1}}}, "fr": {"cities": {"B": {"n": 3}}}}}
      """
    let path = "c{country}.cities{city}"
    try await database.sync(cities, "cities", items: path) { $0.creates = true }
    XCTAssertEqual(try database.rows("SELECT * FROM cities ORDER BY 1"), ["de|B|1", "fr|B|3"])
    let again = try await database.sync(cities, "cities", items: path)
    XCTAssertEqual(again.status, .unchanged)
    let files = """
      {"releases": {"1.0": [{"file": "a", "n": 1}, {"file": "b", "n": 2}], "2.0": []}}
      """
    await assertThrows(
      PayloadProblem.self,
      try await database.sync(files, "files", items: "releases{version}[]") { $0.creates = true }
    ) {
      if case .withoutKeys = $0 { true } else { false }
    }
    try await database.sync(
      files, "files", items: "releases{version}[]", overrides: .of("files") { $0.key = ["file"] }
    ) { $0.creates = true }
    XCTAssertEqual(
      try database.rows("SELECT file, version FROM files ORDER BY 1"), ["a|1.0", "b|1.0"])
  }

  func testATableThatIsThereKeepsItsKey() async throws {
    let database = try TestDatabase("CREATE TABLE users (id INTEGER PRIMARY KEY, key TEXT, n)")
    let users = #"{"ann": {"id": 7, "n": 1}, "ben": {"id": 8, "n": 2}}"#
    for creates in [false, true] {
      try await database.sync(users, "users", items: "{}") { $0.creates = creates }
      XCTAssertEqual(try database.table("users"), ["7|ann|1", "8|ben|2"])
    }
  }
}
