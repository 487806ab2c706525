import TestSupport
import XCTest

@testable import RecordSync

/// A list of nothing but errors took the place of all rows where the table knew a column of theirs,
/// and so did an empty one beside the code of an error.
final class ErrorListTests: ErrorBodyTestCase {
  private static let listsInDoubt = [
    #"[{"id":"a3","name":"Cid","error":"gone"}]"#,
    #"[{"id":"x7","name":"apps","success":false}]"#,
    #"[{"id":"unauthorized","message":"Invalid credentials provided."}]"#,
    #"[{"id":"x7","name":"NotFound","message":"No app x7"}]"#,
    #"[{"id":"x7","name":"apps","status":"error","message":"no"}]"#,
    #"[{"id":"x7","name":"apps","status":500,"message":"no"},{"id":"x8","error":"gone"}]"#,
    "{\"id\":\"x7\",\"name\":\"a\",\"error\":\"b\"}\n{\"id\":\"x8\",\"name\":\"a\",\"error\":\"b\"}",
  ]

  /// Each way of a sync refuses the body for this reason, but the one that only adds, which puts it.
  private func assertNoRowGoes(
    for body: String, line: UInt = #line, _ isReason: (PayloadProblem) -> Bool
  ) async throws {
    for (number, problem) in try await problems(body).enumerated() {
      if number == 2 {
        XCTAssertNil(problem, body, line: line)
      } else {
        XCTAssertTrue(problem.map(isReason) ?? false, "\(number), \(body)", line: line)
      }
    }
  }

  /// Whether they are rows or not: that all which are there go for them is beyond doubt.
  func testNoRowGoesForAListThatLooksLikeErrorsAndHasNoRowThatIsThere() async throws {
    for body in Self.listsInDoubt {
      try await assertNoRowGoes(for: body) {
        if case .likeErrors("apps", _) = $0 { true } else { false }
      }
    }
  }

  func testSuchAListIsPutWhereNothingGoesForItOrItWasPutBefore() async throws {
    for body in Self.listsInDoubt {
      for creates in [false, true] {
        let database = try database()
        try database.run("DELETE FROM apps")
        _ = try await database.sync(body, "apps") { $0.creates = creates }
        let rows = try database.table("apps")
        XCTAssertFalse(rows.isEmpty, body)
        try database.run("INSERT INTO apps (id, name) VALUES ('a1', 'Ann')")
        _ = try await database.sync(body, "apps") { $0.creates = creates }
        XCTAssertEqual(try database.table("apps"), rows, body)
      }
    }
  }

