import SyncText
import XCTest
@testable import RecordSync

/// What a reader makes of a payload.
struct PayloadReading: Equatable {
  /// The elements' texts.
  var elements: [String] = []
  var problem: PayloadProblem?

  /// Reads all of it.
  init(_ reader: PayloadReader) {
    var reader = reader
    var window = PayloadWindow()
    do throws(PayloadProblem) {
      while try reader.next(&window) {
        XCTAssertEqual(window.first, elements.count + 1)
        elements += window.elements.map { window.tape.value($0).text }
      }
      XCTAssertEqual(reader.count, elements.count)
      XCTAssertFalse(try reader.next(&window))
    } catch {
      problem = error
    }
  }

  init(_ text: String, form: PayloadForm = .automatic) {
    self.init(PayloadReader(Array(text.utf8), form: form))
  }

  /// Reads it in pieces of the lengths that `length` gives.
  init(
    pieces text: [UInt8], form: PayloadForm = .automatic, bounds: PayloadBounds = PayloadBounds(),
    length: @escaping @Sendable () -> Int
  ) {
    self.init(
      PayloadReader(from: PieceSource(bytes: text, length: length), form: form, bounds: bounds))
  }
}

/// Gives bytes in pieces.
struct PieceSource: PayloadSource {
  var bytes: [UInt8]
  var length: @Sendable () -> Int
  var position = 0

  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let piece = bytes[position...].prefix(min(buffer.count, max(1, length())))
    buffer.copyBytes(from: piece)
    position += piece.count
    return piece.count
  }
}
