import SyncFiles
import SyncFolder
import SyncText

/// What became of files that were to be brought back.
public struct MirrorRestoration: Sendable {
  /// Files that were brought back, or copied.
  public var restored: [Restored] = []
  /// Files that lie where they lay, with the reasons.
  public var failures: [MirrorReport.Failure] = []

  /// One file.
  public struct Restored: Sendable, Equatable {
    /// Where it was, escaped.
    public var key: String
    /// Where it is now, below the folder or the directory, escaped: its key, or a name beside it
    /// where something stood.
    public var place: String
    /// Its bytes.
    public var size: Int64
  }
}

extension FolderMirror {
  /// Lists what lies in the quarantine and among the displaced files, the newest first. Changes
  /// nothing, and needs no lock: a run may go on meanwhile.
  ///
  /// - Throws: ``MirrorError``, when the folder is no mirror or can't be looked at.
  public func restorable() async throws -> [MirrorRestorable] {
    do {
      return try await environment.makeDiskQueue().run { [options, environment] in
        guard
          let folder = try MirrorFolder.inspect(path: options.folder, in: environment.fileSystem)
        else { throw FolderError(.missing, ByteString.escape(options.folder)) }
        guard folder.id != nil else {
          throw FolderError(.notAMirror, ByteString.escape(options.folder))
        }
        return try folder.restorable()
      }
    } catch { throw MirrorError(opening: error) }
  }

  /// Brings files back to where they were, or beside it where something stands; nothing is written
  /// over. What came back isn't the mirror's: it is left alone unless the catalog lists it, and
  /// then adopted or displaced as any other file.
  ///
  /// - Parameters:
  ///   - files: What ``restorable()`` listed.
  ///   - directory: Where copies go instead; the files then stay where they lie. It is made if it
  ///     is missing. Default: they come back.
  /// - Throws: ``MirrorError``, when the folder can't be used or is in use.
  public func restore(
    _ files: [MirrorRestorable], copyingTo directory: String? = nil
  ) async throws -> MirrorRestoration {
    do {
      let queue = environment.makeDiskQueue()
      let folder = try await queue.run { [options, environment] in
        try MirrorFolder.open(
          path: options.folder, mode: .existing, in: environment.fileSystem)
      }
      let outcomes: [AwayReturn.Outcome]
      if let directory {
        outcomes = try await copy(files, of: folder, to: directory, on: queue)
      } else {
        outcomes = try await bringBack(files, into: folder, on: queue)
      }
      return MirrorRestoration(files, outcomes)
    } catch {
      throw error is CancellationError ? error : MirrorError(opening: error)
    }
  }

  private func bringBack(
    _ files: [MirrorRestorable], into folder: MirrorFolder, on queue: any DiskQueue
  ) async throws -> [AwayReturn.Outcome] {
    let lock = try await options.lock(folder, in: environment, observer: observer)
    defer { lock.release() }
    let outcomes = try await queue.run {
      try AwayReturn(folder).bringBack(files.map(\.file))
    }
    await forgetWhatLeft(folder, on: queue)
    return outcomes
  }

  private func copy(
    _ files: [MirrorRestorable], of folder: MirrorFolder, to directory: String,
    on queue: any DiskQueue
  ) async throws -> [AwayReturn.Outcome] {
    let lock = try await options.lock(
      folder, forLooking: true, in: environment, observer: observer)
    defer { lock.release() }
    return try await queue.run { [fileSystem = environment.fileSystem] in
      try AwayCopy(of: folder, to: directory, in: fileSystem).copy(files.map(\.file))
    }
  }

  /// Has the index forget what lies in the quarantine no longer, now or since a crash. It only
  /// counts by that; so that what is wrong with it is left to the next run.
  private func forgetWhatLeft(_ folder: MirrorFolder, on queue: any DiskQueue) async {
    guard let header = try? await queue.run({ try folder.indexHeader() }), header == .usable,
      let lying = try? await queue.run({ try folder.awayFiles(in: .quarantine) }),
      let index = try? await MirrorIndex.open(
        in: folder, busyTimeout: environment.indexPatience, vfs: environment.indexVFS,
        executor: environment.makeIndexExecutor())
    else { return }
    let names = Set(lying.map(\.quarantineName))
    try? await index.write { writer in
      try writer.forgetQuarantined(
        try writer.quarantined().map(\.name).filter { !names.contains($0) })
    }
    await index.close()
  }
}

extension MirrorFolder {
  /// What lies in the quarantine and among the displaced files, the newest first.
  func restorable() throws -> [MirrorRestorable] {
    let files = try awayFiles(in: .displaced) + awayFiles(in: .quarantine)
    // Where a run moved files to both, somebody's own come first.
    return files.enumerated().sorted { one, other in
      (other.element.batch, one.offset) < (one.element.batch, other.offset)
    }.map { MirrorRestorable($0.element) }
  }
}

extension MirrorRestoration {
  fileprivate init(_ files: [MirrorRestorable], _ outcomes: [AwayReturn.Outcome]) {
    for (file, outcome) in zip(files, outcomes) {
      switch outcome {
      case .back(let place):
        restored.append(Restored(key: file.key, place: place.description, size: file.size))
      case .gone:
        failures.append(
          MirrorReport.Failure(key: file.key, sentence: "it lies there no longer; list it again"))
      case .failed(let error): failures.append(MirrorReport.Failure(key: file.key, error))
      }
    }
  }
}
