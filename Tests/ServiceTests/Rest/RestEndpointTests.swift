import TestSupport
import DocumentSync
import XCTest

@testable import DocumentEndpoints

/// Rows of services, whatever their dialect.
final class RestEndpointTests: RestTestCase {
  private let (milk, seven) = (DocumentID("a b/ü"), DocumentID("7"))
  private let first: DocumentValue = ["name": "Milk", "n": 1]
  private let second: DocumentValue = ["name": "Oat milk", "large": 9_007_199_254_740_993]

  func testARowIsStoredChangedShownAndRemoved() async throws {
    for (dialect, id) in [("plain", milk), ("sync", milk), ("old", seven)] {
      let endpoint = try endpoint(dialect)
      let created = try await endpoint.answer(to: .create(id, first, in: "notes", key: "1"))
      XCTAssertNil(created.shown, dialect)
      let version = try XCTUnwrap(created.version, dialect)
      let updated = try await endpoint.answer(
        to: .update(id, second, from: version, in: "notes", key: "2"))
      let next = try XCTUnwrap(updated.version, dialect)
      XCTAssertNotEqual(next, version, dialect)
      let shown = try await endpoint.answer(to: .look(at: id, in: "notes"))
      XCTAssertEqual(shown.shown?.copy?.value, second, dialect)
      XCTAssertEqual(shown.shown?.copy?.version, next, dialect)
      let removed = try await endpoint.answer(to: .delete(id, from: next, in: "notes", key: "3"))
      XCTAssertEqual(removed.status, 200, dialect)
      let gone = try await endpoint.answer(to: .look(at: id, in: "notes"))
      XCTAssertEqual(gone.status, dialect == "sync" ? 410 : 404, dialect)
      XCTAssertEqual(gone.subject, .document, dialect)
    }
  }

  func testAServiceWithDatesIsAskedForChangesAndAnyOtherForEverything() async throws {
    let (sync, plain) = (try endpoint("sync"), try endpoint("plain"))
    for endpoint in [sync, plain] {
      for n in 0..<3 {
        let row: DocumentValue = ["n": DocumentValue(n)]
        _ = await endpoint.push(.create(DocumentID("\(n)"), row, in: "a", key: nil))
      }
    }
    let all = try await sync.page("a", .beginning)
    XCTAssertEqual(all.documents.map(\.id.text), ["0", "1", "2"])
    XCTAssertEqual(all.extent, .everything)
    let checkpoint = try XCTUnwrap(all.checkpoint)
    let last = try XCTUnwrap(all.documents.last?.state.copy?.version)
    _ = try await sync.answer(to: .delete(DocumentID("2"), from: last, in: "a", key: nil))
    let changes = try await sync.page("a", .since(checkpoint))
    XCTAssertEqual(changes.extent, .changes)
    XCTAssertEqual(changes.documents.map(\.id.text), ["2"])
    XCTAssertNil(changes.documents.first?.state.copy)

    let listed = try await plain.page("a", .beginning)
    XCTAssertEqual(listed.extent, .everything)
    XCTAssertNil(listed.checkpoint)
    XCTAssertEqual(listed.documents.count, 3)
  }

  func testAListGoesOnAtThePageThatItNames() async throws {
    let endpoint = try endpoint("sync")
    for n in 0..<12 {
      let row: DocumentValue = ["n": DocumentValue(n)]
      _ = await endpoint.push(.create(DocumentID("\(n)"), row, in: "a", key: nil))
    }
    var (ids, place, pages) = ([String](), ChangesPlace.beginning, 0)
    while true {
      let page = try await endpoint.page("a", place)
      ids += page.documents.map(\.id.text)
      pages += 1
      XCTAssertEqual(page.checkpoint == nil, page.next != nil)
      guard let next = page.next else { break }
      place = .page(next)
    }
    XCTAssertEqual(ids, (0..<12).map { "\($0)" })
    XCTAssertEqual(pages, 3)
  }

  func testTheValueOfTheConflictFlagCountsAndTheServersRowIsShown() async throws {
    let endpoint = try endpoint("sync")
    let created = await endpoint.push(.create(milk, first, in: "a", key: nil))
    let version = try XCTUnwrap(try created.answered.version)
    _ = try await endpoint.answer(to: .update(milk, second, from: version, in: "a", key: nil))
    let late = try await endpoint.answer(to: .update(milk, first, from: version, in: "a", key: nil))
    XCTAssertEqual(late.status, 412)
    XCTAssertEqual(late.shown?.copy?.value, second)
    let deletion = try await endpoint.answer(to: .delete(milk, from: version, in: "a", key: nil))
    XCTAssertEqual(deletion.status, 412)
    try await assertEqual(endpoint.answer(to: .create(milk, first, in: "a", key: nil)).status, 412)
  }

  func testAnErrorInsideASuccessIsARefusalInTheServicesWords() async throws {
    let endpoint = try endpoint("old")
    let refused = try await endpoint.answer(
      to: .create(seven, ["name": "unwanted"], in: "a", key: nil))
    XCTAssertEqual(refused, PushAnswer(status: 400, words: "nobody wants it"))
    try await assertEqual(endpoint.page("a", .beginning).documents, [])
  }

