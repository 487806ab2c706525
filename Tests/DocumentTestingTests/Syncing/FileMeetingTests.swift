import DocumentTesting
import XCTest

@testable import DocumentSync

/// Two replicas give one member different files.
final class FileMeetingTests: XCTestCase {
  private let time = SyncedReplica.Time()
  private let milk = DocumentID("milk")

  private func attach(
    _ name: String, withPreview: Bool, _ replica: SyncedReplica
  ) async throws -> FileReference {
    let files = replica.store.files
    var preview: FileFacts?
    if withPreview { preview = try await files.keep(Array("small \(name)".utf8), named: "s.png") }
    let file = FileReference(
      try await files.keep(Array(name.utf8), named: name), preview: preview)
    _ = try await replica.store.edit { [milk] in try $0.attach(file, to: "picture", of: milk) }
    return file
  }

  func testTwoFilesForOneMemberAreNeverMixed() async throws {
    var manners = ServerManners()
    manners.capabilities.features.insert(.files)
    let server = ReferenceServer(manners: manners)
    var setting = SyncedReplica.Setting()
    setting.collections = [SyncedCollection("notes", policies: [.merge, .serverWins])]
    let here = try await SyncedReplica(server.endpoint(named: "here"), time, setting)
    let there = try await SyncedReplica(server.endpoint(named: "there"), time, setting)
    try await here.save(milk, ["n": 1])
    _ = try await attach("first.png", withPreview: false, here)
    for one in [here, there] { try await one.sync() }
    _ = try await attach("mine.png", withPreview: true, here)
    let theirs = try await attach("theirs.png", withPreview: false, there)
    for one in [there, here, there, here] { try await one.sync() }
    for one in [here, there] {
      let value = try await one.get(milk)?["picture"]
      XCTAssertEqual(value.flatMap { FileReference($0) }, theirs)
      let content = try await one.store.files.bytes(of: theirs.content.digest)
      XCTAssertEqual(content, Array("theirs.png".utf8))
      let counts = try await one.store.read { try $0.fileCounts() }
      XCTAssertEqual(counts, FileCounts())
    }
    // What neither names any more isn't at the server either.
    XCTAssertEqual(server.state.files.keys.map(\.digest), [theirs.content.digest])
  }
}
