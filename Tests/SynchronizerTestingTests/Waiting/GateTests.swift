import SynchronizerTesting
import TestSupport
import XCTest

final class GateTests: XCTestCase {
  func testAnOpenGateLetsThroughWhoComes() async throws {
    let gate = Gate(open: true)
    try await gate.wait()
    XCTAssertEqual(gate.waiterCount, 0)
  }

  func testOpeningLetsEveryWaiterThroughAlsoIfItIsClosedAtOnce() async throws {
    let gate = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 { group.addTask { try await gate.wait() } }
      try await gate.waiters(atLeast: 3)
      gate.open()
      gate.close()
      try await group.waitForAll()
    }
    XCTAssertFalse(gate.isOpen)
    XCTAssertEqual(gate.waiterCount, 0)
  }

  /// Two waited for somebody to come; the one who saw them first opened the gate, and the other one
  /// waited for ever.
  func testWhoHasWalkedThroughIsRememberedAsHavingArrived() async throws {
    let gate = Gate()
    XCTAssertEqual(gate.arrivalCount, 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await gate.wait() }
      try await gate.arrivals(atLeast: 1)
      gate.open()
      try await group.waitForAll()
    }
    try await gate.arrivals(atLeast: 1)
    try await gate.wait()
    try await gate.arrivals(atLeast: 2)
    XCTAssertEqual(gate.arrivalCount, 2)
    XCTAssertEqual(gate.waiterCount, 0)
  }

  func testACancelledWaiterLeavesAtOnceAndTheOthersStay() async throws {
    let gate = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await gate.wait() }
      try await gate.waiters(atLeast: 1)
      await withTaskGroup(of: Bool.self) { leaving in
        leaving.addTask {
          do { try await gate.wait() } catch is CancellationError { return true } catch {}
          return false
        }
        try? await gate.waiters(atLeast: 2)
        leaving.cancelAll()
        await assertEqual(leaving.next(), true)
      }
      XCTAssertEqual(gate.waiterCount, 1)
      gate.open()
      try await group.waitForAll()
    }
  }

  func testWhoIsCancelledAlreadyDoesNotPassAnOpenGate() async {
    let gate = Gate(open: true)
    let passed = await withTaskGroup(of: Bool.self) { group in
      group.cancelAll()
      group.addTask { (try? await gate.wait()) != nil }
      return await group.next()
    }
    XCTAssertEqual(passed, false)
  }

  func testWaitingForWaitersEndsWhenCancelled() async {
    let gate = Gate()
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { (try? await gate.waiters(atLeast: 1)) == nil }
      group.cancelAll()
      await assertEqual(group.next(), true)
    }
  }
}
