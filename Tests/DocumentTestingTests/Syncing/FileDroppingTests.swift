import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// Files that are given up unsent, or that nobody names any more.
final class FileDroppingTests: XCTestCase {
  private let rig = FileRig()

  private func scope(_ replica: SyncedReplica) -> DocumentScope {
    DocumentScope(server: replica.place.server, account: "ann", collection: "notes")
  }

  /// Somebody else signs in, and what ann didn't send is dropped.
  private func drop(_ replica: SyncedReplica) async throws {
    let decision = try await replica.store.edit {
      try $0.becomes(account: "bob", of: replica.place.server, unsent: .drop)
    }
    XCTAssertEqual(decision, .drops)
  }

  private func pull(_ content: DocumentValue, _ version: String, _ replica: SyncedReplica)
    async throws
  {
    let copy = ServerCopy(value: content, version: DocumentVersion(version))
    let scope = scope(replica)
    _ = try await replica.store.sync {
      try $0.pulled(PulledPage([DocumentChange(id: .milk, state: .present(copy))]), of: scope)
    }
  }

  private func has(_ file: FileReference, _ replica: SyncedReplica) async throws -> Bool {
    try await replica.store.files.bytes(of: file.content.digest) != nil
  }

  /// A month later.
  private func sync(later replica: SyncedReplica) async throws {
    try await replica.sync()
    rig.time.advance(by: .seconds(31 * 86_400))
    try await replica.sync()
  }

  /// Nothing was known of such a file any more, and its content stayed for ever.
  func testTheContentOfAFileThatIsDroppedUnsentGoesAfterThirtyDays() async throws {
    let here = try await rig.replica()
    let edit = DocumentEdit(.milk, in: scope(here), ["n": 1])
    _ = try await here.store.edit { try $0.save(edit) }
    let file = try await rig.attach(here)
    try await drop(here)
    try await assertTrue(has(file, here))
    try await assertEqual(rig.counts(here), FileCounts())
    try await sync(later: here)
    try await assertFalse(has(file, here))
  }

  func testTheContentOfAFileThatIsDroppedUnsentStaysAsLongAsADocumentNamesIt() async throws {
    let here = try await rig.replica()
    let file = try await rig.keep(rig.picture, named: "a.png", with: here)
    try await pull(["n": 1, "picture": file.value], "1", here)
    // The server has lost it.
    try await rig.attach(here)
    try await drop(here)
    try await sync(later: here)
    try await assertTrue(has(file, here))
    try await pull(["n": 1], "2", here)
    try await sync(later: here)
    try await assertFalse(has(file, here))
  }

  func testAContentStaysAsLongAsAnotherAccountHasIt() async throws {
    let here = try await rig.replica()
    let file = try await rig.attach(here)
    try await here.sync()
    let anns = DocumentScope(server: here.place.server, account: "ann", collection: "notes")
    _ = try await here.store.edit {
      try $0.save(DocumentEdit(bread, in: anns, ["n": 1]))
      return try $0.attach(file, to: "picture", of: bread)
    }
    _ = try await here.store.edit { try $0.detach("picture", of: .milk) }
    for _ in 0..<2 { try await sync(later: here) }
    try await assertTrue(has(file, here))
    try await here.delete(bread)
    for _ in 0..<2 { try await sync(later: here) }
    try await assertFalse(has(file, here))
  }

  func testAContentStaysAsLongAsAnotherAccountsDocumentOfTheSameIDHasIt() async throws {
    let here = try await rig.replica()
    let file = try await rig.attach(here)
    try await here.sync()
    let anns = DocumentScope(server: here.place.server, account: "ann", collection: "notes")
    let ann = here.store.seen { anns.owner }
    _ = try await ann.edit { editor in
      try editor.save(DocumentEdit(.milk, in: anns, ["n": 1]))
      return try editor.attach(file, to: "picture", of: .milk)
    }
    let nobody = here.store.seen { [place = here.place] in place.owner }
    _ = try await nobody.edit { try $0.detach("picture", of: .milk) }
    for _ in 0..<2 { try await sync(later: here) }
    try await assertTrue(has(file, here))
    _ = try await ann.edit { try $0.delete(.milk) }
    for _ in 0..<2 { try await sync(later: here) }
    try await assertFalse(has(file, here))
  }

  /// It was counted, and a sync asked for, for what nobody was to send.
  func testARefusedFileThatNobodyNamesIsNotTriedAgain() async throws {
    let (here, there) = (try await rig.replica(), try await rig.replica("there"))
    try await rig.attach(here)
    rig.server.manners.longestFile = 1
    try await here.sync()
    try await there.sync()
    try await there.save(.milk, ["n": 2])
    try await there.sync()
    try await assertEqual(rig.counts(here), FileCounts(refused: 1))
    try await here.sync()
    try await assertEqual(rig.counts(here), FileCounts())
    try await assertEqual(here.store.edit { try $0.retryFiles() }, 0)
  }
}
