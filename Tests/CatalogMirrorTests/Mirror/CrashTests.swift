import Foundation
import SyncLock
import XCTest

@testable import CatalogMirror

/// A run that dies between any two steps of the index leaves a folder from which the next run
/// makes everything right. The folder is kept as it was before the step, and put back in
/// place of what the run made of it.
final class CrashTests: RunTestCase {
  private let before = [
    Thing("same", "same"), Thing("changed", "old"), Thing("gone", "gone"),
    Thing("deep/gone", "gone too"), Thing("file", "a file"), Thing("directory/x", "x"),
    Thing("pictured", "old") { $0.preview = .init(url: "p/1", text: "p1", mediaType: "image/png") },
    Thing("bare", "bare") { $0.preview = .init(url: "p/2", text: "p2", mediaType: "image/png") },
  ]
  private let after = [
    Thing("same", "same"), Thing("changed", "new"), Thing("new", "new"), Thing("file/now", "dir"),
    Thing("directory", "a file"), Thing("adopted", "as it was"),
    Thing("pictured", "new") { $0.preview = .init(url: "p/3", text: "p3", mediaType: "image/gif") },
    Thing("bare", "bare"),
  ]
  private let foreign = ["mine": "mine", "deep/mine": "mine too", "adopted": "as it was"]

  func testARunThatDiesAnywhereIsMadeUpForByTheNext() async throws {
    var number = 1
    while try await dies(beforeJob: number) { number += 1 }
    XCTAssertGreaterThan(number, 12, "there was something to die between")
  }

  /// Whether there was such a job.
  private func dies(beforeJob number: Int) async throws -> Bool {
    try? FileManager.default.removeItem(atPath: folder)
    try serve(before)
    try await syncWell(all)
    for (name, text) in foreign { try place(text, at: name) }
    try place("edited", at: "changed")
    try serve(after)
    let jobs = Locked(0)
    let (folder, kept) = (folder, base + "/kept")
    let problem = Locked<(any Error)?>(nil)
    var environment = environment
    environment.makeIndexExecutor = {
      CountingExecutor(jobs, before: number) {
        do {
          try Self.keep(folder, at: kept)
        } catch {
          problem.withLock { $0 = error }
        }
      }
    }
    let report = try await FolderMirror(mirror(all).options, in: environment).sync()
    if let problem = problem.withLock({ $0 }) { throw problem }
    XCTAssertEqual(report.outcome, .done, "\(report.failures)")
    guard jobs.withLock({ $0 }) >= number else { return false }
    try FileManager.default.removeItem(atPath: folder)
    try FileManager.default.moveItem(atPath: kept, toPath: folder)
    try await assertNothingIsClaimed(afterJob: number)
    try await assertTheNextRunMakesItRight(afterJob: number)
    return true
  }

  private func all(_ options: inout MirrorOptions) {
    options.previews = .also
    options.maximumRemoval = .all
    options.concurrency = 1
  }

  /// Whatever the index claims is there, but for what it says is being removed, or was edited; or
  /// the bytes that come next are, whole.
  private func assertNothingIsClaimed(afterJob number: Int) async throws {
    let tree = try tree()
    for (key, row) in try await rows() where row.state == .present && tree[key] != "edited" {
      guard let content = row.content else { continue }
      guard tree[key].map(digest) != content.sha256 else { continue }
      let next = after.first { $0.key == key }
      XCTAssertEqual(tree[key], next?.text, "\(key), before job \(number)")
    }
  }

  private func assertTheNextRunMakesItRight(afterJob number: Int) async throws {
    let place = "died before job \(number)"
    let report = try await sync(all)
    XCTAssertEqual(report.outcome, .done, "\(report.failures), \(place)")
    let right = Dictionary(after.map { ($0.key, $0.text) }) { $1 }
    XCTAssertEqual(try tree(), foreign.merging(right) { $1 }, place)
    XCTAssertEqual(Array(try inside("previews").values), ["p3"], place)
    XCTAssertEqual(try movedAway(to: "displaced"), ["changed": "edited"], place)
    let held = try await rows()
    XCTAssertEqual(Set(held.keys), Set(right.keys), place)
    try await assertIndexIsTrue()
    let again = try await syncWell(all)
    XCTAssert(again.wasUnchanged, place)
  }

  /// Keeps a folder as it is: files by hard links, since they are only ever replaced, and the index
  /// by copies.
  private static func keep(_ folder: String, at kept: String) throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: kept, withIntermediateDirectories: false)
    let paths = manager.enumerator(atPath: folder)
    for case let path as String in paths ?? .init() {
      let (from, to) = ("\(folder)/\(path)", "\(kept)/\(path)")
      let type = try manager.attributesOfItem(atPath: from)[.type] as? FileAttributeType
      if type == .typeDirectory {
        try manager.createDirectory(atPath: to, withIntermediateDirectories: false)
      } else if path.hasPrefix(".mirror/index") {
        try manager.copyItem(atPath: from, toPath: to)
      } else {
        try manager.linkItem(atPath: from, toPath: to)
      }
    }
  }
}
