import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// A row of the matrix in which the disk has the fault, on the way through ``ReferenceWorld``.
class DiskTestCase: FaultTestCase {
  typealias Fault = FaultyDisk.Fault

  private var faultyDisk: FaultyDisk?
  private var largeItem: LargeItemServer?
  private var nginx: NginxServer?

  /// What is mirrored.
  var world: ReferenceWorld { .small }

  override func setUpWithError() throws {
    let memory = try MemoryPlace()
    atEnd { try memory.end() }
    try super.setUpWithError()
    faultyDisk = try FaultyDisk(in: base.appending(path: "records"))
    let large = try LargeItemServer()
    largeItem = large
    atEnd { large.stop() }
    try makeFolder(at: previews)
    nginx = try serve(
      source,
      NginxServer.Options(locations: [
        large.location, "location /previews/ { alias \(previews.path)/; }",
      ]))
  }

  var disk: FaultyDisk { get throws { try XCTUnwrap(faultyDisk) } }
  var server: NginxServer { get throws { try XCTUnwrap(nginx) } }
  var catalog: String { get throws { try server.url + "catalog.ndjson" } }
  private var previews: URL { base.appending(path: "previews") }

  /// One item after the other, so that a fault's number says the same in every run.
  var options: [String] { ["--previews", "--retries", "0", "--concurrency", "1"] }

  /// Publishes a state of the world.
  func publish(_ state: ReferenceWorld.State) throws {
    try world.publish(state, in: source, previews: previews)
  }

  /// Removes the copy, and whatever came of it.
  func startAnew() throws {
    if isThere(copy) {
      try FileManager.default.removeItem(at: copy)
    }
  }

  /// Brings the copy to where a run starts that goes to `state`, which is published.
  func prepare(for state: ReferenceWorld.State) throws {
    try startAnew()
    if state == .second {
      try publish(.first)
      largeItem?.breakOff(true)
      let isCut = world.items[.first]?["large"] != nil
      assertEnd(try mirror(["sync", try catalog, copy.path] + options), isCut ? 2 : 0)
      largeItem?.breakOff(false)
    }
    try publish(state)
  }

  /// Runs `mirror sync` on a disk that has `fault`.
  func sync(
    with fault: Fault?, counting kinds: [FaultyDisk.Kind] = FaultyDisk.Kind.changing,
    _ more: [String] = []
  ) throws -> ProgramOutcome {
    let environment = try disk.environment(fault, in: copy, counting: kinds)
    return try mirror(
      ["sync", try catalog, copy.path] + options + more, environment: environment)
  }

  /// The calls of these kinds that the way to `state` takes when nothing goes wrong.
  func referenceCalls(
    to state: ReferenceWorld.State, _ kinds: [FaultyDisk.Kind] = FaultyDisk.Kind.changing
  ) throws -> [FaultyDisk.Call] {
    try prepare(for: state)
    assertEnd(try sync(with: nil, counting: kinds), 0)
    try assertCopyIsTrue(except: ["catalog.ndjson"])
    return try disk.calls(in: copy)
  }

  /// The four things that must be true after any fault, and that the next run fetches nothing
  /// again that was recorded before.
  func assertAllIsWell(
    afterTheWayTo state: ReferenceWorld.State, _ claim: String, file: StaticString = #filePath,
    line: UInt = #line
  ) async throws {
    // A run that ended before it made the folder had nothing to lose.
    if isThere(copy) {
      try await assertNothingIsLost(of: world.versions, claim, file: file, line: line)
    }
    try assertConverges(
      try catalog, options, on: try server, publishing: "catalog.ndjson",
      notAsking: try await recorded(of: state), claim, file: file, line: line)
    try await assertNothingIsLost(
      of: world.versions, "the run after \(claim)", file: file, line: line)
  }

  /// What the index holds already of a state: the paths that needn't be asked for.
  func recorded(of state: ReferenceWorld.State) async throws -> Set<String> {
    let digests = world.items[state]?.mapValues(digest) ?? [:]
    let small = world.previews[state]?.mapValues(digest) ?? [:]
    return try await Self.rows(in: copy).reduce(into: []) { held, row in
      let key = row.key.description
      if row.state == .present, let content = row.content?.sha256, "\(content)" == digests[key] {
        held.insert("/" + key)
      }
      if let preview = row.preview?.sha256, "\(preview)" == small[key] {
        held.insert("/previews/" + key)
      }
    }
  }
}

/// The digest of bytes in hexadecimal.
func digest(_ bytes: Data) -> String {
  var hasher = SHA256Hasher()
  bytes.withUnsafeBytes { hasher.update($0) }
  return hasher.finish().description
}
