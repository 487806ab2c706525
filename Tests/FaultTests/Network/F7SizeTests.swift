import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// F7: catalogs of any size end at a limit, in bounded memory and time. The memory is held down by
/// the system: a run that wanted more would end by a signal.
final class F7SizeTests: FaultTestCase {
  private let site = HonestSite(["a": "alpha", "b": "beta"])
  private static let spaces = [UInt8](repeating: 0x20, count: 1 << 20)
  private static let numbers = Array(String(repeating: "1,", count: 1 << 19).utf8)
  private static let tenGigabytes = 10 << 10

  private func assertEndsAtALimit(
    _ claim: String, _ options: [String], memory: Int, saying words: String...,
    from script: @escaping FaultServer.Script, line: UInt = #line
  ) async throws {
    let server = try serve(site)
    assertEnd(try sync(server), 0, line: line)
    let before = try tree()
    server.follow(script)
    let outcome = try sync(
      server, HonestSite.catalogPath, ["--retries", "0"] + options, memory: memory,
      within: .seconds(120))
    try assertLeftAlone(outcome, saying: words, before, claim, line: line)
    try await assertNothingIsLost(of: site.versions, claim, line: line)
    try assertConverges(on: server, to: site, line: line)
    try FileManager.default.removeItem(at: copy)
  }

  func testF7_tenGigabytesOfSpacesEndAtTheLimit() async throws {
    for framing in FaultAnswer.Framing.allCases {
      try await assertEndsAtALimit(
        "spaces, \(framing)", ["--max-catalog-size", "32M"], memory: 1 << 30,
        saying: "limit of 1.0 MiB in one value, name, text or line"
      ) { _, _ in
        let head = FaultAnswer.head(
          framing: framing, length: Self.tenGigabytes * Self.spaces.count)
        let piece = framing == .chunked ? FaultAnswer.chunk(Self.spaces) : Self.spaces
        return FaultAnswer([.bytes(head), .repeated(piece, times: Self.tenGigabytes)])
      }
    }
  }

  /// In the long form, as a gigabyte takes its time.
  func testF7_theDefaultLimitHoldsInBoundedMemory() async throws {
    guard Extent.asked == .full else {
      return XCTAssertEqual(CatalogLimits().bytes, 1 << 30)
    }
    try await assertEndsAtALimit(
      "numbers past the default", [], memory: 4 << 30, saying: "limit of 1.0 GiB",
      "--max-catalog-size"
    ) { _, _ in
      let head = FaultAnswer.head(framing: .close) + Array("[".utf8)
      return FaultAnswer([.bytes(head), .repeated(Self.numbers, times: Self.tenGigabytes)])
    }
  }

  func testF7_aGzipBombEndsAtTheLimit() async throws {
    let (start, member) = (try gzip(Array("[".utf8)), try gzip(Self.numbers))
    try await assertEndsAtALimit(
      "gzip bomb", ["--max-catalog-size", "32M"], memory: 1 << 30,
      saying: "limit of 32.0 MiB"
    ) { _, _ in
      let head = FaultAnswer.head(200, [("Content-Encoding", "gzip")], framing: .close)
      return FaultAnswer([.bytes(head + start), .repeated(member, times: Self.tenGigabytes)])
    }
  }

  func testF7_anEndlessBodyOfEveryKindEndsAtTheLimit() async throws {
    let line = #"{"key":"k"}"# + "\n"
    let kinds: [(String, String, String)] = [
      ("NDJSON", #"{"catalog":1}"# + "\n", line),
      ("an array", "[", #"{"key":"k"},"#),
      ("numbers", #"{"catalog":1,"items":["#, "1,"),
      ("digests", "", String(repeating: "ab", count: 32) + "  a\n"),
      ("nginx", "<html>\r\n<head><title>Index of /</title></head>\r\n<body>\r\n", "<a href=\"x\">"),
    ]
    for (kind, start, rest) in kinds {
      let piece = Array(String(repeating: rest, count: (1 << 20) / rest.utf8.count).utf8)
      try await assertEndsAtALimit(
        kind, ["--max-catalog-size", "8M"], memory: 1 << 30, saying: "limit of 8.0 MiB"
      ) { _, _ in
        FaultAnswer([
          .bytes(FaultAnswer.head(framing: .close) + Array(start.utf8)),
          .repeated(piece, times: Self.tenGigabytes),
        ])
      }
    }
  }

  /// Within the limit of bytes, but so many entries that they would take a hundred times as much.
  /// In the long form, as it takes its time.
  func testF7_tooManyEntriesEndAtTheirLimitBeforeTheyTakeMemory() async throws {
    guard Extent.asked == .full else {
      return XCTAssertEqual(CatalogLimits().entries, 10_000_000)
    }
    let piece = Array(String(repeating: "1,", count: 1 << 19).utf8)
    for (start, end) in [
      (#"{"catalog":1,"complete":true,"items":["#, "1]}"), (#"[{"key":"k"},"#, "1]"),
    ] {
      try await assertEndsAtALimit(
        "ten million numbers", [], memory: 2 << 30, saying: "limit of 10000000 entries"
      ) { _, _ in
        let head = FaultAnswer.head(framing: .close) + Array(start.utf8)
        return FaultAnswer([
          .bytes(head), .repeated(piece, times: 20), .bytes(Array(end.utf8)),
        ])
      }
    }
  }

  func testF7_anErrorThatNeverEndsIsCut() async throws {
    try await assertEndsAtALimit("endless 404", [], memory: 1 << 30, saying: "404") { _, _ in
      let head = FaultAnswer.head(404, framing: .close)
      return FaultAnswer([.bytes(head), .repeated(Self.spaces, times: Self.tenGigabytes)])
    }
  }
}
