import XCTest

@testable import DocumentSync

/// What tables of `OutboxEntry` are made of.
class EntryTableTestCase: XCTestCase {
  typealias Start = EntryStart

  /// What is expected: what is to be done, and the change and the phase afterwards, which say
  /// nothing of an entry that leaves.
  struct Row {
    var step: EntryStep
    /// `nil`: as it was.
    var change: OutboxEntry.Change?
    /// `nil`: as it was.
    var phase: OutboxEntry.Phase?

    /// Nothing happens.
    static let nothing = Row(step: .stays)

    static func stays(
      _ change: OutboxEntry.Change? = nil, _ phase: OutboxEntry.Phase? = nil
    ) -> Row {
      Row(step: .stays, change: change, phase: phase)
    }

    static func leaves(_ departure: Departure) -> Row { Row(step: .leaves(departure)) }

    /// The server has that revision; the rest goes on from there.
    static func reaches(_ revision: Revision, _ change: OutboxEntry.Change) -> Row {
      Row(step: .takesBase(revision, .two), change: change, phase: .waiting)
    }

    static let vanishes = Row(step: .losesBase, change: .create, phase: .waiting)

    static func meets(_ refusal: Refusal?) -> Row { Row(step: .meets, phase: .contested(refusal)) }
  }

  /// Has each start see an event, and compares what comes of it with its row.
  func expect(
    _ event: (inout OutboxEntry) -> EntryStep, line: UInt = #line, _ row: (Start) -> Row
  ) {
    for start in Start.allCases {
      let before = start.entry
      var entry = before
      let step = event(&entry)
      let row = row(start)
      XCTAssertEqual(step, row.step, "\(start)", line: line)
      if case .leaves = step { continue }
      XCTAssertEqual(entry.change, row.change ?? before.change, "\(start)", line: line)
      XCTAssertEqual(entry.phase, row.phase ?? before.phase, "\(start)", line: line)
      if step == .later { XCTAssertEqual(entry, before, "\(start)", line: line) }
    }
  }
}
