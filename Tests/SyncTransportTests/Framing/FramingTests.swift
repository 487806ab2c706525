import SyncTransport
import TestSupport
import XCTest

/// Where a body ends, by the head of its answer: the table of what is taken and what is refused.
final class FramingTests: XCTestCase {
  private func framing(
    of lines: [String], status: Int? = nil, isHead: Bool = false, mayBeInFrames: Bool = false
  ) throws -> Framing {
    var block = HeaderBlock()
    for line in lines + ["\r\n"] { try Array(line.utf8).withUnsafeBytes { try block.take($0) } }
    XCTAssertTrue(block.isComplete)
    return try Framing(
      block, status: status ?? block.status ?? 0, isHead: isHead, mayBeInFrames: mayBeInFrames)
  }

  private func problem(of lines: [String]) -> FramingProblem? {
    do {
      _ = try framing(of: lines)
      return nil
    } catch { return error as? FramingProblem }
  }

  private static let ok = "HTTP/1.1 200 OK\r\n"

  func testALengthIsOneDecimalNumberOrSeveralEqualOnes() throws {
    let right: [([String], Int64)] = [
      (["5"], 5), (["0"], 0), (["005"], 5), (["  5\t"], 5), (["5, 5"], 5), (["5,5,05"], 5),
      (["5", "5"], 5), (["9223372036854775807"], .max),
    ]
    for (values, length) in right {
      let lines = values.map { "content-LENGTH:\($0)\r\n" }
      XCTAssertEqual(try framing(of: [Self.ok] + lines), .length(length), "\(values)")
    }
    let wrong = [
      "", " ", "+5", "-5", "5;x", "5;q=1", "5 5", "5abc", "0x5", "1e3", "5.0", "5,", ",5", "5,,5",
      "\"5\"", "٥", "\u{0B}5", "5_000", "9223372036854775808", "99999999999999999999999", "five",
    ]
    for value in wrong {
      let lines = [Self.ok, "Content-Length: \(value)\r\n"]
      guard case .badLength? = problem(of: lines) else {
        XCTFail("'\(value)' passes for a number")
        continue
      }
    }
    for values in [["5, 6"], ["5", "6"], ["6", "5"], ["5,5", "6"]] {
      let lines = values.map { "Content-Length: \($0)\r\n" }
      XCTAssertEqual(problem(of: [Self.ok] + lines), .severalLengths, "\(values)")
    }
  }

  func testACodingIsChunkedOnceAndAlone() throws {
    for value in ["chunked", "CHUNKED", " chunked "] {
      XCTAssertEqual(
        try framing(of: [Self.ok, "Transfer-Encoding:\(value)\r\n"]), .chunked, value)
    }
    let wrong = [
      ["chunked, chunked"], ["chunked", "chunked"], ["chunked, identity"], ["identity"], ["gzip"],
      ["gzip, chunked"], ["gzip", "chunked"], ["chunked;q=1"], ["xchunked"], ["chunked,"], [""],
      ["\"chunked\""], ["chunked\u{0B}"],
    ]
    for values in wrong {
      let lines = values.map { "Transfer-Encoding: \($0)\r\n" }
      guard case .badCoding? = problem(of: [Self.ok] + lines) else {
        XCTFail("\(values) passes for chunks")
        continue
      }
    }
    let (length, coding) = ("Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n")
    XCTAssertEqual(problem(of: [Self.ok, length, coding]), .lengthAndCoding)
    XCTAssertEqual(problem(of: [Self.ok, coding, length]), .lengthAndCoding)
    XCTAssertEqual(problem(of: ["HTTP/1.0 200\r\n", coding]), .codingInOtherVersion)
    assertThrows(
      FramingProblem.codingInOtherVersion,
      try framing(of: ["HTTP/2 200\r\n", coding], mayBeInFrames: true))
  }

  func testWithoutEitherTheVersionTells() throws {
    XCTAssertEqual(try framing(of: [Self.ok]), .untilClose)
    XCTAssertEqual(try framing(of: ["HTTP/1.0 200 OK\r\n"]), .untilClose)
    let (framed, length) = ("HTTP/2 200 \r\n", "content-length: 5\r\n")
    XCTAssertEqual(try framing(of: [framed], mayBeInFrames: true), .multiplexed)
    XCTAssertEqual(try framing(of: [framed, length], mayBeInFrames: true), .length(5))
  }

