import XCTest
@testable import RecordSync

final class PayloadPathTests: XCTestCase {
  private func reading(_ text: String, at path: String) throws -> PayloadReading {
    PayloadReading(text, form: .items(try XCTUnwrap(PayloadPath(path))))
  }

  func testTheArrayMayStandAnywhereInTheBody() throws {
    let bodies = [
      #"{"data":{"users":[1,2]}}"#,
      #"{"meta":{"users":[3],"data":{}},"data":{"next":null,"users":[1,2],"n":2},"x":[[]]}"#,
      #" { "d\u0061ta" : { "users" : [ 1 , 2 ] } } "#,
    ]
    for body in bodies {
      XCTAssertEqual(try reading(body, at: "data.users").elements, ["1", "2"], body)
      XCTAssertNil(try reading(body, at: "data.users").problem, body)
    }
  }

  func testAnObjectAtThePathIsAPayloadOfOneAndAnEmptyArrayAnEmptyPayload() throws {
    XCTAssertEqual(try reading(#"{"user":{"id":1}}"#, at: "user").elements, [#"{"id":1}"#])
    XCTAssertEqual(try reading(#"{"user":[]}"#, at: "user").elements, [])
    XCTAssertNil(try reading(#"{"user":[]}"#, at: "user").problem)
  }

  func testTheRestOfTheBodyIsCheckedToo() throws {
    let broken = [
      #"{"users":[1],"x":tru}"#, #"{"users":[1],"x":[1 2]}"#, #"{"users":[1],"users":[2]}"#,
      #"{"users":[1]} x"#, #"{"users":[1]}{"users":[2]}"#, #"{"x":01,"users":[1]}"#,
      #"{"users":[1],"x":{"a":1,"a":2}}"#, #"{"users":[1],}"#, #"{"users":[1] "x":2}"#,
      #"{"users" [1]}"#, #"{users:[1]}"#, #"{"users":[1]]"#,
    ]
    for body in broken {
      let problem = try reading(body, at: "users").problem
      guard case .notJSON = problem else {
        XCTFail("\(body): \(String(describing: problem))")
        continue
      }
    }
  }

  func testAPathThatLeadsNowhereIsAnError() throws {
    let path = "data.users"
    let faults: [(String, PayloadProblem.ItemsFault)] = [
      (#"{"data":{"user":[]},"users":[]}"#, .absent("data.users")),
      (#"{"users":[]}"#, .absent("data")), (#"{}"#, .absent("data")),
      (#"{"data":[]}"#, .noObject("data")), (#"{"data":null}"#, .noObject("data")),
      (#"[{"data":1}]"#, .bodyIsNoObject), ("null", .bodyIsNoObject),
      (#"{"data":{"users":null}}"#, .scalar(.null)),
      (#"{"data":{"users":"x"}}"#, .scalar(.string)),
      (#"{"data":{"users":0}}"#, .scalar(.number)),
      (#"{"data":{"users":false}}"#, .scalar(.boolean)),
    ]
    for (body, fault) in faults {
      XCTAssertEqual(try reading(body, at: path).problem, .items(path: path, fault), body)
    }
    for text in ["", ".", "a.", ".a", "a..b"] { XCTAssertNil(PayloadPath(text), text) }
  }

  func testWhatIsLongBesideTheArrayIsCheckedPartByPart() throws {
    var bounds = PayloadBounds()
    bounds.window = 16
    bounds.passedOver = 8
    let long = #"{"a":[1,{"b":[true,null,"0123456789abcdef"]}],"c":{"d":-1.5e3}}"#
    let body = Array(#"{"x":\#(long),"users":[1],"y":[\#(long),[[],{}]]}"#.utf8)
    let form = PayloadForm.items(try XCTUnwrap(PayloadPath("users")))
    for reader in [
      PayloadReader(body, form: form, bounds: bounds),
      PayloadReader(from: PieceSource(bytes: body) { 5 }, form: form, bounds: bounds),
    ] {
      XCTAssertEqual(PayloadReading(reader).elements, ["1"])
      XCTAssertNil(PayloadReading(reader).problem)
    }
    for end in body.indices {
      let cut = PayloadReader(
        from: PieceSource(bytes: Array(body[..<end])) { 5 }, form: form, bounds: bounds)
      XCTAssertNotNil(PayloadReading(cut).problem, "\(end)")
    }
    let deep = Array((#"{"x":"# + String(repeating: "[", count: 600)).utf8)
    guard
      case .notJSON(let reason, _) = PayloadReading(
        PayloadReader(deep, form: form, bounds: bounds)
      ).problem
    else { return XCTFail("taken") }
    XCTAssertEqual(reason, "more than 512 levels of nesting")
  }

  func testAPathMayLeadThroughEachElementOfAnArray() throws {
    let cases: [(String, String, [String])] = [
      (
        #"{"e":[{"node":{"id":1},"cursor":"x"},{"node":{"id":2}}]}"#, "e[].node",
        [#"{"id":1}"#, #"{"id":2}"#]
      ),
      (
        #"{"a":[{"b":[{"id":1}]},{"b":[]},{"b":[{"id":2},{"id":3}]}],"n":1}"#, "a[].b",
        [#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#]
      ),
      (
        #"{"a":[{"b":[{"c":{"id":1}}]},{"b":[{"c":{"id":2}}]}]}"#, "a[].b[].c",
        [#"{"id":1}"#, #"{"id":2}"#]
      ),
      (#"{"a":[{"id":1},{"id":2}]}"#, "a[]", [#"{"id":1}"#, #"{"id":2}"#]),
      (#"{"a":[]}"#, "a[].b", []), (#"{"a[]":{"id":1}}"#, #""a[]""#, [#"{"id":1}"#]),
    ]
    for (body, path, elements) in cases {
      for piece in [1, 3, 1_000] {
        let form = PayloadForm.items(try XCTUnwrap(PayloadPath(path)))
        let found = PayloadReading(pieces: Array(body.utf8), form: form) { piece }
        XCTAssertNil(found.problem, body)
        XCTAssertEqual(found.elements, elements, body)
      }
    }
    for text in [
      #"a[]."b.c"[].d"#, "{}", "a{}", "a{}[].b", #"a{k}."b{}"{l}.c"#, "{a}{b}[]", "a[]{}",
    ] {
      XCTAssertEqual(PayloadPath(text)?.text, text)
    }
    XCTAssertEqual(PayloadPath("a.{}.b{key}"), nil)
    XCTAssertEqual(PayloadPath("a.{}.b"), PayloadPath("a{key}.b"))
    for text in [
      "[]", "[].a", "a[", "a]", "a[0]", "a[]b", "a[][]", "a.[]", "a{", "a}", "a{}b", "a{}{}",
      "a{b.c}", "a{}[", "{}.", "a{b{}",
    ] {
      XCTAssertNil(PayloadPath(text), text)
    }
  }

  /// Which rows an element would be that leads to nothing isn't known, so that none may go.
  func testWhatSomeElementsLackMakesAPartAndWhatAllLackIsAnError() throws {
    let path = try XCTUnwrap(PayloadPath("e[].node"))
    for body in [
      #"{"e":[{"node":{"id":1}},{"node":null}]}"#, #"{"e":[{"x":1},{"node":{"id":1}}]}"#,
      #"{"e":[null,{"node":{"id":1}}]}"#,
    ] {
      var reader = PayloadReader(Array(body.utf8), form: .items(path))
      var window = PayloadWindow()
      while try reader.next(&window) {}
      XCTAssertEqual(reader.count, 1, body)
      XCTAssertEqual(reader.notes.lacking, 1, body)
      XCTAssertFalse(reader.isAlone, body)
    }
    for body in [#"{"e":[{"nod":1}]}"#, #"{"e":[{"node":null}]}"#, #"{"e":[null]}"#] {
      XCTAssertEqual(
        try reading(body, at: "e[].node").problem, .items(path: "e[].node", .absent("e[].node")),
        body)
    }
    XCTAssertEqual(
      try reading(#"{"e":{"node":1}}"#, at: "e[].node").problem,
      .items(path: "e[].node", .noArray("e[]")))
    XCTAssertEqual(
      try reading(#"{"e":[{"node":7}]}"#, at: "e[].node").problem,
      .items(path: "e[].node", .scalar(.number)))
  }
}
