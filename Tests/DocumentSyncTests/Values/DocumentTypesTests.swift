import XCTest

@testable import DocumentSync

/// Which types there are, and how documents say theirs.
final class DocumentTypesTests: XCTestCase {
  private func types(_ member: String = DocumentTypes.usualMember) throws -> DocumentTypes {
    var types = try DocumentTypes(member: member)
    try types.declare("note", in: "notes")
    try types.declare("task", in: "notes")
    try types.declare("tag")
    return types
  }

  private func assertThrows<Result>(
    _ expected: DocumentProblem, _ body: @autoclosure () throws -> Result, line: UInt = #line
  ) {
    XCTAssertThrowsError(try body(), line: line) {
      XCTAssertEqual($0 as? DocumentProblem, expected, line: line)
    }
  }

  func testATypeHasACollectionAndACollectionTheTypeThatWasDeclaredFirst() throws {
    let types = try types()
    XCTAssertEqual(types.member, "docType")
    XCTAssertEqual(["note", "task", "tag"].map(types.collection), ["notes", "notes", "tag"])
    XCTAssertEqual(["notes", "tag"].map(types.type), ["note", "tag"])
    XCTAssertNil(types.collection(of: "notes"))
    XCTAssertNil(types.type(ofCollection: "note"))
  }

  func testATypeIsDeclaredAgainInTheSameWayOrNotAtAll() throws {
    var types = try types()
    try types.declare("note", in: "notes")
    XCTAssertEqual(types.kinds.count, 3)
    assertThrows(.elsewhere("tag", collection: "tag"), try types.declare("tag", in: "notes"))
    assertThrows(.noName, try types.declare(""))
    assertThrows(.noName, try types.declare("x", in: ""))
    for name in ["", "id", "_times"] {
      assertThrows(.reserved(name), try DocumentTypes(member: name))
    }
  }

  func testPeopleSeeIdAndTypeFirstAndTheRestAsItIsWritten() throws {
    let types = try types()
    let plain = try DocumentValue(parsing: #"{"n": 1.0, "id": 7}"#)
    XCTAssertEqual(
      types.shown(plain, milk, in: "notes").text, #"{"id":"milk","docType":"note","n":1.0}"#)
    XCTAssertEqual(
      types.shown(["n": 1, "docType": "task"], milk, in: "notes").text,
      #"{"id":"milk","docType":"task","n":1}"#)
    XCTAssertEqual(
      types.shown(["n": 1], milk, in: "birds").text, #"{"id":"milk","n":1}"#,
      "nobody knows the type")
    XCTAssertEqual(
      try self.types("kind").shown([:], milk, in: "tag").text, #"{"id":"milk","kind":"tag"}"#)
  }

  func testWhatPeopleSeeIsTakenApartAgain() throws {
    let types = try types()
    let read = try types.read(["id": "milk", "docType": "task", "n": 1])
    XCTAssertEqual(
      read,
      IdentifiedDocument(
        id: milk, type: "task", collection: "notes", content: ["docType": "task", "n": 1]))
  }

  func testWithoutAnIdOrATypeItIsNoDocument() throws {
    let types = try types()
    assertThrows(.notADocument, try types.read([1]))
    for id: DocumentValue in [.null, 7, ""] {
      assertThrows(.noID, try types.read(["id": id, "docType": "note"]))
    }
    assertThrows(.noID, try types.read(["docType": "note"]))
    for type: DocumentValue in [.null, 7, ""] {
      assertThrows(.noType(member: "docType"), try types.read(["id": "a", "docType": type]))
    }
    assertThrows(.noType(member: "docType"), try types.read(["id": "a"]))
    assertThrows(.unknownType("birds"), try types.read(["id": "a", "docType": "birds"]))
  }

  func testATypeThatTheCollectionGaveIsNotWrittenBack() throws {
    let types = try types()
    let (note, task): (DocumentValue, DocumentValue) =
      (["docType": "note", "n": 2], ["docType": "task", "n": 2])
    XCTAssertEqual(types.stored(note, over: ["n": 1], in: "notes"), ["n": 2])
    XCTAssertEqual(types.stored(task, over: ["n": 1], in: "notes"), task, "it's another one")
    XCTAssertEqual(types.stored(note, over: ["docType": "note"], in: "notes"), note)
    XCTAssertEqual(types.stored(note, over: nil, in: "notes"), note)
  }

  func testANewDocumentDoesntSayTheOnlyTypeOfItsCollectionWhereItIsToldNotTo() throws {
    var types = try DocumentTypes()
    types.leavesOutOnlyTypes = true
    try types.declare("note", in: "notes")
    let note: DocumentValue = ["docType": "note", "n": 2]
    XCTAssertEqual(types.stored(note, over: nil, in: "notes"), ["n": 2])
    XCTAssertEqual(types.stored(note, over: ["docType": "note"], in: "notes"), note, "it was said")
    let other: DocumentValue = ["docType": "task"]
    XCTAssertEqual(types.stored(other, over: nil, in: "notes"), other)
    try types.declare("task", in: "notes")
    XCTAssertEqual(types.stored(note, over: nil, in: "notes"), note, "there are two")
  }

  func testADocumentsOwnWordForItsTypeCounts() throws {
    let types = try types()
    XCTAssertEqual(types.type(of: ["docType": "task"], in: "notes"), "task")
    XCTAssertEqual(types.type(of: [:], in: "notes"), "note")
    XCTAssertNil(types.type(of: ["docType": 7], in: "notes"))
    XCTAssertNil(types.type(of: [:], in: "birds"))
  }

  func testEachProblemIsASentence() {
    let problems: [DocumentProblem] = [
      .reserved("id"), .noName, .elsewhere("a", collection: "b"), .notADocument, .noID,
      .noType(member: "docType"), .unknownType("birds"),
    ]
    XCTAssertEqual(Set(problems.map(\.description)).count, problems.count)
    XCTAssertEqual(
      problems[2].description, "documents of the type a are kept in the collection b already")
  }
}
