private import SyncDatabase
import SyncFiles
import SyncFolder
import SyncLock

/// What a pass is performed with: what was asked for, what it works on, and whom it tells.
struct RunContext: Sendable {
  let options: MirrorOptions
  let ground: PassGround
  let catalog: CatalogSource
  let observer: MirrorObserver
  /// When the run began, in seconds since 1970: it names what is moved away.
  let startedAt: Double
  /// How long the run has taken.
  let time: Timeline
  let environment: MirrorEnvironment

  /// What a sync works with; a plan never asks.
  var session: MirrorSession { ground.session }

  /// What the scope means for this run.
  var scope: HeldScope { options.heldScope(at: startedAt) }

  /// Whether files have to outlast a loss of power.
  var isDurable: Bool { options.durability != .none }
}

/// What a pass works on: a folder that a sync holds open, or one that a plan only looks at and that
/// need not be a mirror yet.
enum PassGround: Sendable {
  case session(MirrorSession)
  case inspection(FolderInspection)

  /// `nil` where there is no mirror yet.
  var folder: MirrorFolder? {
    switch self {
    case .session(let session): session.folder
    case .inspection(let inspection): inspection.folder
    }
  }

  /// The folder, mirror or not; `nil` where there is none.
  var place: MirrorFolder? {
    switch self {
    case .session(let session): session.folder
    case .inspection(let inspection): inspection.place
    }
  }

  /// `nil` where there is no mirror yet.
  var index: MirrorIndex? {
    switch self {
    case .session(let session): session.index
    case .inspection(let inspection): inspection.index
    }
  }

  /// Whether nothing is to be changed.
  var isInspection: Bool { if case .inspection = self { true } else { false } }

  /// Where files are looked at.
  var fileQueue: any DiskQueue {
    switch self {
    case .session(let session): session.fileQueue
    case .inspection(let inspection): inspection.fileQueue
    }
  }

  /// What a sync works with; a plan never asks.
  var session: MirrorSession {
    guard case .session(let session) = self else {
      preconditionFailure("a plan changes nothing in the folder")
    }
    return session
  }
}

/// A folder that is only looked at: nothing in it is made or changed, and no run works on it
/// meanwhile.
struct FolderInspection: Sendable {
  /// `nil` when there is no such folder, or it is no mirror yet.
  let folder: MirrorFolder?
  /// The folder, mirror or not; `nil` when there is none.
  let place: MirrorFolder?
  /// `nil` when the folder is no mirror yet.
  let index: MirrorIndex?
  let fileQueue: any DiskQueue
  private let lock: FolderLock?

  /// Opens a folder to look at.
  /// - Throws: ``FolderError``, also when a run works on it and the options don't say to wait.
  static func open(
    _ options: MirrorOptions, in environment: MirrorEnvironment, observer: MirrorObserver
  ) async throws -> FolderInspection {
    try DescriptorLimit.check()
    let queue = environment.makeDiskQueue()
    let found = try await queue.run {
      try MirrorFolder.inspect(path: options.folder, in: environment.fileSystem)
    }
    guard let folder = found, folder.id != nil else {
      return FolderInspection(folder: nil, place: found, index: nil, fileQueue: queue, lock: nil)
    }
    let lock = try await options.lockForLooking(folder, in: environment, observer: observer)
    return FolderInspection(
      folder: folder, place: folder, index: try await environment.lookAtIndex(of: folder, queue),
      fileQueue: queue, lock: lock)
  }

  /// The index of a mirror; `nil` when the folder is none yet.
  /// - Throws: ``MirrorError/index(path:_:)`` for a mirror whose index is gone.
  func requireIndex() throws -> MirrorIndex? {
    guard let folder, index == nil else { return index }
    throw MirrorError.index(path: folder.indexPath, .missing)
  }

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

extension MirrorOptions {
  /// Takes the right to work on a folder, or waits for it where that is wanted.
  func lock(
    _ folder: MirrorFolder, in environment: MirrorEnvironment, observer: MirrorObserver
  ) async throws -> FolderLock {
    guard waitsForLock else { return try FolderLock.acquire(in: folder, now: environment.now()) }
    return try await FolderLock.waitAndAcquire(
      in: folder, now: environment.now, clock: environment.clock, onWait: observer.waits)
  }

  /// As ``lock(_:in:observer:)``, for looking at the folder only.
  func lockForLooking(
    _ folder: MirrorFolder, in environment: MirrorEnvironment, observer: MirrorObserver
  ) async throws -> FolderLock {
    guard waitsForLock else { return try FolderLock.acquireForLooking(in: folder) }
    return try await FolderLock.waitAndAcquireForLooking(
      in: folder, clock: environment.clock, onWait: observer.waits)
  }
}

extension MirrorEnvironment {
  /// A folder's index for reading only; `nil` where there is none. A file that is empty is an index
  /// of nothing, and a look makes nothing of it.
  /// - Throws: `DatabaseError`, also for another folder's.
  func lookAtIndex(of folder: MirrorFolder, _ queue: any DiskQueue) async throws -> MirrorIndex? {
    guard try await queue.run({ try folder.indexHeader() }).hasContent else { return nil }
    let index = try await MirrorIndex.open(
      in: folder, access: .readOnly, busyTimeout: indexPatience, vfs: indexVFS,
      executor: makeIndexExecutor())
    do {
      try await index.checkBelongs(to: folder)
      return index
    } catch {
      await index.close()
      throw error
    }
  }
}
