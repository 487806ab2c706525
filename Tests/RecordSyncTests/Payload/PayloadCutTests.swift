import SyncFiles
import SyncText
import TestSupport
import XCTest
@testable import RecordSync

/// Payloads that are cut, and payloads that come in pieces.
final class PayloadCutTests: XCTestCase {
  private let array = #"[{"id":1,"n":"a\u00e9\\"}, {"id":-2.5e3,"m":[true,null,{}]} ,12, ""]"#
  private let lines = "{\"id\":1}\n{\"id\":[2]}\n17\n\"x\"\n"
  private let body = #"{"a":{"users":[0]},"data":{"x":[[1]],"users":[{"id":1},22],"y":null},"z":1}"#

  private func forms() throws -> [(String, PayloadForm)] {
    [
      (array, .automatic), (lines, .automatic), (lines, .lines),
      (body, .items(try XCTUnwrap(PayloadPath("data.users")))),
    ]
  }

  func testEveryCutOfAnArrayIsAnError() {
    let bytes = Array(array.utf8)
    for end in bytes.indices {
      let cut = Array(bytes[..<end])
      guard let problem = PayloadReading(PayloadReader(cut)).problem else {
        XCTFail("cut after \(end)")
        continue
      }
      if end > 0 {
        guard case .cut(let place) = problem else {
          XCTFail("\(end): \(problem)")
          continue
        }
        XCTAssertEqual(place.offset, end)
      }
    }
  }

  func testEveryCutOfABodyIsAnError() throws {
    let bytes = Array(body.utf8)
    let form = PayloadForm.items(try XCTUnwrap(PayloadPath("data.users")))
    for end in 1..<bytes.count {
      guard case .cut = PayloadReading(PayloadReader(Array(bytes[..<end]), form: form)).problem
      else {
        XCTFail("cut after \(end)")
        continue
      }
    }
  }

  /// What ends where a line does can't be told from what is whole.
  func testEveryCutWithinALineIsAnError() {
    let bytes = Array("{\"id\":1}\n{\"id\":[2],\"name\":\"x\"}".utf8)
    for end in bytes.indices {
      let problem = PayloadReading(PayloadReader(Array(bytes[..<end]), form: .lines)).problem
      XCTAssertEqual(problem == nil, end == 8 || end == 9, "cut after \(end)")
    }
  }

  func testHoweverAPayloadIsCutIntoPiecesItsElementsAreTheSame() throws {
    for (text, form) in try forms() {
      let bytes = Array(text.utf8)
      let whole = PayloadReading(PayloadReader(bytes, form: form))
      XCTAssertNil(whole.problem)
      XCTAssertFalse(whole.elements.isEmpty)
      for seed in 0..<UInt64(200) {
        var generator = SeededGenerator(seed: seed)
        var bounds = PayloadBounds()
        bounds.window = Int.random(in: 1...40, using: &generator)
        bounds.nodes = Int.random(in: 1...8, using: &generator)
        bounds.passedOver = Int.random(in: 1...16, using: &generator)
        let length = Int.random(in: 1...9, using: &generator)
        let pieces = PayloadReading(pieces: bytes, form: form, bounds: bounds) { length }
        XCTAssertEqual(pieces, whole, "seed \(seed): \(text)")
      }
    }
  }

  func testAProblemIsTheSameInPiecesAndAsAWhole() throws {
    for (text, form) in try forms() {
      for seed in 0..<UInt64(300) {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array(text.utf8)
        let place = Int.random(in: bytes.indices, using: &generator)
        bytes[place] = Array("{}[]\",:x1 ".utf8).randomElement(using: &generator) ?? 0
        let whole = PayloadReading(PayloadReader(bytes, form: form))
        var bounds = PayloadBounds()
        bounds.window = Int.random(in: 1...40, using: &generator)
        let pieces = PayloadReading(pieces: bytes, form: form, bounds: bounds) { 3 }
        XCTAssertEqual(pieces.problem, whole.problem, "seed \(seed)")
      }
    }
  }

  func testABodyIsTakenOnlyIfItIsJSON() throws {
    for (text, form) in try forms() where form != .lines && text != lines {
      var taken = 0
      for seed in 0..<UInt64(1_000) {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array(text.utf8)
        for _ in 0..<2 {
          let place = Int.random(in: bytes.indices, using: &generator)
          bytes[place] = Array("{}[]\",:12 \\".utf8).randomElement(using: &generator) ?? 0
        }
        guard PayloadReading(PayloadReader(bytes, form: form)).problem == nil else { continue }
        taken += 1
        XCTAssertNoThrow(
          try JSONValue(bytes, in: 0..<bytes.count, nesting: 600),
          String(decoding: bytes, as: UTF8.self))
      }
      XCTAssertGreaterThan(taken, 0)
    }
  }

  func testAFileAndAPipeGiveWhatTheirBytesGive() throws {
    let folder = try temporaryFolder()
    let file = folder.appending(path: "users.json")
    try Data(array.utf8).write(to: file)
    let opened = try Descriptor.open(userPath: file.path, .reading, in: SystemFileSystem())
    XCTAssertEqual(
      PayloadReading(PayloadReader(from: DescriptorSource(opened))), PayloadReading(array))
    let fifo = folder.appending(path: "pipe")
    XCTAssertEqual(mkfifo(fifo.path, 0o600), 0)
    // Opened for both directions, so that neither end waits for the other.
    var writer: Descriptor? = try .open(userPath: fifo.path, .writing, in: SystemFileSystem())
    let reader = try Descriptor.open(userPath: fifo.path, .reading, in: SystemFileSystem())
    try writer?.write(Array(array.utf8))
    writer = nil
    XCTAssertEqual(
      PayloadReading(PayloadReader(from: DescriptorSource(reader))), PayloadReading(array))
    let directory = try Descriptor.open(userPath: folder.path, .reading, in: SystemFileSystem())
    XCTAssertEqual(
      PayloadReading(PayloadReader(from: DescriptorSource(directory))).problem,
      .unreadable(reason: "Is a directory"))
  }
}
