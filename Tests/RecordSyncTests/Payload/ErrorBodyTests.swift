import RecordSync
import TestSupport
import XCTest

/// An error of a service may have a key, and words for which the table has columns: it became a row,
/// `unauthorized`, and in an array it took the place of all others.
final class ErrorBodyTests: ErrorBodyTestCase {
  func testAnErrorThatHasAKeyIsNoRow() async throws {
    for body in [
      #"{"id":"unauthorized","message":"Invalid credentials provided."}"#,
      #"{"id":"unauthorized","message":"Invalid","code":401}"#,
      #"{"id":"too_many","msg":"Slow down","message":"Slow down","request_id":"r7"}"#,
      #"{"id":"x7","type":"about:blank","title":"Forbidden","status":403,"detail":"no"}"#,
      #"{"id":"x7","title":"Not Found","status":404,"instance":"/a/7","detail":"gone"}"#,
      #"{"id":"x7","name":"apps","message":"No such app","code":404}"#,
      #"{"id":"a1","status":404,"message":"There is no a1"}"#, #"{"id":"x7","status":500}"#,
      #"{"id":"rate_limit","message":"Too many","url":"https://example.org/limits"}"#,
      // With a column of the table's own beside the words of errors.
      #"{"id":"x7","name":"NotFound","message":"No app x7"}"#,
      #"{"id":"x7","name":"ValidationError","message":"name is empty","details":[]}"#,
      #"{"id":"req-7","name":"apps","code":"invalid_token","message":"Log in again"}"#,
      #"{"id":"unauthorized","name":"apps","detail":"Log in"}"#,
      #"{"id":"x7","name":"apps","status":"error","msg":"No such app"}"#,
      #"{"id":"x7","name":"apps","result":"fail"}"#,
      #"{"id":"a1","name":"Bea","result":"error","msg":"a1 is locked"}"#,
      #"{"id":"x7","name":"apps","object":"error","message":"no"}"#,
      #"{"id":"x7","name":"apps","type":"about:blank","title":"Gone","detail":"no"}"#,
      #"{"id":"x7","name":"apps","type":"https://example.org/probs/credit","detail":"no"}"#,
    ] {
      for problem in try await problems(body) {
        guard case .likeError("apps", _)? = problem else {
          return XCTFail("\(body): \(String(describing: problem))")
        }
      }
    }
  }

  func testAMemberThatOnlyAnErrorHasMakesItOne() async throws {
    for (body, member) in [
      (#"{"id":"x7","error":"gone"}"#, "error"),
      (#"{"id":"a1","name":"Bea","success":false}"#, "success"),
      (#"{"id":"a1","name":"Bea","ok":false}"#, "ok"),
      (#"{"id":"a1","name":"Bea","errorCode":"E7"}"#, "errorCode"),
      (#"{"id":"a1","name":"Bea","error_description":"gone"}"#, "error_description"),
      (#"{"id":"a1","name":"Bea","faultcode":"Client","faultstring":"no"}"#, "faultcode"),
      (#"{"id":"a1","name":"Bea","odata.error":{"code":"7"}}"#, "odata.error"),
      (#"{"id":"a1","name":"Bea","hasErrors":true}"#, "hasErrors"),
      (#"{"jsonrpc":"2.0","id":"a1","error":{"code":-32601,"message":"no"}}"#, "error"),
    ] {
      for problem in try await problems(body) {
        guard case .errorBody(member, _)? = problem else {
          return XCTFail("\(body): \(String(describing: problem))")
        }
      }
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
    let database = try TestDatabase(
      "CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT)", "INSERT INTO users VALUES ('1', 'Ann')"
    )
    let body = #"[{"id":"unauthorized","message":"Invalid credentials provided."}]"#
    await XCTAssertThrowsAsync(try await database.sync(body, "users"))
    XCTAssertEqual(try database.table("users"), ["1|Ann"])
  }

  func testAnErrorWithoutAKeyIsNoPayload() async throws {
    for body in [
      #"{"error":"gone"}"#, #"{"errors":[{"message":"x"}]}"#, #"{"success":false}"#,
      #"{"message":"no","code":401}"#, #"[{"error":"x"}]"#, "", "<html>", "null",
      #"{"data":null,"errors":[{"message":"x"}]}"#,
      #"{"type":"about:blank","title":"Forbidden","status":403}"#,
    ] {
      let problems = try await problems(body)
      XCTAssertFalse(problems.contains(nil), body)
    }
    for body in [#"{"data":null,"errors":[{"message":"x"}]}"#, #"{"message":"no"}"#] {
      let problems = try await problems(body, items: "data")
      XCTAssertFalse(problems.contains(nil), body)
    }
  }

  func testWhatMayBeARowIsPut() async throws {
    for body in [
      // The table has this row; it has no message yet; nothing but a title.
      #"{"id":"a1","message":"moved"}"#, #"{"id":"a1","status":500}"#,
      #"{"id":"a3","name":"Cid","message":"new"}"#,
      #"{"id":"a3","title":"New"}"#, #"{"id":"a3","name":"Cid","success":true,"error":null}"#,
      #"{"id":"a3","name":"Cid","code":404}"#, #"{"id":"a3","name":"Cid","status":404}"#,
      #"{"id":"a1","name":"Error","message":"moved"}"#,
      #"{"id":"a3","name":"Cid","message":"The error is gone"}"#,
      #"{"id":"a3","name":"apps","status":"error","message":"disk full"}"#,
      #"{"id":"a3","name":"Mirror","type":"invalid","status":false}"#,
      // A list may have what it likes beside what the table knows, unless all would go for it.
      #"[{"id":"a1","name":"Ann","error":"gone"},{"id":"a3","name":"Cid","error":"gone"}]"#,
      #"[{"id":"a3","message":"hi"}]"#, #"[{"id":"a3","name":"Cid","code":7}]"#,
      #"[{"id":"a3","error":"gone"},{"id":"a4","name":"Dan"}]"#,
    ] {
      let problems = try await problems(body)
      XCTAssertEqual(problems, problems.map { _ in nil }, body)
    }
  }

  func testNoTableIsMadeOfAnError() async throws {
    for body in [
      #"{"id":"unauthorized","message":"Invalid","code":401}"#, #"{"id":"x","success":false}"#,
    ] {
      let empty = try TestDatabase()
      await XCTAssertThrowsAsync(try await empty.create(body, "apps")) {
        XCTAssertTrue($0 is PayloadProblem, "\($0)")
      }
      XCTAssertEqual(try empty.tables(), [])
    }
  }
}