  func testAVersionThatCannotBeSpokenVouchesForNothing() {
    for version in ["2", "2.0", "3", "0.9", "1.2", "1", "11", "1.1.1", "x"] {
      XCTAssertEqual(
        problem(of: ["HTTP/\(version) 200 OK\r\n"]), .noStatusLine, "HTTP/\(version)")
    }
  }

  func testAStatusLineIsReadAsItsGrammarSays() {
    for line in ["HTTP/1.1 200", "HTTP/1.1 200 ", "HTTP/1.0 200 All is well"] {
      XCTAssertNil(problem(of: [line + "\r\n"]), line)
    }
    let wrong = [
      "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1  100 Continue", "HTTP/1.1  200 OK", "HTTP/1.1\t200 OK",
      "HTTP/1.1 200\tOK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 20x OK",
      "HTTP/1.1 +20 OK", "HTTP/1.1 099 OK", " HTTP/1.1 200 OK", "http/1.1 200 OK",
      "HTTP /1.1 200 OK", "ICY 200 OK",
    ]
    for line in wrong { XCTAssertEqual(problem(of: [line + "\r\n"]), .noStatusLine, line) }
  }

  func testAStatusThatAnotherReaderFindsIsRefused() {
    assertThrows(FramingProblem.severalStatuses, try framing(of: [Self.ok], status: 100))
  }

  func testWhatHasNoBodyIsReadAsStrictly() throws {
    let length = "Content-Length: 5\r\n"
    XCTAssertEqual(try framing(of: [Self.ok, length], isHead: true), .noBody)
    for status in [204, 304] {
      let line = "HTTP/1.1 \(status) So\r\n"
      XCTAssertEqual(try framing(of: [line, length]), .noBody)
      XCTAssertThrowsError(try framing(of: [line, "Content-Length: 5;x\r\n"]))
    }
  }

  func testALineThatTwoReadersMayTakeForTwoThingsIsRefused() {
    let table: [([String], FramingProblem?)] = [
      ([Self.ok, "A: b\r\n", " c\r\n"], .foldedLine),
      ([Self.ok, "A:\r\n", "\tc\r\n"], .foldedLine),
      ([Self.ok, " A: b\r\n"], .foldedLine), ([Self.ok, " \r\n"], .foldedLine),
      ([Self.ok, "A: b\rContent-Length: 5\r\n"], .strayControl),
      ([Self.ok, "A: b\r\r\n"], .strayControl), ([Self.ok, "A: b\u{0}\r\n"], .strayControl),
      (["HTTP/1.1 200 OK\rA: b\r\n"], .strayControl),
      ([Self.ok, "Content-Length : 5\r\n"], .spaceBeforeColon),
      ([Self.ok, "Content-Length\t: 5\r\n"], .spaceBeforeColon),
      (["hello\r\n"], .noStatusLine), (["\r\n", Self.ok], .noStatusLine),
      // Bare line feeds end a line (RFC 9112, section 2.2), and odd names say nothing of the body.
      (["HTTP/1.1 200 OK\n", "Content-Length: 5\n"], nil), ([Self.ok, "A b: c\r\n"], nil),
      ([Self.ok, "no colon\r\n"], nil), ([Self.ok, ": \r\n"], nil),
    ]
    for (lines, expected) in table { XCTAssertEqual(problem(of: lines), expected, "\(lines)") }
  }

  func testOnlyTheFinalHeadCounts() throws {
    let early = ["HTTP/1.1 103 Early\r\n", "Content-Length: 7\r\n", "\r\n"]
    let lines = early + [Self.ok, "Content-Length: 5\r\n"]
    XCTAssertEqual(try framing(of: lines), .length(5))
    // A second status line amid the fields doesn't make forget those before it.
    XCTAssertEqual(try framing(of: lines + [Self.ok]), .length(5))
  }
}
