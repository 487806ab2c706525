import Console
import OneWaySynchronizer
import RecordSync
import TestSupport
import XCTest

@testable import records

/// What a command line comes to.
final class ArgumentTests: XCTestCase {
  private func request(_ line: String...) throws -> SyncRequest {
    let words = ["sync", "app.sqlite", "users", "users.json"] + line
    guard case .run(let parsed) = try ArgumentParser.parse(words, of: Invocation.program) else {
      throw UsageError("help")
    }
    return try Invocation.program.request(parsed).syncing
  }

  private func assertUsage(
    _ line: [String], saying part: String, file: StaticString = #filePath, at number: UInt = #line
  ) {
    XCTAssertThrowsError(
      try { () throws in
        guard case .run(let parsed) = try ArgumentParser.parse(line, of: Invocation.program) else {
          return
        }
        _ = try Invocation.program.request(parsed)
      }(), file: file, line: number
    ) { error in
      XCTAssertTrue("\(error)".contains(part), "\(error)", file: file, line: number)
      XCTAssertEqual(ExitStatus(error), .usage, file: file, line: number)
    }
  }

  func testWithoutOptionsEverythingMayBeDoneToAllRows() throws {
    var plain = SyncRequest()
    (plain.table, plain.payload) = ("users", "users.json")
    XCTAssertEqual("\(try request())", "\(plain)")
    XCTAssertNil(plain.options.removalLimit)
    XCTAssertNil(plain.operations)
  }

  func testOperationsAreExactlyThoseThatAreNamed() throws {
    XCTAssertEqual(try request("--operations", "insert,update").operations, [.insert, .update])
    XCTAssertEqual(
      try request("--operations=delete,insert-relations").operations, [.delete, .insertRelations])
    XCTAssertEqual(
      try request("--operations=update-relations,delete-relations").operations,
      [.updateRelations, .deleteRelations])
    XCTAssertEqual(try request("--operations", "all").operations, .all)
    XCTAssertEqual(
      try request("--keep").operations, [.insert, .update, .insertRelations, .updateRelations])
    let line = ["sync", "a", "t", "p"]
    assertUsage(line + ["--operations", "insert,updat"], saying: "did you mean 'update'?")
    assertUsage(line + ["--operations", ""], saying: "is no operation")
    assertUsage(line + ["--operations", "insert", "--keep"], saying: "contradict")
    assertUsage(line + ["--keep", "--operations", "insert"], saying: "contradict")
  }

  func testALimitIsANumberOrAShare() throws {
    for (text, limit) in [
      ("0", RemovalLimit.count(0)), ("100", .count(100)), ("1", .count(1)), ("50%", .share(0.5)),
      ("0.5", .share(0.5)), ("1.0", .share(1)), ("100%", .share(1)), ("all", .unlimited),
    ] {
      XCTAssertEqual(try request("--max-delete", text).options.removalLimit, limit, text)
    }
    for text in ["", "-1", "101%", "1.5", "half", "0x10", "1e3", "%", "nan", "."] {
      assertUsage(["sync", "a", "t", "p", "--max-delete=\(text)"], saying: "is no limit")
    }
  }

  func testBoundValuesAreWhatJSONHasThemForAndElseTexts() throws {
    let values = try request(
      "--where", "a = ?", "--bind", "7", "--bind", "1.5", "--bind", "true", "--bind", "null",
      "--bind", "seven", "--bind", "\"7\"", "--bind", "[1]", "--bind", "007", "--bind="
    ).condition.values
    XCTAssertEqual(
      values, [7, 1.5, true, nil, "seven", "\"7\"", "[1]", "007", ""] as [RecordValue])
    assertUsage(["sync", "a", "t", "p", "--bind", "7"], saying: "--where")
  }

  func testWhatIsMissingOrWrongIsNamed() {
    assertUsage(["sync", "app.sqlite", "users"], saying: "PAYLOAD is missing")
    assertUsage(["sync", "a", "t", "p", "more"], saying: "'more' is too much")
    assertUsage(["sync", "a", "t", "p", "--itmes", "x"], saying: "did you mean '--items'?")
    assertUsage(["sync", "a", "t", "p", "--items", "data..users"], saying: "is no path")
    assertUsage(["sync", "a", "t", "p", "--parent", "users"], saying: "names no row")
    assertUsage(["sync", "a", "t", "p", "--parent", ":7"], saying: "names no row")
    assertUsage(["synk", "a", "t", "p"], saying: "did you mean 'sync'?")
    assertUsage(["verify", "a", "t", "p", "--plan"], saying: "'records sync'")
    assertUsage([], saying: "records sync DATABASE TABLE PAYLOAD")
  }
}
