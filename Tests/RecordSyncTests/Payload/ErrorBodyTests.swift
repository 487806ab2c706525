import RecordSync
import TestSupport
import XCTest

/// An error of a service may have a key, and words for which the table has columns: it became a row,
/// `unauthorized`, and in an array it took the place of all others.
final class ErrorBodyTests: XCTestCase {
  private static let rows = ["a1|Ann|NULL|NULL|NULL", "a2|Ben|NULL|NULL|NULL"]

  private func database() throws -> TestDatabase {
    try TestDatabase(
      """
      CREATE TABLE apps
      (id TEXT PRIMARY KEY, name TEXT, message TEXT, title TEXT, status INTEGER)
      """, "INSERT INTO apps (id, name) VALUES ('a1', 'Ann'), ('a2', 'Ben')")
  }

  /// What sync, plan, verify, a sync that only adds, and one that makes columns say of a payload.
  private func problems(
    _ body: String, items: String? = nil, line: UInt = #line
  ) async throws -> [PayloadProblem?] {
    let changes: [(inout RecordOptions) -> Void] = [
      { _ in }, { $0.isPlan = true }, { $0.operations = .keep }, { $0.creates = true },
      { ($0.creates, $0.isPlan) = (true, true) },
    ]
    var problems: [PayloadProblem?] = []
    for number in 0...changes.count {
      let database = try database()
      let store = try await RecordStore(path: database.path)
      var payload = RecordPayload.text(body)
      if let items { payload.form = .items(try XCTUnwrap(PayloadPath(items))) }
      do {
        if number < changes.count {
          var options = RecordOptions()
          changes[number](&options)
          _ = try await store.sync(payload, into: "apps", options: options)
        } else {
          _ = try await store.verify(payload, against: "apps")
        }
        problems.append(nil)
      } catch let problem as PayloadProblem {
        problems.append(problem)
        XCTAssertEqual(try database.table("apps"), Self.rows, "\(number): \(body)", line: line)
      }
    }
    return problems
  }

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
      // A list may have what it likes beside what the table knows.
      #"[{"id":"a3","name":"Cid","error":"gone"}]"#, #"[{"id":"a3","message":"hi"}]"#,
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
