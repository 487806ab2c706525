import TestSupport
import Foundation
import SyncLock
import SyncTransport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// However often a file is cut, replaced and tampered with, what gets into the tree is one of its
/// states, whole.
final class ResumeRandomWalkTests: RunTestCase {
  /// A file on a server that honours parts as it likes.
  private struct World {
    var random: SeededGenerator
    var text = ""
    var etag = ""
    var state = 0

    mutating func change() {
      state += 1
      // Mostly of one length, which then tells nothing.
      text = RunTestCase.longText("state \(100 + state)", lines: 100_000 + (state % 5) / 4)
      etag = "\"\(state)\""
    }

    mutating func answer(to request: HTTPRequest) -> Site.Answer {
      let bytes = Array(text.utf8)
      var answer = Site.Answer(headers: HTTPHeaders([("ETag", etag)]), body: bytes)
      let offset = request.headers["Range"].flatMap { Int($0.dropFirst(6).dropLast()) }
      // Some servers don't look at If-Range.
      let isSame = request.headers["If-Range"] == etag || random.oneIn(3)
      if let offset, isSame, !random.oneIn(6) {
        guard offset < bytes.count else { return .status(416) }
        answer.status = 206
        answer.body = Array(bytes[offset...])
        answer.headers.add("Content-Range", "bytes \(offset)-\(bytes.count - 1)/\(bytes.count)")
      }
      if !random.oneIn(4) {
        answer.framing = .length(Int64(answer.body.count))
        let end = Int.random(in: 0...answer.body.count, using: &random)
        answer.body = Array(answer.body.prefix(end))
        answer.breakage = .interrupted
      }
      return answer
    }
  }

  private let url = root + "a"

  func testWhatGetsIntoTheTreeIsOneStateWhole() async throws {
    for seed in 1...4 as ClosedRange<UInt64> { try await walk(seed) }
  }

  private func walk(_ seed: UInt64) async throws {
    try? FileManager.default.removeItem(atPath: folder)
    let world = Locked(World(random: SeededGenerator(seed: seed)))
    var served: Set<String> = []
    var (parts, version) = (0, 0)
    for step in 0..<20 {
      let (text, isListedAnew) = world.withLock { world in
        if step == 0 || world.random.oneIn(2) { world.change() }
        return (world.text, world.random.oneIn(4))
      }
      if isListedAnew { version += 1 }
      served.insert(text)
      try serve([
        Thing("a", text) { thing in
          thing.hasSize = seed % 2 == 0
          thing.hasDigest = seed == 4
          thing.version = "\(version)"
        }
      ])
      site.onRequest { [site, url] request, _ in
        guard request.address.text == url else { return }
        try site.answer(url, world.withLock { $0.answer(to: request) })
      }
      let report = try await syncRetrying(2)
      XCTAssertNotEqual(report.outcome, .failed)
      // What is held isn't asked for again, unless there is news of it.
      if report.outcome == .done { version += 1 }
      parts += ranges().count { $0 != nil }
      for (_, held) in try tree() {
        XCTAssertTrue(served.contains(held), "seed \(seed), step \(step): bytes of two states")
      }
      let staged = try inside("staging")
      XCTAssertLessThanOrEqual(staged.count, 2, "seed \(seed), step \(step): \(staged.keys)")
    }
    XCTAssertGreaterThan(parts, 5, "it walks where nothing happens")
  }
}
