import TestSupport
import XCTest

@testable import RecordSync

/// What is noted of keys, and what the notes say.
final class KeyLedgerTests: XCTestCase {
  private func object(
    _ key: UInt64, _ content: UInt64, at place: UInt32 = 1, under parent: UInt64 = 0
  ) -> KeyNote {
    KeyNote(
      kind: .object, key: key, byKey: content, byContent: content, parent: parent, place: place)
  }

  private func member(
    _ key: UInt64, _ byKey: UInt64, _ byContent: UInt64? = nil, at place: UInt32 = 1,
    body: UInt32 = 1, member: UInt64 = 5
  ) -> KeyNote {
    KeyNote(
      kind: .member, key: key, member: member, byKey: byKey, byContent: byContent ?? byKey,
      place: place, body: body)
  }

  private func findings(
    _ notes: [KeyNote], limit: Int = 1 << 18, groups: [Int] = []
  ) throws -> KeyFindings {
    let ledger = KeyLedger(limit: limit)
    for note in notes { try ledger.add(note) }
    XCTAssertEqual(ledger.isOnDisk, notes.count >= limit)
    var findings = KeyFindings()
    try findings.add(ledger, groups: groups) { key, member in
      Contradiction(key: "\(key)", member: "\(member)", rank: Int(truncatingIfNeeded: key >> 1))
    }
    return findings
  }

  func testOnlyAKeyWhoseObjectsAreNotAllTheSameIsDoubtful() throws {
    let found = try findings([object(1, 7), object(2, 8), object(1, 7, at: 2), object(3, 9)])
    XCTAssertEqual(found.doubtful, [])
    XCTAssertEqual(found.together, [.init(1, 2)])
    XCTAssertEqual(try findings([object(1, 7), object(1, 8)]).doubtful, [1])
  }

  func testAKeyUnderSeveralParentsIsFoundAtOnePlaceAndAtTwo() throws {
    XCTAssertEqual(
      try findings([object(1, 7, under: 3), object(1, 7, under: 4)]).several, [.init(1, 1)])
    XCTAssertEqual(try findings([object(1, 7, under: 3), object(1, 7, under: 3)]).several, [])
    XCTAssertEqual(
      try findings([object(1, 7, under: 3), object(1, 7, at: 2, under: 4)]).several, [.init(1, 2)])
    XCTAssertEqual(
      try findings([object(1, 7, under: 3), object(1, 7, at: 2), object(2, 7, under: 4)]).several,
      [])
  }

  func testObjectsOfOneKeySayNothingOfEachOtherWhereTheyAreNoRowsOfOneTable() throws {
    let notes = [object(1, 7, under: 3), object(1, 8, at: 2, under: 4)]
    XCTAssertEqual(try findings(notes, groups: [0, 1, 2]), KeyFindings())
    let found = try findings(notes, groups: [0, 1, 1])
    XCTAssertEqual(found.doubtful, [1])
    XCTAssertEqual(found.several, [.init(1, 2)])
    // Beside another of the same table, too.
    let more = try findings(notes + [object(1, 7, at: 2, under: 5)], groups: [0, 1, 2])
    XCTAssertEqual(more.several, [.init(2, 2)])
  }

  func testValuesOfOneMemberContradictEachOtherInOneBodyOnly() throws {
    let pair = KeyFindings.Pair(1, 1)
    let one = try findings([member(1, 7), member(1, 8)])
    XCTAssertEqual(one.differing[pair]?.key, "1")
    XCTAssertEqual(one.differingLater[pair]?.member, "5")
    let two = try findings([member(1, 7), member(1, 8, body: 2)])
    XCTAssertEqual(two.differing, [:])
    XCTAssertEqual(Set(two.differingLater.keys), [pair])
    // A later body contradicts itself.
    let later = try findings([member(1, 7), member(1, 8, body: 2), member(1, 7, body: 2)])
    XCTAssertEqual(Set(later.differing.keys), [pair])
    let places = try findings([member(1, 7), member(1, 8, at: 2), member(1, 8, at: 3)])
    XCTAssertEqual(Set(places.differing.keys), [.init(1, 2), .init(1, 3)])
  }

