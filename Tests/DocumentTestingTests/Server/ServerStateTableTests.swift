import DocumentSync
import DocumentTesting
import XCTest

/// Every state of a document beside everything that can be asked for it.
final class ServerStateTableTests: XCTestCase {
  private enum Held: CaseIterable {
    case nothing, present, changed, removed, anew, unreadable
  }

  private enum Asked: CaseIterable {
    case create, update, staleUpdate, delete, staleDelete, look
  }

  /// Status, and what is shown; "=" before what was stored or removed by it.
  private let table: [Held: [Asked: String]] = [
    .nothing: [
      .create: "201 =new", .update: "404", .staleUpdate: "404", .delete: "404",
      .staleDelete: "404", .look: "404",
    ],
    .present: [
      .create: "412 shows old", .update: "200 =new", .staleUpdate: "412 shows old",
      .delete: "200 =gone", .staleDelete: "412 shows old", .look: "200 shows old",
    ],
    .changed: [
      .create: "412 shows changed", .update: "200 =new", .staleUpdate: "412 shows changed",
      .delete: "200 =gone", .staleDelete: "412 shows changed", .look: "200 shows changed",
    ],
    .removed: [
      .create: "201 =new", .update: "412 shows gone", .staleUpdate: "412 shows gone",
      .delete: "410 shows gone", .staleDelete: "410 shows gone", .look: "410 shows gone",
    ],
    .anew: [
      .create: "412 shows anew another", .update: "200 =new",
      .staleUpdate: "412 shows anew another", .delete: "200 =gone",
      .staleDelete: "412 shows anew another", .look: "200 shows anew another",
    ],
    .unreadable: [
      .create: "412", .update: "200 =new", .staleUpdate: "412", .delete: "200 =gone",
      .staleDelete: "412", .look: "200",
    ],
  ]

  func testEveryRequestMeetsEveryState() {
    for held in Held.allCases {
      for asked in Asked.allCases {
        var server = TableServer()
        prepare(held, at: &server)
        XCTAssertEqual(answer(asked, by: &server), table[held]?[asked], "\(held), \(asked)")
      }
    }
  }

  func testWithoutPreconditionsTheLastOneWins() {
    for asked in [Asked.create, .update, .staleUpdate] {
      var server = TableServer()
      server.leave(.preconditions)
      prepare(.changed, at: &server)
      XCTAssertEqual(answer(asked, by: &server), "200 =new", "\(asked)")
    }
    var server = TableServer()
    server.leave(.preconditions)
    prepare(.changed, at: &server)
    XCTAssertEqual(answer(.staleDelete, by: &server), "200 =gone")
  }

  func testWithoutTombstonesNobodyIsToldOfADeletion() {
    let answers = [Asked.update: "412", .delete: "404", .look: "404"]
    for (asked, expected) in answers {
      var server = TableServer()
      server.leave(.tombstones)
      prepare(.removed, at: &server)
      XCTAssertEqual(answer(asked, by: &server), expected, "\(asked)")
    }
  }

  func testWithoutRevivalsWhatWasMadeAnewLooksLikeAChange() {
    var server = TableServer()
    server.leave(.revivals)
    prepare(.anew, at: &server)
    XCTAssertEqual(answer(.look, by: &server), "200 shows another")
  }

  func testAServerMayRefuseToMakeAnewWhatWasRemoved() {
    var server = TableServer()
    server.state.manners.revival = .refused
    prepare(.removed, at: &server)
    XCTAssertEqual(answer(.create, by: &server), "412 shows gone")
  }

  func testAServerMayKeepToItselfWhatItHas() {
    var server = TableServer()
    server.state.manners.showsConflicts = false
    prepare(.changed, at: &server)
    XCTAssertEqual(answer(.staleUpdate, by: &server), "412")
  }

  func testAServerThatIsReadOnlyTakesNothing() {
    for asked in Asked.allCases where asked != .look {
      var server = TableServer()
      prepare(.present, at: &server)
      server.state.manners.capabilities.isReadOnly = true
      XCTAssertEqual(answer(asked, by: &server), "403", "\(asked)")
    }
  }

  // MARK: - Rows

  private func prepare(_ held: Held, at server: inout TableServer) {
    guard held != .nothing else { return }
    server.put("old")
    switch held {
    case .nothing, .present: break
    case .changed: server.put("changed")
    case .removed: server.remove()
    case .anew:
      server.remove()
      server.put("another")
    case .unreadable: server.state.scramble(TableServer.id, in: TableServer.collection)
    }
  }

  private func answer(_ asked: Asked, by server: inout TableServer) -> String {
    let before = server.held
    let version = before?.version ?? DocumentVersion("none")
    let stale = DocumentVersion("stale")
    let answer =
      switch asked {
      case .create: server.create("new")
      case .update: server.update("new", from: version)
      case .staleUpdate: server.update("new", from: stale)
      case .delete: server.delete(from: version)
      case .staleDelete: server.delete(from: stale)
      case .look: server.send(.look(at: TableServer.id, in: TableServer.collection))
      }
    var parts = ["\(answer.status)"]
    if let shown = answer.shown { parts += ["shows", TableServer.text(of: shown)] }
    if server.held != before {
      XCTAssertEqual(server.held?.version, answer.version)
      parts.append("=" + (server.documentText ?? "gone"))
    }
    return parts.joined(separator: " ")
  }
}
