import DocumentTesting
import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// Files of a server that keeps none, and has addresses for them.
///
/// A file was accepted, a sync said "done", and it never left.
final class AddressedFileTests: AddressedFileTestCase {
  func testTheDocumentGoesThenTheFileThenItsAddress() async throws {
    for isForeseen in [true, false] {
      let shelf = AddressShelf(isForeseen: isForeseen)
      let here = try await replica(shelf)
      let facts = try await attach(here)
      try await assertEqual(here.get(milk), ["n": 1, "picture": ""], "it isn't there yet")
      try await assertEqual(counts(here).up, 1)
      let report = try await here.sync()
      let address = "https://files.example/milk/picture/\(facts.digest.prefix(8))"
      XCTAssertEqual(shelf.state.withLock { $0.contents }, [address: picture])
      XCTAssertEqual(shelf.member("picture"), DocumentValue(address))
      XCTAssertEqual([report.filesSent, report.sent.count, report.failures.count], [1, 2, 0])
      try await assertEqual(here.get(milk)?["picture"], DocumentValue(address))
      try await assertEqual(counts(here), FileCounts())
      assertInOrder(shelf)
      // Nothing is left to be done.
      try await here.sync()
      XCTAssertEqual(shelf.state.withLock { $0.calls }, ["store \(address)"])
    }
  }

  func testItIsBlankAtTheServerBeforeTheFileIsRemoved() async throws {
    let shelf = AddressShelf()
    let here = try await replica(shelf)
    try await attach(here)
    try await here.sync()
    try await assertTrue(here.store.edit { try $0.detach("picture", of: milk) })
    try await assertEqual(here.get(milk), ["n": 1, "picture": ""])
    let report = try await here.sync()
    XCTAssertEqual(shelf.member("picture"), "")
    XCTAssertEqual(shelf.state.withLock { $0.contents }, [:])
    XCTAssertEqual(report.filesRemoved, 1)
    assertInOrder(shelf)
    try await assertFalse(here.store.edit { try $0.detach("picture", of: milk) })
  }

  func testWhatIsTakenOutBeforeItWasSentIsNeverSent() async throws {
    let shelf = AddressShelf()
    let here = try await replica(shelf)
    try await attach(here)
    try await assertTrue(here.store.edit { try $0.detach("picture", of: milk) })
    try await here.sync()
    XCTAssertEqual(shelf.state.withLock { $0.calls }, [])
    try await assertEqual(counts(here), FileCounts())
  }

  func testAnotherFileOfAMemberTakesThePlaceOfTheOneBefore() async throws {
    for isByContent in [true, false] {
      let shelf = AddressShelf(isByContent: isByContent)
      let here = try await replica(shelf)
      try await attach(here)
      try await here.sync()
      try await attach(here, other)
      try await here.sync()
      try await here.sync()
      XCTAssertEqual(shelf.state.withLock { Array($0.contents.values) }, [other])
      try await assertEqual(counts(here), FileCounts())
      assertInOrder(shelf)
      // And the first one again, where it was removed meanwhile.
      try await here.store.edit { _ = try $0.detach("picture", of: milk) }
      try await attach(here)
      for _ in 0..<2 { try await here.sync() }
      XCTAssertEqual(shelf.state.withLock { Array($0.contents.values) }, [picture])
      assertInOrder(shelf)
    }
  }

  func testTheFilesOfADeletedDocumentAreRemoved() async throws {
    let shelf = AddressShelf()
    let here = try await replica(shelf)
    try await attach(here)
    try await here.sync()
    try await here.delete(milk)
    try await here.sync()
    XCTAssertEqual(shelf.state.withLock { $0.contents }, [:])
    assertInOrder(shelf)
  }

  func testADeletionThatWasGivenUpLeavesTheFileWhereItIs() async throws {
    let shelf = AddressShelf()
    let here = try await replica(shelf)
    try await attach(here)
    try await here.sync()
    try await here.delete(milk)
    try await here.store.edit { _ = try $0.resign(milk) }
    try await here.sync()
    XCTAssertEqual(shelf.state.withLock { Array($0.contents.values) }, [picture])
    assertInOrder(shelf)
    try await here.store.edit { _ = try $0.detach("picture", of: milk) }
    try await here.sync()
    XCTAssertEqual(shelf.state.withLock { $0.contents }, [:])
  }

  func testALostAnswerIsNoSecondFile() async throws {
    let shelf = AddressShelf()
    let here = try await replica(shelf)
    try await attach(here)
    shelf.state.withLock { $0.lost = 1 }
    let report = try await here.sync()
    XCTAssertEqual(shelf.state.withLock { $0.contents.count }, 1)
    XCTAssertEqual(report.failures, [])
    assertInOrder(shelf)
  }

  func testWhatIsRefusedIsToldAndTriedAgainOnDemand() async throws {
    let shelf = AddressShelf()
    let here = try await replica(shelf)
    try await attach(here)
    shelf.state.withLock { $0.answers = [.refused(status: 413, words: "too large")] }
    let report = try await here.sync()
    XCTAssertEqual(report.failures.count, 1)
    try await assertEqual(counts(here).refused, 1)
    XCTAssertEqual(shelf.member("picture"), "")
    try await here.sync()
    XCTAssertEqual(shelf.state.withLock { $0.calls }, [])
    try await here.store.edit { _ = try $0.retry(milk) }
    try await here.sync()
    XCTAssertEqual(shelf.state.withLock { $0.contents.count }, 1)
  }

