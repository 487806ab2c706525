import DocumentTesting
import Observation
import TestSupport
import XCTest

@testable import DocumentSync

private struct Note: SyncDocument, Equatable {
  static let documentType = "note"
  static let collection = "notes"
  var id: DocumentID
  var title: String
  var tags: [String] = []
}

/// A document that a view shows and edits.
final class LiveDocumentTests: XCTestCase {
  private let rig = ReplicaRig()

  @MainActor
  private func until(_ condition: @escaping () -> Bool) async {
    while !condition() {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = condition()
        } onChange: {
          continuation.resume()
        }
      }
    }
  }

  @MainActor
  func testANewOneIsMadeByItsFirstSave() async throws {
    let replica = try await rig.replica()
    let note = LiveDocument(Note(id: milk, title: ""), isNew: true, in: replica)
    note.value.title = "Milk"
    XCTAssertTrue(note.isEdited)
    try await assertNil(replica.document(milk))
    try await note.save()
    XCTAssertFalse(note.isEdited)
    try await assertEqual(replica.document(Note.self, milk), note.value)
    try await assertTrue(replica.isPending(milk))
  }

  @MainActor
  func testWhatIsBeingTypedStaysWhileOthersChangeTheRest() async throws {
    let replica = try await rig.replica()
    try await replica.save(Note(id: milk, title: "Milk"))
    let note = LiveDocument(Note(id: milk, title: "Milk"), in: replica)
    let view = Task { try await note.follow() }
    note.value.title = "Oat mi"
    try await replica.save(
      milk, ["docType": "note", "title": "Soy milk", "tags": ["a"], "x": 1], in: "notes")
    await until { note.value.tags == ["a"] }
    XCTAssertEqual(note.value.title, "Oat mi")
    XCTAssertTrue(note.isEdited)
    note.value.title = "Oat milk"
    // Another one who changes it before it is saved.
    try await replica.save(
      milk, ["docType": "note", "title": "Soy milk", "tags": ["b"], "x": 2], in: "notes")
    try await note.save()
    await until { !note.isEdited && note.value.tags == ["b"] }
    try await assertEqual(
      replica.document(milk), ["docType": "note", "title": "Oat milk", "tags": ["b"], "x": 2])
    view.cancel()
    try await view.value
  }

  /// A save of a value that was read long ago put back what others had changed since.
  @MainActor
  func testASaveChangesNothingButWhatWasEdited() async throws {
    let replica = try await rig.replica()
    try await replica.save(Note(id: milk, title: "Milk"))
    let note = LiveDocument(Note(id: milk, title: "Milk"), in: replica)
    try await replica.save(Note(id: milk, title: "Milk", tags: ["a"]))
    note.value.title = "Oat milk"
    try await note.save()
    try await assertEqual(
      replica.document(Note.self, milk), Note(id: milk, title: "Oat milk", tags: ["a"]))
    XCTAssertEqual(note.value.tags, ["a"])
  }

  /// What was typed back before the save had come round was overwritten with what was saved.
  @MainActor
  func testWhatIsPutBackRightAfterASaveStays() async throws {
    let replica = try await rig.replica()
    try await replica.save(Note(id: milk, title: "Milk"))
    let note = LiveDocument(Note(id: milk, title: "Milk"), in: replica)
    let view = Task { try await note.follow() }
    for round in 1...30 {
      note.value.title = "Oat milk \(round)"
      try await note.save()
      XCTAssertFalse(note.isEdited)
      note.value.title = "Milk"
      try await replica.save(
        Note(id: milk, title: "Oat milk \(round)", tags: ["\(round)"]))
      await until { note.value.tags == ["\(round)"] }
      XCTAssertEqual(note.value.title, "Milk")
      XCTAssertTrue(note.isEdited)
      try await note.save()
    }
    view.cancel()
    try await view.value
  }

  @MainActor
  func testOneThatIsGoneIsNotMadeAgain() async throws {
    let replica = try await rig.replica()
    try await replica.save(Note(id: milk, title: "Milk"))
    let note = LiveDocument(Note(id: milk, title: "Milk"), in: replica)
    let view = Task { try await note.follow() }
    note.value.title = "Oat milk"
    try await replica.delete(milk)
    await until { note.isGone }
    XCTAssertEqual(note.value.title, "Oat milk")
    await assertThrows(DocumentError.noDocument(milk), try await note.save())
    try await assertNil(replica.document(milk))
    view.cancel()
    try await view.value
  }
}
