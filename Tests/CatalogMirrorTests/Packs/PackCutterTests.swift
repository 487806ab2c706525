import TestSupport
import XCTest

@testable import CatalogMirror

/// Bytes of a pack are cut into pieces, however they come.
final class PackCutterTests: XCTestCase {
  func testEachPieceGetsItsBytesHoweverTheyCome() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      let body = (0..<Int.random(in: 1...400, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let start = Int.random(in: 0..<body.count, using: &random)
      var pieces: [(place: Int, bytes: Range<Int64>)] = []
      var next = start
      while next < body.count {
        let first = next + (random.oneIn(2) ? 0 : Int.random(in: 0...9, using: &random))
        let end = first + Int.random(in: 1...30, using: &random)
        guard end <= body.count else { break }
        pieces.append((pieces.count + 5, Int64(first)..<Int64(end)))
        next = end
      }
      let found = cut(Array(body[start...]), pieces, from: start, &random)
      XCTAssertEqual(found.map(\.0), pieces.map(\.place))
      let right = pieces.map { piece in
        Array(body[Int(piece.bytes.lowerBound)..<Int(piece.bytes.upperBound)])
      }
      XCTAssertEqual(found.map(\.1), right)
    }
  }

  private func cut(
    _ body: [UInt8], _ pieces: [(place: Int, bytes: Range<Int64>)], from start: Int,
    _ random: inout SeededGenerator
  ) -> [(Int, [UInt8])] {
    var cutter = PackCutter(pieces, from: Int64(start))
    var found: [(Int, [UInt8])] = []
    var rest = body[...]
    while !rest.isEmpty {
      let bytes = Array(rest.prefix(Int.random(in: 1...60, using: &random)))
      rest = rest.dropFirst(bytes.count)
      var place = 0
      while let cut = cutter.cut(bytes.count, from: place) {
        place = cut.bytes.upperBound
        if cut.isFirst { found.append((cut.piece, [])) }
        XCTAssertEqual(found.last?.0, cut.piece)
        found[found.count - 1].1 += bytes[cut.bytes]
        if cut.isLast, let whole = pieces.first(where: { $0.place == cut.piece }) {
          XCTAssertEqual(found.last?.1.count, whole.bytes.count)
        }
      }
      XCTAssertEqual(Int(cutter.position), start + body.count - rest.count)
    }
    XCTAssertTrue(cutter.isDone)
    return found
  }
}
