@testable import RecordSync
import TestSupport
import XCTest

/// An error of a service may have a key: it became a row, `unauthorized`, and in an array it took the
/// place of all others. Then a row that only had a message was taken for an error.
final class ErrorBodyTests: ErrorBodyTestCase {
  func testAnErrorThatHasAKeyIsNoRow() async throws {
    for body in [
      #"{"id":"unauthorized","message":"Invalid","code":401}"#,
      #"{"id":"x7","type":"about:blank","title":"Forbidden","status":403,"detail":"no"}"#,
      #"{"id":"x7","title":"Not Found","status":404,"instance":"/a/7","detail":"gone"}"#,
      #"{"id":"x7","name":"apps","message":"No such app","code":404}"#,
      #"{"id":"req-7","name":"apps","code":"invalid_token","message":"Log in again"}"#,
      #"{"id":"x7","name":"apps","code":"NotFound","message":"No app x7"}"#,
      #"{"id":"x7","name":"apps","status":"error","msg":"No such app"}"#,
      #"{"id":"x7","name":"apps","result":"fail","message":"No such app"}"#,
    ] {
      for problem in try await problems(body) {
        guard case .likeError? = problem else {
          return XCTFail("\(body): \(String(describing: problem))")
        }
      }
    }
  }

  func testAMemberThatOnlyAnErrorHasMakesItOne() async throws {
    for (body, member) in [
      (#"{"id":"x7","error":"gone"}"#, "error"),
      (#"{"id":"a1","name":"Bea","errors":["gone"]}"#, "errors"),
      (#"{"id":"a1","name":"Bea","Error":"gone"}"#, "Error"),
      (#"{"jsonrpc":"2.0","id":"a1","error":{"code":-32601,"message":"no"}}"#, "error"),
    ] {
      for problem in try await problems(body) {
        guard case .errorBody(member, _)? = problem else {
          return XCTFail("\(body): \(String(describing: problem))")
        }
      }
    }
  }

  /// A table may have two keys to choose from, and an error may name either.
  func testAnErrorUnderTheOtherKeyIsNoRowAndARowThatIsThereIsPut() async throws {
    for creates in [false, true] {
      let database = try TestDatabase(
        "CREATE TABLE apps (nr INTEGER PRIMARY KEY, id TEXT, name TEXT)",
        "INSERT INTO apps VALUES (1, 'u1', 'Ann'), (2, 'u2', 'Ben')")
      await assertThrows(
        PayloadProblem.self,
        try await database.sync(#"{"nr":1,"name":"Bea","error":"gone"}"#, "apps") {
          $0.creates = creates
        }
      ) {
        if case .errorBody("error", _) = $0 { true } else { false }
      }
      let list = #"[{"nr":1,"name":"Bea","message":"no","status":500}]"#
      _ = try await database.sync(list, "apps") { $0.creates = creates }
      XCTAssertEqual(try database.rows("SELECT nr, name FROM apps"), ["1|Bea"])
    }
  }

  func testAListOfNothingButErrorsIsNone() async throws {
    for body in [
      #"[{"id":"x7","error":"gone"}]"#, #"[{"error":"gone","id":"x7"},{"id":"x8","errors":["y"]}]"#,
      "{\"id\":\"x7\",\"error\":\"gone\"}\n{\"id\":\"x8\",\"error\":\"gone\"}",
    ] {
      for problem in try await problems(body) {
        guard case .errorElements("error", _)? = problem else {
          return XCTFail("\(body): \(String(describing: problem))")
        }
      }
    }
    let database = try TestDatabase("users (id TEXT PRIMARY KEY, name TEXT); users = ('1', 'Ann')")
    let body = #"[{"id":"unauthorized","message":"Invalid credentials provided."}]"#
    await assertThrows(PayloadProblem.self, try await database.sync(body, "users"))
    XCTAssertEqual(try database.table("users"), ["1|Ann"])
  }

  func testAnErrorWithoutAKeyIsNoPayload() async throws {
    for body in [
      #"{"error":"gone"}"#, #"{"errors":[{"message":"x"}]}"#, #"{"success":false}"#,
      #"{"message":"no","code":401}"#, #"[{"error":"x"}]"#, "", "<html>", "null",
      #"{"data":null,"errors":[{"message":"x"}]}"#,
      #"{"type":"about:blank","title":"Forbidden","status":403}"#,
    ] {
      try await assertFalse(problems(body).contains(nil), body)
    }
    for body in [#"{"data":null,"errors":[{"message":"x"}]}"#, #"{"message":"no"}"#] {
      try await assertFalse(problems(body, items: "data").contains(nil), body)
    }
  }

  /// One that only has a sentence beside its key is a row of a chat; a job may end with an error.
  func testWhatMayBeARowIsPut() async throws {
    for body in [
      #"{"id":"a3","message":"hi"}"#, #"{"id":"a3","title":"New"}"#, #"{"id":"a3","status":500}"#,
      #"{"id":"a1","message":"moved"}"#, #"{"id":"unauthorized","name":"apps","detail":"Log in"}"#,
      #"{"id":"a1","status":404,"message":"There is no a1","code":404}"#,
      #"{"id":"a1","name":"Bea","result":"error","msg":"a1 is locked"}"#,
      #"{"id":"a3","name":"Cid","message":"new"}"#, #"{"id":"a3","name":"Cid","result":"fail"}"#,
      #"{"id":"a3","name":"Cid","success":true,"error":null}"#,
      #"{"id":"a3","name":"Cid","success":false}"#, #"{"id":"a3","name":"Cid","errorCode":"E7"}"#,
      #"{"id":"a3","name":"Cid","code":404}"#, #"{"id":"a3","name":"Cid","status":404}"#,
      #"{"id":"a3","name":"NotFound","message":"The error is gone"}"#,
      #"{"id":"a3","name":"apps","status":"error","message":"disk full"}"#,
      #"{"id":"a3","name":"Cid","message":"Ask again","code":"expired"}"#,
      #"{"id":"a3","name":"Cid","msg":"Buy milk","status":false}"#,
      #"{"id":"a3","name":"Cid","error2":"gone","message1":"no","code":404}"#,
      // A list may have what it likes beside what the table knows, unless all would go for it.
      #"[{"id":"a1","name":"Ann","error":"gone"},{"id":"a3","name":"Cid","error":"gone"}]"#,
      #"[{"id":"a3","message":"hi"}]"#, #"[{"id":"a3","name":"Cid","code":7}]"#,
      #"[{"id":"a3","error":"gone"},{"id":"a4","name":"Dan"}]"#,
    ] {
      let problems = try await problems(body)
      XCTAssertEqual(problems, problems.map { _ in nil }, body)
    }
  }

  func testATableIsMadeOfAnObjectThatHasAMessage() async throws {
    for body in [
      #"{"id":1,"message":"hi"}"#, #"{"id":1,"title":"hi","status":false}"#,
      #"{"id":1,"success":false}"#, #"{"id":1,"status":500}"#,
    ] {
      let empty = try TestDatabase()
      try await assertEqual(empty.create(body, "notes").remarks, [.putAlone(table: "notes")], body)
      XCTAssertEqual(try empty.rows("SELECT count(*) FROM notes"), ["1"], body)
    }
    let notes = try TestDatabase("CREATE TABLE notes (id INTEGER PRIMARY KEY, message TEXT)")
    _ = try await notes.sync(#"{"id":1,"message":"hi"}"#, "notes")
    XCTAssertEqual(try notes.table("notes"), ["1|hi"])
  }

  func testNoTableIsMadeOfAnError() async throws {
    for body in [
      #"{"id":"unauthorized","message":"Invalid","code":401}"#, #"{"id":"x","error":"gone"}"#,
      #"{"id":"x","status":"NotFound","detail":"gone"}"#,
    ] {
      let empty = try TestDatabase()
      await assertThrows(PayloadProblem.self, try await empty.create(body, "apps"))
      XCTAssertEqual(try empty.tables(), [])
    }
  }

  func testItIsSaidWhyAnObjectIsTakenForAnErrorAndWhatToDo() async throws {
    let empty = try TestDatabase()
    let body = #"{"id":"u","message":"Invalid","code":401}"#
    await assertThrows(try await empty.create(body, "apps")) {
      XCTAssertEqual(
        "\($0)",
        "The payload is one object and no list, and looks like an error of a service: a sentence"
          + " stands beside the status or code of an error, and no row of its key is there. This is"
          + #" element 1, at byte 0: {"id":"u","message":"Invalid","code":401}. Check what sent it; if"#
          + " it is a row, put it by itself.")
    }
  }
}