  /// Where columns are made, a list that has a message in each row is none of errors.
  func testColumnsAreMadeOfMessagesAndNotOfErrors() async throws {
    for table in ["notes (id INTEGER PRIMARY KEY)", "notes (id INTEGER PRIMARY KEY, title TEXT)"] {
      let made = "CREATE TABLE \(table)"
      let notes = try TestDatabase(made, "INSERT INTO notes (id) VALUES (1)")
      await assertThrows(
        PayloadProblem.self,
        try await notes.create(#"[{"id":2,"error":"x"},{"id":3,"error":"y"}]"#, "notes")
      ) {
        if case .errorElements("error", _) = $0 { true } else { false }
      }
      _ = try await notes.create(#"[{"id":2,"message":"hi"},{"id":3,"message":"ho"}]"#, "notes")
      XCTAssertEqual(try notes.rows("SELECT id, message FROM notes"), ["2|hi", "3|ho"], table)
    }
  }

  /// Of a key in two columns the parent gives one.
  func testARowIsFoundByWhatItsParentGives() async throws {
    for creates in [false, true] {
      for body in [
        #"[{"id":5,"message":"no","status":500}]"#, #"{"id":5,"message":"no","status":500}"#,
      ] {
        let database = try TestDatabase(
          "users:; notes (user_id -> users, id INTEGER, message TEXT, PRIMARY KEY (user_id, id))",
          "users = (1), (2); notes = (1, 5, 'hi'), (1, 6, 'ho'), (2, 5, 'he')")
        _ = try await database.sync(body, "notes") {
          $0.creates = creates
          $0.scope = RecordScope(parent: .init(table: "users", key: 1))
        }
        let isList = body.hasPrefix("[")
        XCTAssertEqual(
          try database.rows("SELECT user_id, id, message FROM notes ORDER BY user_id, id"),
          isList ? ["1|5|no", "2|5|he"] : ["1|5|no", "1|6|ho", "2|5|he"], "\(creates): \(body)")
      }
    }
  }

  /// What a window holds, and what it doesn't, must not decide.
  func testWhereWindowsEndDoesNotDecideWhatIsAnError() async throws {
    let body = #"""
      [{"id":"x7","name":"apps","error":"gone"},{"id":"x7","name":"apps","error":"lost"},
       {"id":"x8","name":"apps","error":"gone"}]
      """#
    for bytes in [1, 50, 1 << 20] {
      var payload = RecordPayload.text(body)
      payload.bounds.window = bytes
      payload.bounds.whole = min(bytes, 100)
      await assertThrows(
        PayloadProblem.self, try await database().sync(payload, "apps"), "\(bytes)"
      ) {
        if case .likeErrors = $0 { true } else { false }
      }
    }
  }

  /// A service that fails in the middle of a list may write that as its last line.
  func testNoRowGoesForAListThatEndsWithAnError() async throws {
    for body in [
      "{\"id\":\"a1\"}\n{\"error\":\"aborted\"}", #"[{"id":"a1"},{"message":"no","status":503}]"#,
      #"[{"id":"a1"},{"id":"a3"},{"error":{"code":7}}]"#,
    ] {
      try await assertNoRowGoes(for: body) {
        if case .errorAtEnd("apps", _) = $0 { true } else { false }
      }
    }
    for body in [
      #"[{"id":"a1"},{"name":"Cid"}]"#, #"[{"error":"aborted"},{"id":"a1"}]"#,
      #"[{"id":"a1"},{"id":"a2"},{"error":"aborted"}]"#, #"[{"id":"a1"},{"id":"a3","error":"x"}]"#,
    ] {
      let problems = try await problems(body)
      XCTAssertEqual(problems, problems.map { _ in nil }, body)
    }
  }

  /// A code that isn't zero, with nothing but an empty list: services answer so with status 200.
  func testAnEmptyListBesideACodeThatMayBeAnErrorsDeletesNothing() async throws {
    for (beside, member) in [
      (#""code":1001,"msg":"Token expired""#, "code"), (#""code":-1,"message":"no""#, "code"),
      (#""code":"A0230","msg":"Log in again""#, "code"), (#""code":500"#, "code"),
      (#""retCode":10003,"message":"Log in again""#, "retCode"),
      (#""status":"OVER_QUERY_LIMIT""#, "status"), (#""status":"REQUEST_DENIED""#, "status"),
    ] {
      for body in ["{\(beside),\"data\":[]}", "{\"data\":[],\(beside)}"] {
        let (rows, remarks) = try await synced(body)
        XCTAssertEqual(remarks, [.partial(.errors(member))], body)
        XCTAssertEqual(rows, Self.rows, body)
      }
    }
    for beside in [
      #""status":false,"message":"Invalid token""#, #""code":"invalid_token","message":"Log in""#,
      #""type":"error","message":"Log in""#, #""object":"error","message":"Log in""#,
    ] {
      for data in ["[]", #"[{"id":"a1"}]"#] {
        let (rows, _) = try await synced("{\(beside),\"data\":\(data)}")
        XCTAssertEqual(rows, Self.rows, beside)
      }
    }
  }

  func testAnEmptyListBesideACodeOfSuccessEmptiesTheTable() async throws {
    for beside in [
      #""code":0,"msg":"Nobody is there""#, #""code":200,"message":"Nobody is there""#,
      #""code":"0","msg":"Nobody""#, #""code":"00000","msg":"Nobody""#, #""code":204"#,
      #""code":20000,"message":"Operation successful""#, #""code":1001"#,
      #""code":"SUCCESS","message":"Nobody""#, #""code":"ok","msg":"Nobody""#,
      #""status":true,"message":"Nobody""#, #""status":1,"message":"Nobody""#,
      #""status":"ZERO_RESULTS""#, #""message":"Nobody is there""#, #""status":"success""#,
    ] {
      let (rows, remarks) = try await synced("{\(beside),\"data\":[]}")
      XCTAssertEqual(remarks, [], beside)
      XCTAssertEqual(rows, [], beside)
    }
    let (rows, remarks) = try await synced(
      #"{"code":20000,"msg":"Here you are","data":[{"id":"a1"}]}"#)
    XCTAssertEqual(remarks, [])
    XCTAssertEqual(rows, ["a1|Ann|NULL|NULL|NULL"])
  }

  private func synced(_ body: String) async throws -> (rows: [String], remarks: [PayloadRemark]) {
    let database = try database()
    let remarks = try await database.sync(body, "apps", items: "data").remarks
    return (try database.table("apps"), remarks)
  }
}
