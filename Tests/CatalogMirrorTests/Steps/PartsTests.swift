import Foundation
import SyncText
import SyncTransport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// Lists that are made of several pages, asked for in ways of their own.
final class PartsTests: RunTestCase {
  private func packed(_ text: String) throws -> [UInt8] {
    let path = base + "/part"
    try put(text, at: path)
    let gzip = Process()
    gzip.executableURL = URL(fileURLWithPath: "/usr/bin/gzip")
    gzip.arguments = ["-kf", path]
    try gzip.run()
    gzip.waitUntilExit()
    XCTAssertEqual(gzip.terminationStatus, 0)
    return Array(try Data(contentsOf: URL(fileURLWithPath: path + ".gz")))
  }

  private func servePacked(_ bytes: [UInt8], digest: SHA256Digest? = nil) throws {
    try serveSteps("+a 1", "packed part.gz \(digest ?? SHA256Digest(of: bytes))")
    try site.answer(Self.root + "part.gz", .init(body: bytes))
    try serveBytes(["a": "alpha", "b": "beta"])
  }

  func testEveryPartIsNeeded() async throws {
    try serveSteps("+a 1", "part one", "part two")
    try serveBytes(["a": "alpha", "b": "beta", "c": "gamma"])
    try site.answer(Self.root + "one", .text(Self.steps(["+b 1"])))
    try site.answer(Self.root + "two", .text(Self.steps(["+c 1"])))
    assertEnds(try await syncSteps())
    XCTAssertEqual(try tree(), ["a": "alpha", "b": "beta", "c": "gamma"])
    for part in ["one", "two"] {
      try serveSteps("+a 1", "part one", "part two")
      try site.answer(Self.root + "one", .text(Self.steps([])))
      try site.answer(Self.root + "two", .text(Self.steps([])))
      try site.answer(Self.root + part, .status(404))
      assertEnds(try await syncSteps(), .failed)
      XCTAssertEqual(try tree().count, 3, "nothing is removed")
    }
  }

  func testAPackedPartIsReadAsWhatIsInIt() async throws {
    try servePacked(try packed(Self.steps(["+b 1"])))
    assertEnds(try await syncSteps())
    XCTAssertEqual(try tree(), ["a": "alpha", "b": "beta"])
  }

  func testAPackedPartThatIsCutOrDamagedIsNone() async throws {
    let whole = try packed(Self.steps(["+b 1"]))
    var damaged = whole
    damaged[damaged.count - 6] ^= 1
    let plain = Array("steps\nend\n".utf8)
    let (cut, bad) = ("was cut before its end", "isn't packed as its name says, or is damaged")
    for (bytes, words) in [
      (whole.dropLast(), cut), (whole.dropLast(9), cut), (plain[...], bad), (damaged[...], bad),
    ] {
      try servePacked(Array(bytes))
      let report = try await syncSteps()
      XCTAssertEqual(report.outcome, .failed)
      XCTAssertEqual(
        report.failures.map(\.sentence),
        [
          """
          https://mirror.test/pub/part.gz gave a file that \(words), where a whole packed file \
          was expected; try again, and mend it at the source or tell who runs it if that stays so.
          """
        ])
    }
  }

  func testAPartWithAnotherDigestMeansThatTheCatalogChanged() async throws {
    try servePacked(try packed(Self.steps(["+b 1"])), digest: SHA256Digest(of: []))
    let report = try await syncSteps()
    XCTAssertEqual(report.outcome, .failed)
    XCTAssertEqual(
      report.failures.map(\.sentence),
      [
        """
        https://mirror.test/pub/part.gz has another digest than the file that names it says: it is \
        being published, or something on the way keeps an earlier state of it; try again, and tell \
        who publishes it if that stays so.
        """
      ])
  }

  func testWhatIsUnpackedCountsForTheLimitOfBytes() async throws {
    try servePacked(try packed(Self.steps(Array(repeating: "+b 1", count: 100_000))))
    let report = try await syncSteps { $0.maximumCatalogSize = 100_000 }
    XCTAssertEqual(report.failures.first?.advice, .raiseCatalogSize)
  }

  func testTheFirstRequestIsWhatTheNamedFormatWants() async throws {
    try site.answer(
      Self.stepsURL,
      .init(status: 207, headers: HTTPHeaders(), body: Array(Self.steps(["+a 1"]).utf8)))
    try serveBytes(["a": "alpha"])
    let report = try await syncSteps { options in
      options.additionalFormats = [StepsFormat(asksForProperties: true)]
      options.format = "steps"
    }
    XCTAssertEqual(report.outcome, .done, "\(report.failures)")
    let request = try XCTUnwrap(site.log.first)
    XCTAssertEqual(request.method, .propfind)
    XCTAssertEqual(request.headers["Depth"], "1")
    XCTAssertEqual(request.body?.length, 11)
  }

  func testARequestIsKeptAsItIsAndAPlainOneAsItsAddress() throws {
    let plain = CatalogRequest("https://h/a?b=c")
    XCTAssertEqual(
      String(decoding: try JSONEncoder().encode([plain]), as: UTF8.self)
        .replacing(#"\/"#, with: "/"), #"["https://h/a?b=c"]"#)
    var full = plain
    full.method = .report
    full.fields = [.init("Depth", "1")]
    full.body = "<x/>"
    full.step = "second"
    full.packing = .gzip
    (full.size, full.sha256) = (1, SHA256Digest(of: [1]))
    for request in [plain, full] {
      let kept = try JSONEncoder().encode([request])
      XCTAssertEqual(try JSONDecoder().decode([CatalogRequest].self, from: kept), [request])
    }
    XCTAssertNotEqual(plain.id, full.id)
  }
}
