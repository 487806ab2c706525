private import SyncDatabase
import SyncFiles
import SyncFolder
import SyncLock

/// What a pass is performed with: what was asked for, what it works on, and whom it tells. A class,
/// as all that a pass does holds it and nothing changes it.
final class RunContext: Sendable {
  let options: MirrorOptions
  let target: PassTarget
  let catalog: CatalogSource
  let observer: MirrorObserver
  /// When the run began, in seconds since 1970: it names what is moved away.
  let startedAt: Double
  let time: Timeline
  let environment: MirrorEnvironment

  init(
    options: MirrorOptions, target: PassTarget, catalog: CatalogSource, observer: MirrorObserver,
    startedAt: Double, time: Timeline, environment: MirrorEnvironment
  ) {
    (self.options, self.target, self.catalog) = (options, target, catalog)
    (self.observer, self.startedAt, self.time) = (observer, startedAt, time)
    self.environment = environment
  }

  /// What a sync works with; a plan never asks.
  var session: MirrorSession { target.session }

  var scope: HeldScope { options.heldScope(at: startedAt) }

  var isDurable: Bool { options.durability != .none }
}

/// What a pass works on: a folder that a sync holds open, or one that a plan only looks at and that
/// need not be a mirror yet.
struct PassTarget: Sendable {
  /// `nil` where there is no mirror yet.
  let folder: MirrorFolder?
  /// The folder, mirror or not; `nil` where there is none.
  let place: MirrorFolder?
  /// `nil` where there is no mirror yet.
  let index: MirrorIndex?
  let fileQueue: any DiskQueue
  private let held: MirrorSession?

  init(_ session: MirrorSession) {
    (folder, place, index) = (session.folder, session.folder, session.index)
    (fileQueue, held) = (session.fileQueue, session)
  }

  init(_ inspection: FolderInspection) {
    (folder, place, index) = (inspection.folder, inspection.place, inspection.index)
    (fileQueue, held) = (inspection.fileQueue, nil)
  }

  var isInspection: Bool { held == nil }

  /// What a sync works with; a plan never asks.
  var session: MirrorSession {
    guard let held else { preconditionFailure("a plan changes nothing in the folder") }
    return held
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
    let lock = try await options.lock(
      folder, forLooking: true, in: environment, observer: observer)
    return FolderInspection(
      folder: folder, place: folder, index: try await environment.lookAtIndex(of: folder, queue),
      fileQueue: queue, lock: lock)
  }

  /// Opens a folder, looks at it, and closes it, however the look ends.
  /// - Throws: What opening throws, or the look.
  static func look<Value: Sendable>(
    at options: MirrorOptions, in environment: MirrorEnvironment, observer: MirrorObserver,
    _ body: @Sendable (FolderInspection) async throws -> Value
  ) async throws -> Value {
    let inspection = try await open(options, in: environment, observer: observer)
    do {
      let value = try await body(inspection)
      await inspection.close()
      return value
    } catch {
      await inspection.close()
      throw error
    }
  }

  /// The index of a mirror; `nil` when the folder is none yet.
  /// - Throws: ``MirrorError/index(path:_:)`` for a mirror whose index is gone.
  func requireIndex() throws -> MirrorIndex? {
    guard let folder, index == nil else { return index }
    throw MirrorError.index(path: folder.indexPath, .missing)
  }

  func close() async {
    await index?.close()
    lock?.release()
  }
}

extension MirrorOptions {
  /// Takes the right to work on a folder, or to look at it only; or waits for it where that is
  /// wanted.
  func lock(
    _ folder: MirrorFolder, forLooking: Bool = false, in environment: MirrorEnvironment,
    observer: MirrorObserver
  ) async throws -> FolderLock {
    let acquire = {
      forLooking
        ? try FolderLock.acquireForLooking(in: folder)
        : try FolderLock.acquire(in: folder, now: environment.now())
    }
    guard waitsForLock else { return try acquire() }
    return try await FolderLock.wait(
      clock: environment.clock, onWait: observer.waits, toTake: acquire)
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
