import XCTest

@testable import SyncTransport

final class GroupedStackTests: XCTestCase {
  func testWhoCameLastIsFirstAndGroupsTakeTurns() {
    var stack = GroupedStack<Int>()
    XCTAssertNil(stack.pop())
    for number in 1...3 { stack.push(number, in: 1) }
    for number in 11...12 { stack.push(number, in: 2) }
    stack.push(21, in: 3)
    XCTAssertEqual((0..<4).map { _ in stack.pop() }, [3, 12, 21, 2])
    stack.push(22, in: 3)
    XCTAssertEqual((0..<4).map { _ in stack.pop() }, [11, 1, 22, nil])
  }
}
