@testable import SyncEngine
@testable import OneWaySynchronizer
import TestSupport
import XCTest

final class KeyTableTests: XCTestCase {
  private struct Thing: SyncItem {
    let id: Int
  }

  /// A key whose hash is one of three, so that nearly every key meets others on its way.
  private struct Crowded: Hashable, Sendable {
    let number: Int

    func hash(into hasher: inout Hasher) { hasher.combine(number % 3) }
  }

  private struct CrowdedThing: SyncItem {
    let id: Crowded
  }

  func testItNamesWhatTheListNamesAndNothingElse() throws {
    for count in [0, 1, 2, 3, 4, 7, 8, 9, 1_000, 4_095, 4_096, 4_097] {
      let table = try KeyTable((0..<count).map { Thing(id: $0 * 7) })
      for key in -1...(count * 7) {
        let isNamed = key >= 0 && key % 7 == 0 && key < count * 7
        XCTAssertEqual(table.contains(key), isNamed, "\(key) of \(count)")
      }
    }
  }

  func testKeysOfEqualHashesAreToldApart() throws {
    let table = try KeyTable((0..<200).map { CrowdedThing(id: Crowded(number: $0)) })
    for number in 0..<400 {
      XCTAssertEqual(table.contains(Crowded(number: number)), number < 200, "\(number)")
    }
  }

  /// A key whose own hash value tells nothing in its lower bits.
  private struct Lofty: Hashable, Sendable {
    let number: Int

    // Deprecated for a reason, and still legal.
    var hashValue: Int { number << 40 }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  private struct LoftyThing: SyncItem {
    let id: Lofty
  }

  func testAKeysOwnHashValueDoesNotMakeItSlow() throws {
    // With these as they are, there would be five thousand million steps.
    let table = try KeyTable((0..<100_000).map { LoftyThing(id: Lofty(number: $0)) })
    XCTAssertTrue(table.contains(Lofty(number: 99_999)))
    XCTAssertFalse(table.contains(Lofty(number: 100_000)))
  }

  func testAKeyThatStandsThereTwiceIsRefused() {
    for (first, second) in [(0, 1), (0, 199), (198, 199)] {
      var numbers = Array(0..<200)
      numbers[second] = numbers[first]
      XCTAssertThrowsError(try KeyTable(numbers.map { CrowdedThing(id: Crowded(number: $0)) })) {
        XCTAssertEqual($0 as? ListProblem<Crowded>, .duplicateKey(Crowded(number: numbers[first])))
      }
      assertThrows(
        ListProblem<Int>.duplicateKey(numbers[first]), try KeyTable(numbers.map { Thing(id: $0) }))
    }
  }
}
