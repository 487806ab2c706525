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

/// As `XCTAssertNotNil`, of a value that may be awaited.
package func assertNotNil<Value>(
  _ value: Value?, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) {
  XCTAssertNotNil(value, message(), file: file, line: line)
}

/// Asserts that `body` throws this error.
package func assertThrows<Problem: Error & Equatable>(
  _ expected: Problem, _ body: @autoclosure () throws -> Any,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) {
  XCTAssertThrowsError(try body(), message(), file: file, line: line) { error in
    XCTAssertEqual(error as? Problem, expected, "\(error) \(message())", file: file, line: line)
  }
}

/// What is thrown, which must be of this type.
@discardableResult
package func thrown<Failure: Error>(
  _ type: Failure.Type = Failure.self, by body: @autoclosure () async throws -> some Any,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) async -> Failure? {
  do {
    let result = try await body()
    XCTFail("nothing is thrown, but returned: \(result) \(message())", file: file, line: line)
    return nil
  } catch {
    guard let failure = error as? Failure else {
      XCTFail("another error: \(error) \(message())", file: file, line: line)
      return nil
    }
    return failure
  }
}

/// What is thrown, which must be of this type.
@discardableResult
package func thrown<Failure: Error>(
  _ type: Failure.Type = Failure.self, by body: @autoclosure () throws -> some Any,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) -> Failure? {
  var failure: Failure?
  XCTAssertThrowsError(try body(), message(), file: file, line: line) { error in
    failure = error as? Failure
    if failure == nil { XCTFail("another error: \(error) \(message())", file: file, line: line) }
  }
  return failure
}

/// As above, of what is waited for.
package func assertThrows<Failure: Error & Equatable>(
  _ expected: Failure, _ body: @autoclosure () async throws -> some Any,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) async {
  guard
    let failure = await thrown(
      Failure.self, by: try await body(), message(), file: file, line: line)
  else { return }
  XCTAssertEqual(failure, expected, message(), file: file, line: line)
}

/// Asserts that an error of a type is thrown.
package func assertThrows<Failure: Error>(
  _ type: Failure.Type, _ body: @autoclosure () async throws -> some Any,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) async {
  await thrown(type, by: try await body(), message(), file: file, line: line)
}

/// Asserts that `body` throws an error of this type of which that is so.
package func assertThrows<Failure: Error>(
  _ type: Failure.Type, _ body: @autoclosure () async throws -> some Any,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line,
  where isExpected: (Failure) -> Bool
) async {
  guard let error = await thrown(type, by: try await body(), message(), file: file, line: line)
  else { return }
  XCTAssertTrue(isExpected(error), "\(message()) \(error)", file: file, line: line)
}

/// Asserts that an error is thrown whose sentence holds these words.
package func assertThrows(
  saying words: String, _ body: @autoclosure () async throws -> some Any,
  file: StaticString = #filePath, line: UInt = #line
) async {
  guard let error = await thrown((any Error).self, by: try await body(), file: file, line: line)
  else { return }
  XCTAssertTrue("\(error)".contains(words), "\(error)", file: file, line: line)
}

/// Asserts that something is thrown, and hands it to `check`.
package func assertThrows(
  _ body: @autoclosure () async throws -> some Any, file: StaticString = #filePath,
  line: UInt = #line, _ check: (any Error) -> Void
) async {
  if let error = await thrown((any Error).self, by: try await body(), file: file, line: line) {
    check(error)
  }
}
