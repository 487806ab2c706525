private import SyncDatabase

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
  /// - Throws: ``FolderError``, also when a run works on it and `waiting` is false.
  static func open(_ path: String, waiting: Bool) async throws -> FolderInspection {
    let queue = DispatchDiskQueue()
    guard let folder = try await queue.run({ try MirrorFolder.inspect(path: path) }),
      folder.id != nil
    else {
      return FolderInspection(folder: nil, index: nil, fileQueue: queue, lock: nil)
    }
    let lock = try await Self.lock(folder, waiting: waiting)
    do {
      let index = try await MirrorIndex.open(path: folder.indexPath, access: .readOnly)
      return FolderInspection(folder: folder, index: index, fileQueue: queue, lock: lock)
    } catch let error as DatabaseError where error.code == .cannotOpen {
      return FolderInspection(folder: folder, index: nil, fileQueue: queue, lock: lock)
    }
  }

  private static func lock(_ folder: MirrorFolder, waiting: Bool) async throws -> FolderLock {
    while true {
      do {
        return try FolderLock.acquireForLooking(in: folder)
      } catch let error as FolderError {
        guard waiting, case .locked = error.code else { throw error }
        try await ContinuousClock().sleep(for: .milliseconds(100))
      }
    }
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
