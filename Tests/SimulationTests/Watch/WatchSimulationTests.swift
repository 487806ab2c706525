import XCTest

/// Twenty-four hours of a watch in a second or less.
final class WatchSimulationTests: XCTestCase {
  func testADayOfWatchingEndsWithTrueCopiesWhateverHappens() {
    // A day is as long as a hundred other stories.
    var extent = SimulationExtent.asked
    extent.count = max(1, extent.count / 100)
    Simulation.run("the watch", seeds: extent) { WatchStory($0).run() }
  }
}
