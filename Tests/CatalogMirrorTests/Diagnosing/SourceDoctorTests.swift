import SyncLock
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing

/// What the doctor finds out about sources of every kind, and how little it asks for.
final class SourceDoctorTests: RunTestCase {
  private let text = String(repeating: "0123456789", count: 20)

  private func examine(
    _ change: (inout MirrorOptions) -> Void = { _ in }
  ) async throws -> SourceDiagnosis {
    site.forgetLog()
    var options = MirrorOptions(catalog: Self.catalogURL, folder: "/nowhere")
    options.retries = 0
    change(&options)
    return try await SourceDoctor(options, in: environment).examine()
  }

  /// Publishes one item, whose server answers a request for a part by this.
  private func serveItem(
    parts: @escaping @Sendable (_ request: HTTPRequest, _ whole: Site.Answer) -> Site.Answer
  ) throws {
    try serve([Thing("a", text)])
    let whole = Site.Answer.text(text, ("ETag", "\"1\""))
    site.onRequest { [site] request, _ in
      guard request.address.text == Self.root + "a" else { return }
      let answer = request.headers["Range"] == nil ? whole : parts(request, whole)
      try site.answer(request.address.text, answer)
    }
  }

  private static func part(_ request: HTTPRequest, of whole: Site.Answer) -> Site.Answer {
    let offset = request.headers["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
    var part = whole
    part.status = 206
    part.body = Array(whole.body[offset...])
    part.headers.add(
      "Content-Range", "bytes \(offset)-\(whole.body.count - 1)/\(whole.body.count)")
    return part
  }

  func testAListIsDescribedByWhatItTells() async throws {
    try serve(
      [
        Thing("a", "alpha"), Thing("A", "other"),
        Thing("b", "beta") { $0.hasDigest = false },
        Thing("c", "gamma") { ($0.hasDigest, $0.hasSize) = (false, false) },
        Thing("../x", "out"),
      ], isComplete: false)
    let diagnosis = try await examine()
    let list = try XCTUnwrap(diagnosis.list)
    XCTAssertEqual(list.format, "catalog")
    XCTAssertEqual(list.noun, "a catalog of format 1")
    XCTAssertEqual(list.items, 4)
    XCTAssertEqual(list.bytes, 14)
    XCTAssertEqual(list.unsized, 1)
    XCTAssertEqual(list.digested, 2)
    XCTAssertEqual(list.proofs, ["SHA-256"])
    XCTAssertEqual(list.versioned, 3)
    XCTAssertEqual(list.refusedCount, 1)
    XCTAssertEqual(list.folded, 2)
    XCTAssertEqual(list.partial, [.unvouched])
  }

  func testPartsAreToldByWhatTheServerSends() async throws {
    typealias Answer = @Sendable (HTTPRequest, Site.Answer) -> Site.Answer
    let careless: Answer = { Self.part($0, of: $1) }
    let honest: Answer = { request, whole in
      request.headers["If-Range"] == "\"1\"" ? Self.part(request, of: whole) : whole
    }
    let wrong: Answer = { request, whole in
      var part = Self.part(request, of: whole)
      part.body[0] ^= 1
      return part
    }
    let cases: [(SourceDiagnosis.Ranges, Answer)] = [
      (.honest, honest), (.careless, careless), (.wrong, wrong), (.ignored, { $1 }),
    ]
    for (ranges, answer) in cases {
      try serveItem(parts: answer)
      let diagnosis = try await examine()
      let item = try XCTUnwrap(diagnosis.item)
      XCTAssertEqual(item.ranges, ranges)
      XCTAssertNil(item.problem)
      XCTAssertEqual(item.validator.kind, .strong)
    }
  }

  func testValidatorsAreAskedForTwiceAndOnceMore() async throws {
    let names: [(SourceDiagnosis.Validation.Kind, [(String, String)])] = [
      (.strong, [("ETag", "\"1\"")]), (.weak, [("ETag", "W/\"1\"")]), (.none, []),
      (.youngDate, [("Last-Modified", "Fri, 31 Jan 2025 12:00:00 GMT")]),
    ]
    for (kind, headers) in names {
      try serve([Thing("a", text)])
      var answer = Site.Answer.text(try catalog([Thing("a", text)]))
      for (name, value) in headers { answer.headers.add(name, value) }
      try site.answer(Self.catalogURL, answer)
      let validator = try await examine().listValidator
      XCTAssertEqual(validator.kind, kind)
      XCTAssertEqual(validator.holdsStill, kind == .none ? nil : true)
      // The site knows tags only.
      XCTAssertEqual(validator.confirms, kind == .none ? nil : kind != .youngDate)
    }
    let text = try catalog([Thing("a", text)])
    let answers = (0..<9).map { Site.Answer.text(text, ("ETag", "\"\($0)\"")) }
    let numbers = Locked(0)
    site.onRequest { [site] request, _ in
      guard request.address.text == Self.catalogURL else { return }
      let number = numbers.withLock { number in
        number += 1
        return number
      }
      try site.answer(Self.catalogURL, answers[number])
    }
    let restless = try await examine().listValidator
    XCTAssertEqual(restless.holdsStill, false)
  }

  func testWhatNothingReadsByItselfIsTriedByEachFormat() async throws {
    try site.answer(Self.catalogURL, .text(#"{"a":"files/a","b":"files/b"}"#))
    let diagnosis = try await examine()
    XCTAssertNil(diagnosis.list)
    XCTAssertEqual(diagnosis.problem?.advice, .nameFormat)
    let mapping = try XCTUnwrap(diagnosis.candidates.first { $0.format == "mapping" })
    XCTAssertEqual(mapping.items, 2)
    try await assertEqual(examine { $0.format = "mapping" }.list?.items, 2)
  }

  func testWhatCannotBeHadIsTheDiagnosisAndNoError() async throws {
    try site.answer(Self.catalogURL, .status(404))
    let gone = try await examine()
    XCTAssertNil(gone.list)
    XCTAssertEqual(gone.candidates, [])
    XCTAssertTrue(gone.problem?.sentence.contains("404") ?? false, "\(gone)")
    try serve([Thing("a", text)])
    try site.answer(Self.root + "a", .status(403))
    let closed = try await examine()
    XCTAssertEqual(closed.list?.items, 1)
    XCTAssertTrue(closed.item?.problem?.sentence.contains("403") ?? false, "\(closed)")
  }

  /// Nothing was told of it but that it is long.
  func testOfALongListTheFirstPagesAreTold() async throws {
    for page in 0...SourceDoctor.mostPages {
      let url = page == 0 ? Self.catalogURL : Self.root + "\(page)"
      let header = #"{"catalog":1,"complete":true,"count":999,"next":"\#(page + 1)"}"#
      try site.answer(url, .text(header + "\n" + #"{"key":"k\#(page)"}"# + "\n"))
    }
    let diagnosis = try await examine()
    let list = try XCTUnwrap(diagnosis.list)
    XCTAssertEqual(list.pages, SourceDoctor.mostPages)
    XCTAssertEqual(list.items, SourceDoctor.mostPages)
    XCTAssertTrue(list.isPart)
    XCTAssertFalse(list.isWhole)
    XCTAssertFalse(site.asked.contains("/pub/\(SourceDoctor.mostPages)"), "a page too many")
  }

  func testAListOfExactlySoManyPagesIsReadToItsEnd() async throws {
    for page in 0..<SourceDoctor.mostPages {
      let url = page == 0 ? Self.catalogURL : Self.root + "\(page)"
      let next = page + 1 < SourceDoctor.mostPages ? #","next":"\#(page + 1)""# : ""
      try site.answer(url, .text(#"{"catalog":1,"complete":true\#(next)}"# + "\n"))
    }
    let diagnosis = try await examine()
    let list = try XCTUnwrap(diagnosis.list)
    XCTAssertFalse(list.isPart)
    XCTAssertTrue(list.isWhole)
  }

  func testAPackageIndexIsAskedWhetherItGivesJSON() async throws {
    let page = """
      <html><head><meta name="pypi:repository-version" content="1.1"></head>\
      <body><a href="a-1.zip">a-1.zip</a></body></html>
      """
    let json = #"{"meta":{"api-version":"1.1"},"name":"a","files":[]}"#
    for offersJSON in [false, true] {
      site.onRequest { [site] request, _ in
        guard request.address.text == Self.catalogURL else { return }
        let wantsJSON = request.headers["Accept"]?.contains("simple.v1+json") ?? false
        try site.answer(
          Self.catalogURL,
          wantsJSON && offersJSON
            ? .text(json, ("Content-Type", "application/vnd.pypi.simple.v1+json"))
            : .text(page, ("Content-Type", "text/html")))
      }
      let list = try await examine().list
      XCTAssertEqual(list?.items, 1)
      XCTAssertEqual(list?.offersJSON, offersJSON)
    }
  }

  /// It was told to be one without JSON.
  func testAPackageIndexThatGivesNoSecondAnswerIsNotJudged() async throws {
    let page = """
      <html><head><meta name="pypi:repository-version" content="1.1"></head>\
      <body><a href="a-1.zip">a-1.zip</a></body></html>
      """
    site.onRequest { [site] request, _ in
      guard request.address.text == Self.catalogURL else { return }
      let wantsJSON = request.headers["Accept"]?.contains("simple.v1+json") ?? false
      try site.answer(
        Self.catalogURL, wantsJSON ? .status(500) : .text(page, ("Content-Type", "text/html")))
    }
    let list = try await examine().list
    XCTAssertEqual(list?.format, "simple-index")
    XCTAssertNil(list?.offersJSON)
  }

  /// The validators of a Release that no run asks for were told as those of the InRelease.
  func testTheValidatorsAreThoseOfWhatARunAsksFor() async throws {
    let suite = Self.root + "suite/"
    for (isThere, kind) in [(true, SourceDiagnosis.Validation.Kind.none), (false, .strong)] {
      try site.answer(suite + "InRelease", isThere ? .text("signed") : .status(404))
      try site.answer(suite + "Release", .text("other", ("ETag", "\"1\"")))
      let diagnosis = try await examine { options in
        options.catalog = suite
        options.format = "debian"
      }
      XCTAssertEqual(diagnosis.listValidator.kind, kind)
    }
  }

  func testOnlyOneItemIsAskedForAndNothingIsMade() async throws {
    try serve((1...50).map { Thing("item \($0)", String(repeating: "x", count: $0)) })
    _ = try await examine()
    let items = Set(site.asked.filter { !$0.hasSuffix(".ndjson") })
    XCTAssertEqual(items, ["/pub/item%202"], "the smallest that can be cut")
    XCTAssertLessThanOrEqual(site.log.count, 10)
  }
}
