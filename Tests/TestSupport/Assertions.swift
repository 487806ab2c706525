import XCTest

/// Asserts that two values are equal; what is found may be waited for.
package func assertEqual<Value: Equatable>(
  _ found: Value, _ expected: Value, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) {
  XCTAssertEqual(found, expected, message(), file: file, line: line)
}

/// Asserts that something is so; whether it is may be waited for.
package func assertTrue(
  _ isSo: Bool, _ message: @autoclosure () -> String = "", file: StaticString = #filePath,
  line: UInt = #line
) {
  XCTAssertTrue(isSo, message(), file: file, line: line)
}

/// Asserts that something isn't so; whether it is may be waited for.
package func assertFalse(
  _ isSo: Bool, _ message: @autoclosure () -> String = "", file: StaticString = #filePath,
  line: UInt = #line
) {
  XCTAssertFalse(isSo, message(), file: file, line: line)
}

/// Asserts that there is no value; what is found may be waited for.
package func assertNil<Value>(
  _ found: Value?, _ message: @autoclosure () -> String = "", file: StaticString = #filePath,
  line: UInt = #line
) {
  XCTAssertNil(found, message(), file: file, line: line)
}

/// Asserts that `body` throws this error.
package func assertThrows<Problem: Error & Equatable>(
  _ expected: Problem, _ body: @autoclosure () throws -> Any,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) {
  XCTAssertThrowsError(try body(), message(), file: file, line: line) { error in
    XCTAssertEqual(error as? Problem, expected, "\(error)", file: file, line: line)
  }
}

/// The error of this type that `body` throws; any other is thrown on, and none is a failure.
package func failure<Problem: Error, Value>(
  _ type: Problem.Type = Problem.self, file: StaticString = #filePath, line: UInt = #line,
  of body: () async throws -> Value
) async throws -> Problem? {
  do {
    let value = try await body()
    XCTFail("no error, but \(value)", file: file, line: line)
    return nil
  } catch let error as Problem {
    return error
  }
}
