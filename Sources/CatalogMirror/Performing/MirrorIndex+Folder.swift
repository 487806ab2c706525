import SyncDatabase
import SyncFolder
import SyncFiles

extension MirrorFolder {
  /// The path of a key that the index holds.
  /// - Throws: `.damaged` for a key that is no path: none such was recorded.
  func path(ofRecorded key: CatalogKey) throws(DatabaseError) -> RelativePath {
    do throws(KeyProblem) {
      return try RelativePath(key)
    } catch {
      throw DatabaseError(
        code: .damaged, message: "it holds a key that \(error)", path: indexPath)
    }
  }
}

extension MirrorIndex {
  /// As ``open(path:directory:access:synchronous:busyTimeout:vfs:executor:)``, beneath the folder
  /// whatever anybody does to it, and calls a file damaged whose header is nonsense. (20 bytes
  /// are read on the calling thread.)
  ///
  /// Unless it is for reading only, one that is missing is made: under another name, and renamed
  /// when it is whole. A crash leaves either none or one that needs no rollback journal, then or
  /// ever: of a disk that fails when SQLite looks for a journal, it thinks that there is none, goes
  /// on, and undoes everything since with the one that it finds later.
  static func open(
    in folder: MirrorFolder, access: ConnectionOptions.Access = .readWrite,
    synchronous: ConnectionOptions.Synchronous = .full, busyTimeout: Duration,
    vfs: String? = nil, executor: any BlockingExecutor
  ) async throws -> MirrorIndex {
    let directory = try folder.indexDirectory()
    defer { withExtendedLifetime(directory) {} }
    func open(
      _ path: String, _ access: ConnectionOptions.Access,
      _ synchronous: ConnectionOptions.Synchronous
    ) async throws -> MirrorIndex {
      try await Self.open(
        path: path, directory: vfs == nil ? directory.raw : nil, access: access,
        synchronous: synchronous, busyTimeout: busyTimeout, vfs: vfs, executor: executor)
    }
    switch try folder.indexHeader() {
    case .nonsense:
      throw DatabaseError(
        code: .damaged, message: "its header makes no sense", path: folder.indexPath)
    case .missing where access != .readOnly, .empty where access != .readOnly:
      let isDurable = synchronous == .full
      try folder.clearIndexPlace(durably: isDurable)
      // It is made durable as a whole, when its log is moved into it.
      let draft = try await open(folder.indexDraftPath, .create, .normal)
      do {
        try await draft.moveLogIntoFile()
        await draft.close()
      } catch {
        await draft.close()
        throw error
      }
      try folder.placeIndex(durably: isDurable)
    case .missing, .empty, .usable: break
    }
    return try await open(folder.indexPath, access, synchronous)
  }
}
