import Foundation
import SyncLock
public import XCTest
package import SyncFiles
package import SyncFolder
package import SyncText

/// A test with a directory of its own, in which a mirror `folder` and a canary `outside` of it
/// stand.
open class FolderTestCase: XCTestCase {
  package private(set) var base = ""
  package var path: String { base + "/folder" }
  package var outside: String { base + "/outside" }
  package static let started = 1_738_324_800.0  // 20250131T120000Z
  package static let batch = "20250131T120000Z"

  open override func setUpWithError() throws {
    base = FileManager.default.temporaryDirectory.path + "/folder-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: outside, withIntermediateDirectories: true)
    try put("canary", at: outside + "/canary")
  }

  open override func tearDownWithError() throws {
    XCTAssertEqual(try text(outside + "/canary"), "canary", "something outside was changed")
    XCTAssertEqual(try names(outside), ["canary"], "something outside was changed")
    try FileManager.default.removeItem(atPath: base)
  }

  package func open(
    _ mode: MirrorFolder.Mode = .create, resolver: PathResolver? = nil,
    fileSystem: any FileSystem = SystemFileSystem()
  ) throws -> MirrorFolder {
    try MirrorFolder.open(path: path, mode: mode, resolver: resolver, in: fileSystem)
  }

  package func put(_ text: String, at path: String) throws {
    let parent = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  package func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  package func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  package func exists(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
  }

  package func relative(_ text: String) throws -> RelativePath {
    try RelativePath(ByteString(text))
  }

  package func stage(
    _ text: String, in staging: Staging, name: String? = nil, modified: Double? = nil
  ) throws -> Staged {
    let file = try staging.create(name: name)
    try Data(text.utf8).withUnsafeBytes { try file.write($0) }
    return try file.finish(modified: modified)
  }

  package func stamp(_ text: String, in folder: MirrorFolder) throws -> FileStamp {
    try XCTUnwrap(try folder.look(at: relative(text))).stamp
  }

  package func assertThrows<Value>(
    _ code: FolderError.Code, _ body: @autoclosure () throws -> Value,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertThrowsError(try body(), file: file, line: line) { error in
      XCTAssertEqual((error as? FolderError)?.code, code, "\(error)", file: file, line: line)
    }
  }
}

/// A committer with its folder, and what it recorded.
package final class CommitBench: Sendable {
  package let folder: MirrorFolder
  package let staging: Staging
  package let queue = ManualDiskQueue()
  package let committer: BatchCommitter<String>
  private let recorded = Locked<[[Placed<String>]]>([])

  package init(
    _ folder: MirrorFolder, durability: Durability = .batch,
    owner: @escaping @Sendable (ByteString) throws -> Ownership = { _ in .foreign },
    record: @escaping @Sendable () throws -> Void = {}
  ) throws {
    self.folder = folder
    staging = try Staging(folder, durability: durability)
    let recorded = recorded
    committer = BatchCommitter(
      staging, startedAt: FolderTestCase.started, queue: queue, owner: owner
    ) { batch in
      try record()
      recorded.withLock { $0.append(batch) }
    }
  }

  package var batches: [[Placed<String>]] { recorded.withLock { $0 } }
  package var placed: [Placed<String>] { batches.flatMap { $0 } }

  package func add(_ staged: Staged, at text: String, expecting: Expectation = .nothing) throws {
    committer.add(
      Placement(
        staged: staged, destination: .item(try RelativePath(ByteString(text))),
        expectation: expecting, payload: text))
  }

  package func drain() async -> [PlacementFailure<String>] { await committer.drain() }
}

/// A queue that works at once, and a clock that a test turns by hand.
package final class ManualDiskQueue: DiskQueue {
  private let work = DispatchDiskQueue()
  private let later = Locked<[@Sendable () -> Void]>([])
  private let before = Locked<(@Sendable () -> Void)?>(nil)
  private let after = Locked<(@Sendable () -> Void)?>(nil)

  /// Runs once, right before the next piece of work is enqueued.
  package func beforeNext(_ body: @escaping @Sendable () -> Void) {
    before.withLock { $0 = body }
  }

  /// Runs once, right after the next piece of work was enqueued.
  package func afterNext(_ body: @escaping @Sendable () -> Void) {
    after.withLock { $0 = body }
  }

  package func enqueue(_ body: @escaping @Sendable () -> Void) {
    Self.take(before)?()
    work.enqueue(body)
    Self.take(after)?()
  }

  private static func take(
    _ hook: Locked<(@Sendable () -> Void)?>
  ) -> (@Sendable () -> Void)? {
    hook.withLock { hook in
      defer { hook = nil }
      return hook
    }
  }

  package func enqueue(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    later.withLock { $0.append(body) }
  }

  package var waiting: Int { later.withLock { $0.count } }

  /// Everything that waited for its time is due, and done when this returns.
  package func pass() async throws {
    let due = later.withLock { later in
      defer { later = [] }
      return later
    }
    for body in due { work.enqueue(body) }
    try await work.run {}
    try await work.run {}
  }
}
