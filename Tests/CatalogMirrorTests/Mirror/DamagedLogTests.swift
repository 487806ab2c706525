import TestSupport
import Foundation
import XCTest

@testable import CatalogMirror

/// The index's write-ahead log, as a kill leaves it, with other bytes in it (F18).
final class DamagedLogTests: RunTestCase {
  private let things = (0..<60).map { Thing("d/\($0)", "text \($0)") }

  func testF18_randomBytesInTheLogNeverHarmTheTree() async throws {
    try serve(things)
    try await syncWell()
    try place("mine", at: "foreign")
    let whole = try tree()
    let files = try await filesAsAfterAKill()
    XCTAssertGreaterThan(files[1].count, 4_096)
    var seed = SeededGenerator(seed: 21)
    for round in 0..<40 {
      var log = files[1]
      for _ in 0..<(1 << (round % 9)) {
        let place = Int.random(in: 0..<log.count, using: &seed)
        log[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &seed)
      }
      if seed.oneIn(4) { log = log.prefix(Int.random(in: 0..<log.count, using: &seed)) }
      try? remove(".mirror/index.sqlite-shm")
      for (suffix, bytes) in [("", files[0]), ("-wal", log)] {
        try bytes.write(to: URL(filePath: folder + "/.mirror/index.sqlite" + suffix))
      }
      var report = try await sync()
      if report.outcome != .done { report = try await sync() }
      XCTAssertEqual(report.outcome, .done, "round \(round): \(report.failures)")
      XCTAssertEqual(try tree(), whole, "round \(round)")
      try await assertIndexIsTrue()
    }
  }

  /// The index's file and its log while a run has written and hasn't closed them.
  private func filesAsAfterAKill() async throws -> [Data] {
    let path = folder + "/.mirror/index.sqlite"
    let index = try await MirrorIndex.open(path: path)
    try await index.write { writer in
      var items: [IndexedItem] = []
      try writer.forEachItem { items.append($0) }
      try writer.record(items.prefix(30).map { .contentLost($0.key) })
      try writer.record(items.compactMap { item in item.content.map { .content(item.entry, $0) } })
    }
    let copies = base + "/copies"
    try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: true)
    // Copied by another process: one that closes the file in this one would drop SQLite's locks.
    let copying = try Process.run(
      URL(filePath: "/bin/cp"), arguments: [path, path + "-wal", copies])
    copying.waitUntilExit()
    await index.close()
    return try ["", "-wal"].map {
      try Data(contentsOf: URL(filePath: copies + "/index.sqlite" + $0))
    }
  }
}
