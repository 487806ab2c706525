import TestSupport
import XCTest

@testable import RecordSync

/// What is remembered of keys, in bounded memory.
final class KeySampleTests: XCTestCase {
  func testAChildUnderTwoParentsIsShared() {
    var parents = ParentSample()
    parents.add(1, under: 10)
    parents.add(2, under: 10)
    parents.add(1, under: 10)
    XCTAssertFalse(parents.isShared)
    var elsewhere = ParentSample()
    elsewhere.add(2, under: 11)
    XCTAssertFalse(elsewhere.isShared)
    elsewhere.add(parents)
    XCTAssertTrue(elsewhere.isShared)
    parents.add(1, under: 11)
    XCTAssertTrue(parents.isShared)
    XCTAssertEqual(parents.count, 0, "nothing more is to be found out")
  }

  func testOfManyChildrenAPartIsRememberedAndManySharedOnesAreFound() {
    var random = SeededGenerator(seed: 1)
    let children = (0..<10_000).map { _ in UInt64.random(in: 0...(.max), using: &random) }
    var parents = ParentSample(most: 100)
    for child in children { parents.add(child, under: 1) }
    XCTAssertFalse(parents.isShared)
    XCTAssertLessThanOrEqual(parents.count, 100)
    XCTAssertGreaterThan(parents.count, 20)
    for child in children where !parents.isShared { parents.add(child, under: 2) }
    XCTAssertTrue(parents.isShared)
  }

  func testAKeyThatIsMissingIsNoticed() {
    var keys = KeySample()
    var named = KeySample()
    for digest in 1...5 { keys.add(UInt64(digest)) }
    named.add(3)
    XCTAssertTrue(keys.hasAll(of: named))
    named.add(6)
    XCTAssertFalse(keys.hasAll(of: named))
    XCTAssertTrue(keys.hasAll(of: KeySample()))
  }

  func testOfManyKeysThoseThatMayHaveBeenThereAreTakenForThere() {
    var random = SeededGenerator(seed: 2)
    let all = (0..<10_000).map { _ in UInt64.random(in: 0...(.max), using: &random) }
    var (keys, named, strangers) = (KeySample(most: 100), KeySample(most: 50), KeySample(most: 50))
    for digest in all {
      keys.add(digest)
      named.add(digest)
      strangers.add(~digest)
    }
    XCTAssertLessThanOrEqual(keys.count, 100)
    XCTAssertTrue(keys.hasAll(of: named))
    var more = strangers
    more.add(keys)
    XCTAssertFalse(keys.hasAll(of: more))
  }
}
