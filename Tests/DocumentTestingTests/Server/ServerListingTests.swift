import DocumentSync
import DocumentTesting
import XCTest

final class ServerListingTests: XCTestCase {
  private func server(pageSize: Int = 2, documents: Int) -> TableServer {
    var server = TableServer()
    server.state.manners.pageSize = pageSize
    for number in 0..<documents { _ = server.create("\(number)", id: DocumentID("\(number)")) }
    return server
  }

  private func page(
    _ server: TableServer, _ place: ChangesPlace, line: UInt = #line
  ) throws -> ChangePage {
    guard case .page(let page) = server.state.changes(in: "notes", from: place) else {
      XCTFail("no page", line: line)
      return ChangePage(extent: .everything, documents: [])
    }
    return page
  }

  /// Ids in order, a page by page; removed ones with a minus.
  private func ids(_ page: ChangePage) -> String {
    page.documents.map { $0.state.copy == nil ? "-\($0.id)" : "\($0.id)" }.joined(separator: " ")
  }

  func testAListGoesByTheMomentsOfTheChanges() throws {
    var server = server(documents: 3)
    _ = server.send(
      .update(
        DocumentID("0"), ["text": "later"],
        from: try XCTUnwrap(server.state.document(DocumentID("0"), in: "notes")?.version),
        in: "notes", key: nil))
    let first = try page(server, .beginning)
    XCTAssertEqual(ids(first), "1 2")
    XCTAssertEqual(ids(try page(server, .page(try XCTUnwrap(first.next)))), "0")
  }

  func testAnEmptyCollectionHasACheckpoint() throws {
    let server = server(documents: 0)
    let empty = try page(server, .beginning)
    XCTAssertEqual(empty.documents, [])
    XCTAssertNil(empty.next)
    let checkpoint = try XCTUnwrap(empty.checkpoint)
    XCTAssertEqual(server.state.changes(in: "notes", from: .since(checkpoint)), .unchanged)
  }

  func testTheCheckpointOfEachPageIsAPlaceToGoOn() throws {
    let server = server(documents: 5)
    let first = try page(server, .beginning)
    let rest = try page(server, .since(try XCTUnwrap(first.checkpoint)))
    XCTAssertEqual(ids(rest), "2 3")
    XCTAssertEqual(rest.extent, .changes)
  }

  func testWhatIsRemovedWhilePagesAreAskedForIsToldAtTheEnd() throws {
    var server = server(documents: 3)
    let first = try page(server, .beginning)
    let removed = try XCTUnwrap(server.state.document(DocumentID("0"), in: "notes"))
    _ = server.send(.delete(DocumentID("0"), from: removed.version, in: "notes", key: nil))
    XCTAssertEqual(ids(try page(server, .page(try XCTUnwrap(first.next)))), "2 -0")
    XCTAssertEqual(ids(try page(server, .beginning)), "1 2")
  }

  func testDeletionsAreToldAfterACheckpointOnlyByAServerThatRemembersThem() throws {
    var server = TableServer()
    server.put("one")
    let checkpoint = try XCTUnwrap(try page(server, .beginning).checkpoint)
    server.remove()
    XCTAssertEqual(ids(try page(server, .since(checkpoint))), "-one")
    server.leave(.tombstones)
    XCTAssertEqual(server.state.changes(in: "notes", from: .since(checkpoint)), .unchanged)
  }

  func testAServerThatForgotSaysSoOfCheckpointsAndMarks() throws {
    var server = server(documents: 3)
    let first = try page(server, .beginning)
    server.state.flush()
    XCTAssertEqual(
      server.state.changes(in: "notes", from: .since(try XCTUnwrap(first.checkpoint))), .forgot)
    XCTAssertEqual(
      server.state.changes(in: "notes", from: .page(try XCTUnwrap(first.next))), .forgot)
    XCTAssertEqual(
      server.state.changes(in: "notes", from: .since("of another")), .forgot)
  }

  func testAServerThatTellsNoChangesListsEverythingEachTime() throws {
    var server = server(pageSize: 9, documents: 2)
    let checkpoint = try XCTUnwrap(try page(server, .beginning).checkpoint)
    server.leave(.changes)
    let all = try page(server, .since(checkpoint))
    XCTAssertEqual(all.extent, .everything)
    XCTAssertEqual(ids(all), "0 1")
    XCTAssertNil(all.checkpoint)
  }

  func testWhatCannotBeReadIsToldAndEndsNothing() throws {
    var server = server(pageSize: 9, documents: 3)
    server.state.scramble(DocumentID("1"), in: "notes")
    let page = try page(server, .beginning)
    XCTAssertEqual(ids(page), "0 2")
    XCTAssertEqual(page.unreadable.map(\.id), [DocumentID("1")])
    XCTAssertEqual(page.unreadable.map(\.place), [1])
    server.state.mend(DocumentID("1"), in: "notes")
    XCTAssertEqual(ids(try self.page(server, .beginning)), "0 1 2")
  }

  func testOfEqualMomentsNoneIsMissed() throws {
    var server = TableServer()
    server.state.manners.stamps = .asTheClockSays
    server.state.manners.pageSize = 2
    for number in 0..<5 {
      server.now = 1_000
      _ = server.create("\(number)", id: DocumentID("\(number)"))
    }
    let first = try page(server, .beginning)
    XCTAssertEqual(ids(first), "0 1")
    let again = try page(server, .since(try XCTUnwrap(first.checkpoint)))
    XCTAssertEqual(ids(again), "0 1")
    let next = try page(server, .page(try XCTUnwrap(again.next)))
    XCTAssertEqual(ids(next), "2 3")
  }
}
