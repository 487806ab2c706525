import XCTest

/// The engine alone: whatever its callers do and its processor suffers, the contract holds.
final class EngineSimulationTests: SimulationTestCase {
  func testTheContractHoldsUnderEverySchedule() {
    simulate("the engine") { EngineStory($0).run() }
  }
}