  /// Digests are others in each run, and so is the order of members.
  func testOfTwoMembersThatDifferTheLesserNameIsTheExample() throws {
    let notes = [9, 10].flatMap { [member(2, 7, member: $0), member(2, 8, member: $0)] }
    let found = try findings(notes)
    XCTAssertEqual(found.differing.values.map(\.member), ["10"])
    XCTAssertEqual(found.differingLater.values.map(\.member), ["10"])
    // What came first in the payload counts more.
    let more = try findings(notes + [member(1, 7, member: 9), member(1, 8, member: 9)])
    XCTAssertEqual(more.differing.values.map(\.key), ["1"])
  }

  func testWhatDiffersOnlyInWhatItHoldsIsToldApart() throws {
    let found = try findings([member(1, 7, 1), member(1, 7, 2, at: 2)])
    XCTAssertEqual(found.differing, [:])
    XCTAssertEqual(found.differingWithin, [.init(1, 2)])
  }

  func testAPlainValueIsHeldAgainstThePlacesWhereItsObjectStands() throws {
    let name = KeyNote(kind: .name, key: 1, member: 4, place: 9)
    XCTAssertEqual(try findings([name]).named, [4: [[]]])
    XCTAssertEqual(
      try findings([name, object(1, 7, at: 3), object(1, 7)]).named, [4: [[1, 3]]])
  }

  /// Notes beyond the limit lie in parts on the disk, and say the same.
  func testPartsOnTheDiskSayTheSameAsAllInMemory() throws {
    for seed in seeds(usually: 10) {
      var random = SeededGenerator(seed: seed)
      let notes = (0..<2_000).map { _ in note(using: &random) }
      let whole = try findings(notes)
      XCTAssertEqual(try findings(notes, limit: 100), whole, "seed \(seed)")
      XCTAssertEqual(try findings(notes.shuffled(using: &random)), whole, "seed \(seed)")
      XCTAssertEqual(whole.doubtful, doubtful(notes), "seed \(seed)")
      XCTAssertEqual(Set(whole.differing.keys), differing(notes), "seed \(seed)")
    }
  }

  private func note(using random: inout SeededGenerator) -> KeyNote {
    // Spread over all parts.
    let key = UInt64.random(in: 0..<500, using: &random) << 55
    let place = UInt32.random(in: 1...4, using: &random)
    let value = UInt64.random(in: 0..<20, using: &random) / 19
    if Bool.random(using: &random) {
      let parent = UInt64.random(in: 0...2, using: &random)
      return object(key, value, at: place, under: parent)
    }
    let body = UInt32.random(in: 1...3, using: &random)
    return member(key, value, at: place, body: body)
  }

  private func doubtful(_ notes: [KeyNote]) -> Set<UInt64> {
    let objects = Dictionary(grouping: notes.filter { $0.kind == .object }, by: \.key)
    return Set(objects.filter { Set($0.value.map(\.byContent)).count > 1 }.keys)
  }

  private func differing(_ notes: [KeyNote]) -> Set<KeyFindings.Pair> {
    var pairs: Set<KeyFindings.Pair> = []
    let members = Dictionary(grouping: notes.filter { $0.kind == .member }, by: \.key)
    for said in members.values {
      for one in said {
        for other in said where one.body == other.body && one.byKey != other.byKey {
          pairs.insert(.init(Int(one.place), Int(other.place)))
          // What is one place's in two ways differs from whatever another says.
          let (places, body) = ([one.place, other.place], one.body)
          for third in said where third.body == body && places[0] == places[1] {
            pairs.insert(.init(Int(one.place), Int(third.place)))
          }
        }
      }
    }
    return pairs
  }
}