  func testOtherEncodingsThanUTF8AreRead() async throws {
    let endpoint = try endpoint("old")
    let content: DocumentValue = ["name": "Käse für Zoë"]
    try await assertNil(endpoint.answer(to: .create(seven, content, in: "a", key: nil)).shown)
    let listed = try await endpoint.page("a", .beginning)
    XCTAssertEqual(listed.documents.first?.state.copy?.value, content)
  }

  func testQueriesAreGivenOnAsTheyAreAndSorted() async throws {
    let endpoint = try endpoint("plain")
    for (id, name) in [("1", "Te St"), ("2", "other"), ("3", "a te st")] {
      let row: DocumentValue = ["name": DocumentValue(name), "kind": "x"]
      _ = await endpoint.push(.create(DocumentID(id), row, in: "a", key: nil))
    }
    let reply = try await endpoint.documents(
      in: "a", matching: [("name__icontains", "te st")], sortedBy: ["kind", "-name"])
    guard case .page(let found) = reply.end else { return XCTFail("\(reply.end)") }
    XCTAssertEqual(found.documents.map(\.id.text), ["3", "1"])
    XCTAssertEqual(found.extent, .changes, "it says nothing of other rows")
  }

  func testAProcedureIsCalledByItsName() async throws {
    let endpoint = try endpoint("plain")
    let said = try await endpoint.callProcedure("touch", of: "a", id: seven, sending: ["n": 1])
    XCTAssertEqual(said, ["touched": ["7"], "with": ["n": 1]])
  }

  func testClosuresAreAskedInTheirOrder() async throws {
    let endpoint = try endpoint("plain") { dialect in
      dialect.prepare = { $0.model = "prefixed-\($0.model)" }
      dialect.problem = { $0["name"]?.string == "PROBLEM" ? "it's a problem" : nil }
      dialect.writing = { try $0.setting("name", to: $0["title"]).setting("title", to: nil) }
      dialect.reading = { try $0.setting("title", to: $0["name"]).setting("name", to: nil) }
      dialect.isConflict = { $0["name"]?.string == "CONFLICT" }
    }
    let stored = try await endpoint.answer(
      to: .create(DocumentID("1"), ["title": "Milk"], in: "a", key: nil))
    XCTAssertNil(stored.shown)
    let raw = try await self.endpoint("plain").page("prefixed-a", .beginning)
    XCTAssertEqual(raw.documents.first?.state.copy?.value, ["name": "Milk"])
    let problem = try await endpoint.answer(
      to: .create(DocumentID("2"), ["title": "PROBLEM"], in: "a", key: nil))
    XCTAssertEqual(problem, PushAnswer(status: 400, words: "it's a problem"))
    let conflict = try await endpoint.answer(
      to: .create(DocumentID("3"), ["title": "CONFLICT"], in: "a", key: nil))
    XCTAssertEqual(conflict.status, 412)
    XCTAssertEqual(conflict.shown?.copy?.value, ["title": "CONFLICT"])
  }

  func testNullIsAValueOrNothing() async throws {
    let kept = try endpoint("plain")
    _ = await kept.push(.create(DocumentID("1"), ["a": .null, "b": 1], in: "a", key: nil))
    let cleared = try endpoint("plain") { $0.clearsNulls = true }
    try await assertEqual(
      kept.page("a", .beginning).documents.first?.state.copy?.value, ["a": .null, "b": 1])
    try await assertEqual(
      cleared.page("a", .beginning).documents.first?.state.copy?.value, ["b": 1])
    XCTAssertNotNil(cleared.problem(with: DocumentID("1"), ["a": .null], in: "a"))
  }

  func testARowThatIsNoneIsToldAndTheOthersCount() async throws {
    let endpoint = try endpoint("plain") { $0.modified = "changed" }
    let plain = try self.endpoint("plain")
    for (id, date) in [("1", "2026-11-24T00:00:00Z"), ("2", "yesterday")] {
      let row: DocumentValue = ["changed": DocumentValue(date)]
      _ = await plain.push(.create(DocumentID(id), row, in: "a", key: nil))
    }
    let listed = try await endpoint.page("a", .beginning)
    XCTAssertEqual(listed.documents.map(\.id.text), ["1"])
    XCTAssertEqual(listed.unreadable.map(\.id?.text), ["2"])
  }

  func testASuccessWithoutContentCountsWhereRowsHaveNoDates() async throws {
    let endpoint = try endpoint("plain")
    let quiet: DocumentValue = ["name": "quiet"]
    let stored = try await endpoint.answer(to: .create(milk, quiet, in: "a", key: nil))
    XCTAssertEqual(stored.status, 204)
    let listed = try await endpoint.page("a", .beginning)
    XCTAssertEqual(listed.documents.first?.state.copy?.version, stored.version)
    let dated = try self.endpoint("plain") { $0.modified = "changed" }
    let reply = await dated.push(.create(milk, quiet, in: "a", key: nil))
    XCTAssertEqual(reply.end, .unreadable, "a date is needed")
  }
}
