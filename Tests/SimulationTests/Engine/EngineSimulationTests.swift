import XCTest

/// The engine alone: whatever its callers do and its processor suffers, the contract holds.
final class EngineSimulationTests: XCTestCase {
  func testTheContractHoldsUnderEverySchedule() {
    Simulation.run("the engine") { EngineStory($0).run() }
  }
}
