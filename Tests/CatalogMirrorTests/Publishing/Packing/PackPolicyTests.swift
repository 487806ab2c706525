import TestSupport
import XCTest

@testable import CatalogPublishing

/// Which packs are written anew.
final class PackPolicyTests: XCTestCase {
  private static let unit: Int64 = 256 << 10

  private func packs(_ live: [Int64], share: Int64 = 1) -> [PackPolicy.Pack] {
    live.enumerated().map {
      .init(id: UInt32($0), size: $1 * share, live: $1, files: 64)
    }
  }

  private func givenUp(
    _ packs: [PackPolicy.Pack], files: Int = 0, bytes: Int64 = 0
  ) -> [UInt32] {
    PackPolicy.givenUp(among: packs, beside: .init(files: files, bytes: bytes)).sorted()
  }

  func testAPackWithLessThanHalfOfLiveBytesIsWrittenAnew() {
    let unit = Self.unit
    XCTAssertEqual(
      givenUp([
        .init(id: 1, size: 100, live: 50, files: 1), .init(id: 2, size: 100, live: 49, files: 1),
        .init(id: 3, size: 8 << 20, live: 0, files: 0),
        .init(id: 4, size: unit, live: unit, files: 1),
      ]), [2, 3])
  }

  func testEightOfLikeSizeAreMergedAndSevenAreNot() {
    let unit = Self.unit
    XCTAssertEqual(givenUp(packs(Array(repeating: unit, count: 7))), [])
    XCTAssertEqual(givenUp(packs(Array(repeating: unit, count: 8))), Array(0..<8))
    XCTAssertEqual(
      givenUp(packs(Array(repeating: unit, count: 7) + [2 * unit])), Array(0..<8))
    XCTAssertEqual(
      givenUp(packs(Array(repeating: unit, count: 7) + [2 * unit + 1])), [])
  }

  /// What is to be written counts as the pack that it becomes.
  func testSevenAreMergedWithWhatIsWrittenAnyway() {
    let unit = Self.unit
    let seven = packs(Array(repeating: unit, count: 7))
    XCTAssertEqual(givenUp(seven, files: 1, bytes: unit), Array(0..<7))
    XCTAssertEqual(givenUp(seven, files: 1, bytes: 2 * unit), Array(0..<7))
    XCTAssertEqual(givenUp(seven, files: 1, bytes: 2 * unit + 1), [])
    XCTAssertEqual(givenUp(seven, files: 64, bytes: unit / 2), Array(0..<7))
    // Too little to be written: it waits.
    XCTAssertEqual(givenUp(seven, files: 63, bytes: unit / 2), [])
  }

  func testWhatComesOfAMergeIsMergedAtOnce() {
    let unit = Self.unit
    let sizes = Array(repeating: unit, count: 8) + Array(repeating: 8 * unit, count: 7)
    XCTAssertEqual(givenUp(packs(sizes)), Array(0..<15))
  }

  func testPacksOfHalfOfTheMostOrMoreAreLeftAlone() {
    XCTAssertEqual(givenUp(packs(Array(repeating: 4 << 20, count: 100))), [])
    XCTAssertEqual(givenUp(packs(Array(repeating: 8 << 20, count: 100))), [])
  }

  func testPacksAreFewAndHalfLiveAfterAnyChanges() {
    for seed in 1...12 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...3_000, using: &random)
      var model = PackingModel(
        sizes: (0..<count).map { _ in 1 << Int.random(in: 0...18, using: &random) })
      for _ in 0..<40 {
        model.publish()
        assertBounds(model, "seed \(seed)")
        let most = count / Int.random(in: 1...30, using: &random)
        for _ in 0..<Int.random(in: 0...most, using: &random) {
          model.change(
            Int.random(in: 0..<count, using: &random),
            to: 1 << Int.random(in: 0...18, using: &random))
        }
      }
    }
  }

  /// Full packs are left alone, also where packs of a good half of their size stand beside them.
  func testFullPacksAreNotMergedWithTheirHalves() {
    let unit = Self.unit
    let sizes = [15 * unit] + Array(repeating: 29 * unit, count: 20)
    XCTAssertEqual(givenUp(packs(sizes), files: 1_000, bytes: 15 * unit), [])
  }

  func testTwoYearsOfWeeklyChangesOfAFewThousandFilesCostAtMostFourTimesTheirBytes() {
    for count in [300, 2_000, 8_000, 10_000] { changeWeekly(count) }
  }

  func testTwoYearsOfWeeklyChangesOfAHundredThousandFilesCostAtMostFourTimesTheirBytes() {
    for count in [20_000, 50_000, 100_000] { changeWeekly(count) }
  }

  private func changeWeekly(_ count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    var model = PackingModel(sizes: Array(repeating: 4_096, count: count))
    model.publish()
    let (start, weekly) = (model.written, count / 50)
    for week in 1...104 {
      for _ in 0..<weekly { model.change(Int.random(in: 0..<count, using: &random)) }
      model.publish()
      assertBounds(model, "\(count) files, week \(week)")
    }
    let share = Double(model.written - start) / Double(104 * weekly * 4_096)
    XCTAssertLessThanOrEqual(share, 4, "\(count) files")
    XCTAssertGreaterThan(share, 0.5, "\(count) files")
  }

  func testTwoThousandTimesOneFileCostsAtMostFourTimesTheirBytes() {
    for count in [1, 2_000] {
      var random = SeededGenerator(seed: 7)
      var model = PackingModel(sizes: Array(repeating: 4_096, count: count + 2_000))
      for file in 0..<2_000 {
        model.change(count > 1 ? Int.random(in: 0..<count, using: &random) : file)
        model.publish()
        assertBounds(model, "publish \(file)")
      }
      XCTAssertLessThanOrEqual(model.written, 4 * 4_096 * Int64(4_000 + count))
    }
  }

  private func assertBounds(
    _ model: PackingModel, _ claim: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertGreaterThanOrEqual(model.leastShare, 0.5, claim, file: file, line: line)
    XCTAssertFalse(PackPolicy.isWorthPacking(model.load), claim, file: file, line: line)
    let least = (model.live + PackPolicy.mostBytes - 1) / PackPolicy.mostBytes
    var (steps, size) = (0, model.smallest ?? .max)
    while size < PackPolicy.mostBytes / 2 { (steps, size) = (steps + 1, size * 2) }
    XCTAssertLessThanOrEqual(
      model.count, 2 * Int(least) + 8 * steps, claim, file: file, line: line)
  }
}
