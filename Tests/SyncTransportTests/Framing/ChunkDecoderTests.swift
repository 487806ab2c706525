import SyncTransport
import XCTest

/// Bodies in chunks: what they come to, and what is refused.
final class ChunkDecoderTests: XCTestCase {
  private struct End: Equatable {
    var body = ""
    var isAtEnd = false
    var hasExcess = false
    var problem: FramingProblem?
  }

  private func end(of text: String, in step: Int) throws -> End {
    var decoder = ChunkDecoder()
    var end = End()
    let bytes = Array(text.utf8)
    do {
      for start in stride(from: 0, to: bytes.count, by: step) {
        try bytes[start..<min(start + step, bytes.count)].withUnsafeBytes { piece in
          try decoder.take(piece) { end.body += String(decoding: $0, as: UTF8.self) }
        }
      }
    } catch let problem as FramingProblem { end.problem = problem }
    (end.isAtEnd, end.hasExcess) = (decoder.isAtEnd, decoder.hasExcess)
    return end
  }

  private func assert(_ text: String, comesTo expected: End, line: UInt = #line) throws {
    for step in [1, 2, 7, 100_000] {
      XCTAssertEqual(try end(of: text, in: step), expected, "'\(text)' by \(step)", line: line)
    }
  }

  func testAWholeBodyComesToItsEnd() throws {
    let table = [
      ("0\r\n\r\n", ""), ("4\r\ngood\r\n0\r\n\r\n", "good"), ("000\r\n\r\n", ""),
      ("1\r\ng\r\n3\r\nood\r\n0\r\n\r\n", "good"), ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
      ("A\r\n0123456789\r\n00\r\n\r\n", "0123456789"), ("4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n"),
      ("4;a=b;c=\"d e\"\r\ngood\r\n0;x\r\n\r\n", "good"), ("4 ;a\r\ngood\r\n0\r\n\r\n", "good"),
      ("4  \r\ngood\r\n0 \r\n\r\n", "good"), ("4\r\ngood\r\n0\r\nA: b\r\nC: d\r\n\r\n", "good"),
      ("00000000000000000000004\r\ngood\r\n0\r\n\r\n", "good"),
    ]
    for (text, body) in table { try assert(text, comesTo: End(body: body, isAtEnd: true)) }
  }

  func testASizeThatIsNoneBreaksTheBody() throws {
    let sizes = [
      "", " 4", "+4", "-4", "0x4", "4 4", "4x", "4,4", "4=", "g", "4\n", "4\r", "4\u{0}", ";a",
      "4;a\n", "4;\u{0}", "8000000000000000", "ffffffffffffffffffff",
    ]
    for size in sizes {
      try assert(size + "\r\ngood\r\n0\r\n\r\n", comesTo: End(problem: .badChunkSize))
    }
  }

  func testABodyThatIsCutOrBrokenNeverComesToItsEnd() throws {
    let table: [(String, String, FramingProblem?)] = [
      ("", "", nil), ("4\r\ngo", "go", nil), ("4\r\ngood\r\n", "good", nil),
      ("4\r\ngood\r\n0\r\n", "good", nil), ("4\r\ngood\r\n0\r\n\r", "good", nil),
      ("4\r\ngoodness\r\n0\r\n\r\n", "good", .badChunkEnd),
      ("4\r\ngood\n0\r\n\r\n", "good", .badChunkEnd),
      ("4\r\ngood\r0\r\n\r\n", "good", .badChunkEnd),
      ("4\r\ngood0\r\n\r\n", "good", .badChunkEnd),
      ("0\r\n folded\r\n\r\n", "", .badTrailer), ("0\r\nA: b\n\r\n", "", .badTrailer),
      ("0\r\nA: b\rC\r\n\r\n", "", .badTrailer), ("0\r\n\r0", "", .badTrailer),
    ]
    for (text, body, problem) in table {
      try assert(text, comesTo: End(body: body, problem: problem))
    }
  }

  func testWhatFollowsTheEndIsSeenAndNotTaken() throws {
    try assert(
      "4\r\ngood\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n",
      comesTo: End(body: "good", isAtEnd: true, hasExcess: true))
  }

  func testExtensionsAndTrailersEndSomewhere() throws {
    let long = String(repeating: "x", count: 20_000)
    for text in ["4;\(long)\r\n", "0\r\nA: \(long)\r\n", String(repeating: "0", count: 20_000)] {
      try assert(text, comesTo: End(problem: .tooMuchBesideChunks))
    }
    try assert(
      "0\r\n" + String(repeating: "A: b\r\n", count: 4_000),
      comesTo: End(problem: .tooMuchBesideChunks))
  }
}
