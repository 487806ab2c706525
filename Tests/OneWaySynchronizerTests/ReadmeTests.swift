import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// The README's processor, as it stands there: it compiles, works, and keeps the contract.
final class ReadmeTests: XCTestCase {
  func testTheProcessorOfTheReadmeKeepsTheContract() async {
    let result = await ProcessorContract.check { NoteFixture() }
    XCTAssert(result.violations.isEmpty, "\(result)")
  }

  func testTheReadmesLinesDoWhatTheySay() async throws {
    let server = ShelfServer()
    let shelf = Shelf()
    await server.fill(["milk": "two bottles"])

    let synchronizer = Synchronizer(processor: NoteProcessor(server: server, shelf: shelf))
    let report = try await synchronizer.sync()

    XCTAssertEqual(report.passes.first?.counts.downloaded, 1)
    await assertEqual(shelf.notes.mapValues(\.text), ["milk": "two bottles"])
  }

  func testEverySwiftBlockOfTheReadmeStandsInThisFile() throws {
    try assertCompiled("README.md", in: "Tests/OneWaySynchronizerTests/ReadmeTests.swift")
  }
}

struct Note: SyncItem {
  let id: String
  let version: Int
}

struct NoteProcessor: SyncProcessor {
  let server: any NoteServer
  let shelf: Shelf

  func fetchSourceList() async throws -> SourceList<Note> {
    .complete(try await server.notes())  // absence from a complete list means deletion
  }
  func localKeys() async throws -> Set<String> { Set(await shelf.notes.keys) }
  func removeLocalItems(_ keys: Set<String>) async throws { await shelf.remove(keys) }
  func shouldUpdate(_ note: Note) async throws -> Bool {
    await shelf.notes[note.id]?.version != note.version
  }
  func downloadContent(of note: Note) async throws {
    let text = try await server.text(of: note)
    await shelf.put(note, text)  // whole, or not at all
  }
}

protocol NoteServer: Sendable {
  func notes() async throws -> [Note]
  func text(of note: Note) async throws -> String
}

actor Shelf {
  private(set) var notes: [String: (version: Int, text: String)] = [:]
  func put(_ note: Note, _ text: String) { notes[note.id] = (note.version, text) }
  func remove(_ keys: Set<String>) { for key in keys { notes[key] = nil } }
}

/// Notes in memory.
private actor ShelfServer: NoteServer {
  private var texts: [String: String] = [:]
  private var interception: SourceInterception<String>?

  func fill(_ texts: [String: String]) { self.texts = texts }

  func intercept(_ interception: SourceInterception<String>?) { self.interception = interception }

  func notes() async throws -> [Note] {
    try await reach(.list)
    return texts.map { Note(id: $0.key, version: $0.value.hashValue) }
  }

  func text(of note: Note) async throws -> String {
    try await reach(.content(note.id))
    try Task.checkCancellation()
    return texts[note.id] ?? ""
  }

  private func reach(_ moment: SourceInterception<String>.Moment) async throws {
    if let interception, interception.moment == moment { try await interception.action() }
  }
}

private struct NoteFixture: ProcessorFixture {
  let server = ShelfServer()
  let shelf = Shelf()

  func makeProcessor() -> NoteProcessor { NoteProcessor(server: server, shelf: shelf) }
  func setSource(_ contents: [String: String]) async { await server.fill(contents) }
  func localState() async -> [String: String] { await shelf.notes.mapValues(\.text) }
  func setInterception(_ interception: SourceInterception<String>?) async -> Bool {
    await server.intercept(interception)
    return true
  }
}
