import XCTest

/// Whole mirrors: whatever web, disk, user and power do, nothing is lost, and it all comes right.
final class MirrorSimulationTests: XCTestCase {
  func testNothingIsLostWhateverHappensAndItAllComesRight() {
    Simulation.run("the mirror") { MirrorStory($0).run() }
  }
}
