import XCTest

@testable import Console

final class WatchTimingTests: XCTestCase {
  private let timing = WatchTiming(interval: .seconds(900), longest: .seconds(14_400))

  func testWhileRunsFailTheIntervalDoublesUpToTheLongest() {
    let minutes = (0...6).map { timing.interval(afterFailures: $0) / .seconds(60) }
    XCTAssertEqual(minutes, [15, 30, 60, 120, 240, 240, 240])
    XCTAssertEqual(timing.interval(afterFailures: .max), .seconds(14_400))
    let long = WatchTiming(interval: .seconds(86_400), longest: .seconds(14_400))
    XCTAssertEqual(long.interval(afterFailures: 9), .seconds(86_400))
    XCTAssertEqual(WatchTiming(interval: .zero, longest: .zero).interval(afterFailures: 9), .zero)
  }

  func testTheNextRunIsDueAboutAnIntervalAfterTheLastOneBegan() {
    let cases: [(began: Int, ended: Int, failures: Int, random: Double, due: Int)] = [
      (0, 5, 0, 0.5, 900), (0, 5, 0, 0, 810), (0, 5, 0, 1, 990), (100, 105, 0, 0.5, 1_000),
      (0, 5, 2, 0.5, 3_600), (0, 5, 9, 0, 12_960),
      // A run that took long is followed by a rest.
      (0, 850, 0, 0.5, 940), (0, 9_000, 0, 0.5, 9_090), (0, 9_000, 1, 0.5, 9_180),
    ]
    for row in cases {
      XCTAssertEqual(
        timing.due(
          began: .seconds(row.began), ended: .seconds(row.ended), failures: row.failures,
          random: row.random),
        .seconds(row.due), "\(row)")
    }
  }
}