  func testWhileTheServerDoesNotTakeItsDocumentAFileStaysWhereItIs() async throws {
    let shelf = AddressShelf()
    let here = try await replica(shelf)
    try await attach(here)
    shelf.server.manners.unwanted = [milk]
    try await here.sync()
    XCTAssertEqual(shelf.state.withLock { $0.calls }, [], "it has no document")
    shelf.server.manners.unwanted = []
    try await here.store.edit { _ = try $0.retry(milk) }
    try await here.sync()
    shelf.server.manners.unwanted = [milk]
    try await here.store.edit { _ = try $0.detach("picture", of: milk) }
    try await here.sync()
    XCTAssertEqual(shelf.state.withLock { Array($0.contents.values) }, [picture], "it's named")
    assertInOrder(shelf)
    shelf.server.manners.unwanted = []
    try await here.store.edit { _ = try $0.retry(milk) }
    try await here.sync()
    XCTAssertEqual(shelf.state.withLock { $0.contents }, [:])
    assertInOrder(shelf)
  }

  /// Where an address isn't foreseen, nobody knows it of a file whose answer was lost.
  func testAFileThatMayBeSomewhereIsTold() async throws {
    let shelf = AddressShelf(isForeseen: false)
    let here = try await replica(shelf)
    try await attach(here)
    shelf.state.withLock { $0.lost = 100 }
    _ = try? await here.sync()
    try await here.store.edit { _ = try $0.detach("picture", of: milk) }
    shelf.state.withLock { $0.lost = 0 }
    time.advance(by: .seconds(100_000))
    try await here.sync()
    try await assertEqual(
      troubles(here),
      ["the server may have it, and didn't say where; it can't be removed there"])
  }

  func testAFileWhoseDocumentIsGoneIsToldAndKept() async throws {
    let shelf = AddressShelf()
    let here = try await replica(shelf)
    try await here.sync()
    let facts = try await attach(here)
    let there = try await SyncedReplica(shelf.endpoint(named: "there"), time)
    try await there.sync()
    try await there.delete(milk)
    try await there.sync()
    let report = try await here.sync()
    XCTAssertEqual(report.failures.map(\.name), ["milk"])
    XCTAssertTrue(report.failures[0].words.contains("its document is gone"))
    try await assertEqual(here.store.files.bytes(of: facts.digest), picture)
    try await assertEqual(here.sync().failures, [], "it's told once")
    time.advance(by: .seconds(31 * 86_400))
    try await here.sync()
    try await assertNil(here.store.files.bytes(of: facts.digest))
  }

  func testAFileThatAnotherDeviceBroughtThereIsRemovedFromThereToo() async throws {
    let shelf = AddressShelf()
    func device(_ name: String) async throws -> DocumentReplica {
      try await DocumentReplica(
        .memory, endpoint: shelf.endpoint(named: name), options: ReplicaRig.options())
    }
    let (phone, desk) = (try await device("phone"), try await device("desk"))
    try await phone.save(milk, ["n": 1, "link": "https://elsewhere.example/1"], in: "notes")
    try await phone.attach(picture, named: "a.png", to: "picture", of: milk)
    try await phone.sync()
    try await desk.sync()
    try await assertFalse(desk.detach("link", of: milk), "it's nobody's file")
    try await assertTrue(desk.detach("picture", of: milk))
    try await desk.sync()
    XCTAssertEqual(shelf.member("picture"), "")
    XCTAssertEqual(shelf.member("link"), "https://elsewhere.example/1")
    XCTAssertEqual(shelf.state.withLock { $0.contents }, [:])
    assertInOrder(shelf)
    // Who brought it there has nothing left to do.
    try await phone.sync()
    try await phone.delete(milk)
    try await phone.sync()
    try await assertEqual(phone.summary().files, FileCounts())
  }

  func testTheSameFileInTwoMembersOfADocumentIsRefused() async throws {
    let shelf = AddressShelf()
    let here = try await replica(shelf)
    try await attach(here)
    await assertThrows(
      DocumentError.cannotTravel(milk, "its member 'picture' has this very file already"),
      try await attach(here, to: "thumbnail"))
  }

  func testAReplicaShowsTheFileBeforeItIsThereAndTakesNoPreviews() async throws {
    let shelf = AddressShelf()
    let notes = try await DocumentReplica(
      .memory, endpoint: shelf.endpoint(), options: ReplicaRig.options())
    try await notes.save(milk, ["n": 1], in: "notes")
    let file = try await notes.attach(picture, named: "a.png", to: "picture", of: milk)
    try await assertEqual(notes.file("picture", of: milk), file)
    try await assertNil(notes.document(milk)?["picture"])
    try await notes.sync()
    try await assertEqual(notes.file("picture", of: milk), file)
    try await assertEqual(notes.document(milk)?["picture"], shelf.member("picture"))
    await assertThrows(
      DocumentError.cannotTravel(milk, "its server has no place for previews"),
      try await notes.attach(other, named: "b.png", preview: picture, to: "picture", of: milk))
  }
}
