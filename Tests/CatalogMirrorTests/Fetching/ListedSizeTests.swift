import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// A person mirrored a listing of Apache's whose server answered each file with a login page: the
/// rounded sizes weren't looked at, and 27 bytes passed for 1.9 MB for ever.
final class ListedSizeTests: RunTestCase {
  private func serve(
    size: String, bytes: Int, coding: String = "identity", name: String = "a"
  ) throws {
    let page = """
      <html>
      <head><title>Index of /pub/</title></head>
      <body>
      <h1>Index of /pub/</h1><hr><pre><a href="../">../</a>
      <a href="\(name)">\(name)</a>                    01-Jan-2025 00:00                 \(size)
      </pre><hr></body>
      </html>
      """
    try site.answer(Self.root, .text(page, ("Content-Type", "text/html")))
    let text = String(repeating: "x", count: bytes)
    try site.answer(Self.root + name, .text(text, ("Content-Encoding", coding)))
  }

  private func syncListing() async throws -> MirrorReport {
    try await sync { $0.catalog = Self.root }
  }

  func testWhatIsFarFromTheListedSizeIsNotPlaced() async throws {
    for (size, bytes) in [("2M", 27), ("100K", 40_000), ("5K", 20_000)] {
      try serve(size: size, bytes: bytes)
      let report = try await syncListing()
      XCTAssertEqual(report.outcome, .someFailed, size)
      XCTAssertTrue(
        report.failures.first?.sentence.contains("where the listing says about") ?? false,
        "\(report.failures)")
      XCTAssertEqual(try tree(), [:])
    }
  }

  /// Apache calls archives coded, asked or not, where `AddEncoding x-gzip .gz` stands in its
  /// configuration: such a file was refused for ever. One that a server packs on the way has
  /// another length.
  func testAFileThatIsCalledCodedIsTakenWhereItsLengthIsTheListedOne() async throws {
    for (size, bytes, isTaken) in [
      ("5K", 5_632, true), ("5K", 4_600, true), ("5K", 4_000, false), ("12B", 12, true),
      ("12B", 11, false), ("100K", 60_000, false),
    ] {
      try serve(size: size, bytes: bytes, coding: "x-gzip", name: "a.gz")
      let report = try await syncListing()
      XCTAssertEqual(report.outcome, isTaken ? .done : .someFailed, "\(size), \(bytes)")
      XCTAssertEqual(try tree()["a.gz"]?.utf8.count, isTaken ? bytes : nil, "\(size), \(bytes)")
      if isTaken { try remove("a.gz") }
    }
  }

  /// A server packed unasked what doesn't shrink: its packed bytes became the file.
  func testPackedBytesOfAboutTheListedLengthAreTheFileOnlyWhereItsNameIsOneOfPackedFiles()
    async throws
  {
    for (name, isTaken) in [
      ("r.bin", false), ("gz", false), ("r", false), ("r.tar.gz", true), ("r.TGZ", true),
      ("r.tar.Z", true), ("r.tar.gz.asc", true), ("r.zst", true),
    ] {
      try serve(size: "100K", bytes: 102_453, coding: "gzip", name: name)
      try await assertEqual(syncListing().outcome, isTaken ? .done : .someFailed, name)
      XCTAssertEqual(try tree()[name]?.utf8.count, isTaken ? 102_453 : nil, name)
      if isTaken { try remove(name) }
    }
  }

  /// `AddEncoding x-gzip .gz`, which many mirrors have, calls archives coded, asked or not: their
  /// rounded sizes seldom fitted, so that they were refused for ever.
  func testWhatIsCalledGzipIsTheFileWhereItsNameSaysSoAndGzipDoesNotComeAgain() async throws {
    let (once, plain) = (storedInGzip(Array("some text".utf8)), Array("some text".utf8))
    let rows: [(String, size: String, coding: String, [UInt8], isTaken: Bool)] = [
      ("a.gz", "2K", "x-gzip", once, true), ("a.tar.TGZ", "2K", "gzip", once, true),
      ("a.gz", "2K", "x-gzip", storedInGzip(once), false), ("a.gz", "2K", "x-gzip", plain, false),
      ("a.gz", "2K", "x-gzip", Array(once.prefix(5)), false), ("a.gz", "2K", "br", once, false),
      ("a.txt", "2K", "gzip", once, false), ("a.gz.asc", "2K", "gzip", once, false),
      ("a.gz", "2K", "gzip, gzip", once, false),
      // Packed once more, it is about as long.
      ("a.gz", "\(storedInGzip(once).count)B", "gzip", storedInGzip(once), false),
      ("a.txt", "2K", "utf-8", plain, true), ("a.txt", "2K", "none", plain, true),
      ("a.txt", "2K", "aws-chunked", plain, false), ("a.txt", "9", "aws-chunked", plain, true),
    ]
    for (name, size, coding, body, isTaken) in rows {
      let row = "\(name), \(size), \(coding), \(body.count)"
      try serve(size: size, bytes: 0, coding: coding, name: name)
      let answer = Site.Answer(headers: HTTPHeaders([("Content-Encoding", coding)]), body: body)
      try site.answer(Self.root + name, answer)
      let report = try await syncListing()
      XCTAssertEqual(report.outcome, isTaken ? .done : .someFailed, row)
      XCTAssertEqual(report.failures.map(\.advice), isTaken ? [] : [.allowCoded], row)
      XCTAssertEqual(try tree()[name]?.utf8.count != nil, isTaken, row)
      try? remove(name)
    }
  }

  func testRoundingIsNoDifference() async throws {
    for (size, bytes) in [("5K", 5_632), ("5K", 4_608), ("100K", 97_000), ("1K", 3)] {
      try serve(size: size, bytes: bytes)
      assertEnds(try await syncListing())
      XCTAssertEqual(try tree()["a"]?.utf8.count, bytes)
      try remove("a")
    }
  }

  /// Any other answer on a connection that was kept may be one that nobody asked for.
  func testAnAnswerIsVouchedForByARefusalByA304OrByALengthThatTheListedSizeFits() async throws {
    for (size, status, length, isVouched) in [
      ("5K", 200, 5_120, true), ("5K", 200, 4_600, true), ("5K", 200, 9_000, false),
      ("5K", 200, nil, false), ("5K", 304, nil, true), ("5K", 404, nil, true),
      ("12", 200, nil, nil),
    ] as [(String, Int, Int64?, Bool?)] {
      try serve(size: size, bytes: 12)
      site.forgetLog()
      _ = try await syncListing()
      let request = try XCTUnwrap(site.log.first { $0.address.path == "/pub/a" })
      let head = HTTPHead(
        address: request.address, status: status, headers: HTTPHeaders(),
        framing: length.map { .length($0) } ?? .chunked)
      XCTAssertEqual(request.recognises?(head), isVouched, "\(size), \(status), \(length ?? -1)")
    }
  }

  func testFarIsBeyondTheDoubleAndTheHalf() {
    for (size, rough, isFar) in [
      (0, 4_095, false), (0, 4_096, true), (2_047, 4_096, true), (2_048, 4_096, false),
      (8_193, 4_096, false), (8_194, 4_096, true), (Int64.max, Int64.max, false),
    ] as [(Int64, Int64, Bool)] {
      XCTAssertEqual(ItemTransfer.isFar(size, from: rough), isFar, "\(size) of \(rough)")
    }
  }
}
