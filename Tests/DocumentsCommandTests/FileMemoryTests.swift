import Foundation
import TestSupport
import XCTest

/// What it takes to send a file, whatever its length.
final class FileMemoryTests: ServedTestCase {
  /// Syncs, and answers the most memory that the program held, in MiB (proc(5), `VmHWM`).
  private func sync() throws -> Int {
    let child = try start(["sync", "a.db"])
    var peak = 0
    while !child.hasEnded {
      let path = "/proc/\(child.identifier)/status"
      let status = try? String(contentsOfFile: path, encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      let kilobytes = line?.split(separator: " ").lazy.compactMap { Int($0) }.first
      peak = max(peak, (kilobytes ?? 0) >> 10)
      usleep(1_000)
    }
    XCTAssertEqual(try child.end(within: .seconds(120)), .exited(0), child.said)
    return peak
  }

  private func attach(_ mebibytes: Int) throws {
    let file = folder.appending(path: "video.png")
    try Data("\(mebibytes)".utf8).write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: UInt64(max(1, mebibytes << 20)))
    try handle.close()
    try documents("attach", "a.db", "milk", "video", "video.png", ends: 0)
  }

  /// All of it was in memory, and once more as a form.
  func testAFileIsNeverWholeInMemory() throws {
    try makeStores()
    try documents("put", "a.db", "note", "milk", #"{"n": 1}"#, ends: 0)
    try attach(0)
    let small = try sync()
    try attach(96)
    let large = try sync()
    XCTAssertGreaterThan(small, 0)
    XCTAssertLessThan(large, small + 32, "MiB, beside \(small)")
    let status = try documents("status", "a.db", "--json").object
    XCTAssertEqual((status["files"] as? [String: Int])?["up"], 0)
    try sync("b.db")
    let files = folder.appending(path: "b.db-files")
    let sizes = try FileManager.default.contentsOfDirectory(
      at: files, includingPropertiesForKeys: [.fileSizeKey]
    ).map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize }
    XCTAssertTrue(sizes.contains(96 << 20), "\(sizes)")
  }
}
