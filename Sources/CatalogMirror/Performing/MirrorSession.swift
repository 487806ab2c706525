private import SyncDatabase
import SyncFiles
import SyncFolder
import SyncText

/// What a run holds while it works on a folder: the folder itself, its lock, the index, the staging
/// area, and the queues on which the disk is worked.
///
/// Made by ``open(_:in:)`` and ended by ``close()``, which gives the
/// lock back.
struct MirrorSession: Sendable {
  let folder: MirrorFolder
  let lock: FolderLock
  let index: MirrorIndex
  let staging: Staging
  /// What earlier runs left in it that can be gone on with.
  let partials: PartialFiles
  let folding: NameFolding
  /// Where batches are flushed and files are moved away.
  let diskQueue: any DiskQueue
  /// Where files are looked at, hashed and finished, so that they needn't wait for a flush.
  let fileQueue: any DiskQueue

  /// Opens everything for a run that changes the folder.
  ///
  /// - Parameter catalog: The catalog that the folder has to mirror, if it mirrors any, with the
  ///   options' keys; `nil` for whichever it does. Another one is refused before anything is swept
  ///   or set aside.
  /// - Throws: ``FolderError``, or `DatabaseError` for the index;
  ///   ``MirrorError/otherCatalog(kept:asked:)`` or ``MirrorError/keysMissing(_:)``.
  static func open(
    _ options: MirrorOptions, of catalog: CatalogIdentity? = nil,
    in environment: MirrorEnvironment, startedAt: Double, observer: MirrorObserver
  ) async throws -> MirrorSession {
    let fileQueue = environment.makeDiskQueue()
    let folder = try await fileQueue.run {
      try MirrorFolder.open(
        path: options.folder, mode: options.folderMode,
        in: environment.fileSystem)
    }
    let lock = try await options.lock(folder, in: environment, observer: observer)
    if let catalog {
      try await check(folder, mirrors: catalog, options, fileQueue, in: environment)
    }
    let (partials, folding) = try await fileQueue.run {
      try folder.requireOwnDirectories()
      let staging = try Staging(
        folder, durability: options.durability, writesBeside: fileQueue.isConcurrent)
      let partials = try PartialFiles.sweep(staging, now: environment.now)
      return (partials, try environment.folding ?? folder.probeNameFolding())
    }
    var index: MirrorIndex
    do {
      index = try await openIndex(of: folder, options, in: environment)
    } catch let error as DatabaseError where error.code == .damaged {
      try await setIndexAside(in: folder, fileQueue, startedAt: startedAt, observer)
      index = try await openIndex(of: folder, options, in: environment)
    }
    do {
      try await fileQueue.run { try folder.noteBound() }
    } catch {
      await index.close()
      throw error
    }
    return MirrorSession(
      folder: folder, lock: lock, index: index, staging: partials.staging, partials: partials,
      folding: folding, diskQueue: environment.makeDiskQueue(), fileQueue: fileQueue)
  }

  /// Makes sure that the folder mirrors no other catalog, and not without keys one that was checked
  /// by some. Unless the marker says so by itself, the index is asked as it is: it has the last
  /// word, and one that is damaged isn't set aside by a run that has no business here.
  private static func check(
    _ folder: MirrorFolder, mirrors catalog: CatalogIdentity, _ options: MirrorOptions,
    _ queue: any DiskQueue, in environment: MirrorEnvironment
  ) async throws {
    let inMarker = try await queue.run { try folder.keptCatalog() }
    if let kept = inMarker.flatMap(CatalogIdentity.init(kept:)), kept.admits(catalog) {
      let binding = CatalogBinding(folder: folder, index: nil, queue: queue)
      return try await binding.checkKeys(options)
    }
    let index = try? await environment.lookAtIndex(of: folder, queue)
    do {
      let binding = CatalogBinding(folder: folder, index: index, queue: queue)
      try await binding.check(catalog)
      try await binding.checkKeys(options)
    } catch {
      await index?.close()
      throw error
    }
    await index?.close()
  }

  private static func openIndex(
    of folder: MirrorFolder, _ options: MirrorOptions, in environment: MirrorEnvironment
  ) async throws -> MirrorIndex {
    do {
      let index = try await MirrorIndex.open(
        in: folder, synchronous: options.durability == .none ? .normal : .full,
        busyTimeout: environment.indexPatience, vfs: environment.indexVFS,
        executor: environment.makeIndexExecutor())
      do {
        try await bind(index, to: folder)
        return index
      } catch {
        await index.close()
        throw error
      }
    } catch let error as DatabaseError
      where error.code == .cannotOpen || error.code == .inputOutput
    {
      try folder.checkMakingFiles()
      throw error
    }
  }

  private static func setIndexAside(
    in folder: MirrorFolder, _ queue: any DiskQueue, startedAt: Double, _ observer: MirrorObserver
  ) async throws {
    let name = try await queue.run {
      try folder.setIndexAside(at: UTCStamp.text(startedAt))
    }
    observer.publish(.rebuildingIndex(aside: name))
  }

  /// The session with an index of which nothing is known: the one that it has turned out to be
  /// damaged and is set aside. The lock is held all the while.
  func withNewIndex(
    _ options: MirrorOptions, in environment: MirrorEnvironment, startedAt: Double,
    observer: MirrorObserver
  ) async throws -> MirrorSession {
    await index.close()
    try await Self.setIndexAside(in: folder, fileQueue, startedAt: startedAt, observer)
    return MirrorSession(
      folder: folder, lock: lock,
      index: try await Self.openIndex(of: folder, options, in: environment), staging: staging,
      partials: partials, folding: folding, diskQueue: diskQueue, fileQueue: fileQueue)
  }

  private static func bind(_ index: MirrorIndex, to folder: MirrorFolder) async throws {
    try await index.checkBelongs(to: folder)
    guard let id = folder.id?.text else { return }
    try await index.write { index in
      if !folder.isNewlyMarked, try index.value(.folderID) == nil {
        try index.setValue("yes", for: .wasLost)
      }
      try index.setValue(id, for: .folderID)
    }
  }

  /// Opens everything, uses it, and closes it, however the use ends.
  /// - Throws: What opening throws, or the use.
  static func using<Value: Sendable>(
    _ options: MirrorOptions, in environment: MirrorEnvironment, startedAt: Double,
    observer: MirrorObserver, _ body: (MirrorSession) async throws -> Value
  ) async throws -> Value {
    let session = try await open(
      options, in: environment, startedAt: startedAt, observer: observer)
    do {
      let value = try await body(session)
      await session.close()
      return value
    } catch {
      await session.close()
      throw error
    }
  }

  func close() async {
    await index.close()
    lock.release()
  }
}
