import Foundation
import SyncLock
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// However often the parts of a file are cut, replaced and tampered with, what gets into the tree
/// is one of its states, whole.
final class PartsRandomWalkTests: PartsTestCase {
  private struct World {
    var random: SeededGenerator
    var state = 0

    /// Another state, mostly of one length, which then tells nothing.
    mutating func change() -> (text: String, etag: String) {
      state += 1
      let lines = 150_000 + (state % 5) / 4
      return (RunTestCase.longText("state \(100 + state)", lines: lines), "\"\(state)\"")
    }

    mutating func spoil(_ answer: inout MemoryTransport.Answer) {
      switch Int.random(in: 0..<14, using: &random) {
      case 0: answer = .status(416)
      case 1: answer = .status(503)
      case 2 where !answer.body.isEmpty: answer.body[answer.body.count / 2] ^= 1
      case 3...5:
        answer.framing = answer.framing ?? .length(Int64(answer.body.count))
        answer.body = Array(
          answer.body.prefix(Int.random(in: 0...answer.body.count, using: &random)))
        answer.breakage = .interrupted
      default: break
      }
    }
  }

  func testWhatGetsIntoTheTreeIsOneStateWhole() async throws {
    var goneOn = 0
    for seed in 1...4 as ClosedRange<UInt64> { goneOn += try await walk(seed) }
    XCTAssertGreaterThan(goneOn, 0, "it walks where nothing happens")
  }

  /// - Returns: how many runs began with a part of an earlier one.
  private func walk(_ seed: UInt64) async throws -> Int {
    try? FileManager.default.removeItem(atPath: folder)
    let world = Locked(World(random: SeededGenerator(seed: seed)))
    var served: Set<String> = []
    var (goneOn, version, text) = (0, 0, "")
    for step in 0..<16 {
      let (isChanged, streams) = world.withLock { world in
        (step == 0 || world.random.oneIn(2), Int.random(in: 1...5, using: &world.random))
      }
      if isChanged {
        let (new, etag) = world.withLock { $0.change() }
        (text, version) = (new, version + 1)
        file.become(new, etag: etag)
        served.insert(new)
      }
      try serve([Thing("a", text) { $0.version = "\(version)" }])
      file.onAnswer { answer, _ in world.withLock { $0.spoil(&answer) } }
      let report = try await syncRetrying(1) { $0.streams = streams == 5 ? 0 : streams }
      XCTAssertNotEqual(report.outcome, .failed)
      for (_, held) in try tree() {
        XCTAssertTrue(served.contains(held), "seed \(seed), step \(step): bytes of two states")
      }
      if report.outcome == .done {
        XCTAssertTrue(try tree() == ["a": text], "seed \(seed), step \(step)")
      }
      if let first = file.asked.first, first.condition != nil { goneOn += 1 }
      XCTAssertLessThanOrEqual(try staged().count, 2, "seed \(seed), step \(step)")
    }
    return goneOn
  }
}
