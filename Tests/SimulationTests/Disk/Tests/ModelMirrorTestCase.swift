import SyncDatabase
import SyncTransport
import SynchronizerTesting
import TransportTesting
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// A test that runs whole mirrors over the model, with a site in memory and ordinary queues.
class ModelMirrorTestCase: XCTestCase {
  static let root = "https://mirror.test/pub/"
  static let folder = "/data/mirror"

  func emptyDisk() throws -> ModelDisk {
    let disk = ModelDisk()
    try disk.put(.directory, at: "/data")
    disk.settle()
    return disk
  }

  /// A mirror run by a new process; it must be let go of after the run only.
  func mirror(
    of site: MemoryTransport, on disk: ModelDisk,
    _ change: (inout MirrorOptions) -> Void = { _ in }
  ) -> (mirror: FolderMirror, vfs: ModelVFS) {
    let vfs = ModelVFS(disk.fileSystem)
    var environment = MirrorEnvironment()
    environment.now = { 1_738_324_800 }
    environment.clock = ManualClock()
    environment.random = { 1 }
    environment.makeTransport = { _ in site }
    environment.fileSystem = disk.fileSystem
    environment.indexVFS = vfs.name
    var options = MirrorOptions(catalog: Self.root + "catalog.ndjson", folder: Self.folder)
    options.retries = 0
    change(&options)
    return (FolderMirror(options, in: environment), vfs)
  }

  @discardableResult
  func sync(
    _ site: MemoryTransport, on disk: ModelDisk,
    _ change: (inout MirrorOptions) -> Void = { _ in }
  ) async throws -> MirrorReport {
    let (mirror, vfs) = mirror(of: site, on: disk, change)
    defer { withExtendedLifetime(vfs) {} }
    return try await mirror.sync()
  }

  func site(_ texts: [String: String]) throws -> MemoryTransport {
    let site = MemoryTransport()
    var catalog = #"{"catalog":1,"complete":true}"# + "\n"
    for (key, text) in texts.sorted(by: { $0.key < $1.key }) {
      catalog +=
        #"{"key":"\#(key)","version":"\#(text.prefix(40))","size":\#(text.utf8.count)}"# + "\n"
      site.answer(try WebAddress(Self.root + key), with: .init(body: Array(text.utf8)))
    }
    site.answer(
      try WebAddress(Self.root + "catalog.ndjson"),
      with: .init(
        headers: HTTPHeaders([("Content-Type", "application/x-ndjson")]),
        body: Array(catalog.utf8)))
    return site
  }

  /// The texts of the mirrored tree.
  func texts(_ disk: ModelDisk) -> [String: String] {
    disk.tree(below: Self.folder).filter { !$0.key.hasPrefix(".mirror") }
      .compactMapValues { thing in
        guard case .file(let bytes) = thing else { return nil }
        return String(decoding: bytes, as: UTF8.self)
      }
  }

  /// What the index holds, by key; nothing when there is none yet.
  func rows(_ disk: ModelDisk) async throws -> [String: IndexedItem] {
    let vfs = ModelVFS(disk.fileSystem)
    defer { withExtendedLifetime(vfs) {} }
    let path = Self.folder + "/.mirror/index.sqlite"
    guard disk.tree(below: Self.folder)[".mirror/index.sqlite"] != nil else { return [:] }
    let index = try await MirrorIndex.open(path: path, vfs: vfs.name)
    let rows = try await index.read { reader in
      var rows: [String: IndexedItem] = [:]
      try reader.forEachItem { rows[$0.key.description] = $0 }
      return rows
    }
    await index.close()
    return rows
  }
}
