private import SyncDatabase
import SyncFiles
import SyncFolder

/// A folder that is only looked at: nothing in it is made or changed, and no run works on it
/// meanwhile.
struct FolderInspection: Sendable {
  /// `nil` when there is no such folder.
  let folder: MirrorFolder?
  /// `nil` when the folder is no mirror yet.
  let index: MirrorIndex?
  let fileQueue: any DiskQueue
  private let lock: FolderLock?

  /// Opens a folder to look at.
  /// - Throws: ``FolderError``, also when a run works on it and the options don't say to wait.
  static func open(
    _ options: MirrorOptions, in environment: MirrorEnvironment
  ) async throws -> FolderInspection {
    try DescriptorLimit.check()
    let queue = environment.makeDiskQueue()
    let found = try await queue.run {
      try MirrorFolder.inspect(path: options.folder, in: environment.fileSystem)
    }
    guard let folder = found, folder.id != nil else {
      return FolderInspection(folder: nil, index: nil, fileQueue: queue, lock: nil)
    }
    let lock = try await Self.lock(
      folder, waitingBy: options.waitsForLock ? environment.clock : nil)
    // A file that is empty is an index of nothing, and a look makes nothing of it.
    guard try await queue.run({ try folder.indexHeader() }).hasContent else {
      return FolderInspection(folder: folder, index: nil, fileQueue: queue, lock: lock)
    }
    let index = try await MirrorIndex.open(
      in: folder, access: .readOnly, busyTimeout: environment.indexPatience,
      vfs: environment.indexVFS, executor: environment.makeIndexExecutor())
    do {
      try await index.checkBelongs(to: folder)
    } catch {
      await index.close()
      throw error
    }
    return FolderInspection(folder: folder, index: index, fileQueue: queue, lock: lock)
  }

  private static func lock(_ folder: MirrorFolder, waitingBy clock: (any Clock<Duration>)?)
    async throws -> FolderLock
  {
    while true {
      do {
        return try FolderLock.acquireForLooking(in: folder)
      } catch let error as FolderError {
        guard let clock, case .locked = error.code else { throw error }
        try await clock.sleep(for: .milliseconds(100))
      }
    }
  }

  /// The index of a mirror; `nil` when the folder is none yet.
  /// - Throws: ``MirrorError/index(path:_:)`` for a mirror whose index is gone.
  func requireIndex() throws -> MirrorIndex? {
    guard let folder, index == nil else { return index }
    throw MirrorError.index(path: folder.indexPath, .missing)
  }

  /// Everything that the index holds.
  func items() async throws -> [IndexedItem] {
    guard let index else { return [] }
    return try await index.read { reader in
      var items: [IndexedItem] = []
      try reader.forEachItem { items.append($0) }
      return items
    }
  }

  func close() async {
    await index?.close()
    lock?.release()
  }
}
