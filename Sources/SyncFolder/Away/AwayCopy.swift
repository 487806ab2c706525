package import SyncFiles
import SyncText

/// Copies files that were moved out of the tree to a directory elsewhere; they stay where they lie.
package struct AwayCopy: Sendable {
  private let folder: MirrorFolder
  private let directory: String
  private let root: Descriptor

  /// Copies go to a directory of the user's own, which is made if it is missing.
  /// - Throws: ``FolderError``, also for one that lies in the `.mirror` of a mirror.
  package init(
    of folder: MirrorFolder, to directory: String,
    in fileSystem: any FileSystem = SystemFileSystem()
  ) throws {
    let directory = UserPath.plain(directory)
    try MirrorFolder.requireOutsideMirrors(directory, in: fileSystem)
    do {
      try UserPath.make(directory, in: fileSystem)
      root = try Descriptor.open(userPath: directory, [.reading, .directory], in: fileSystem)
    } catch { throw FolderError(error, ByteString.escape(directory)) }
    (self.folder, self.directory) = (folder, directory)
  }

  /// Copies files, each whole and durable before it has its name, and gives what became of each, in
  /// their order. Nothing is written over: where something stands, the copy goes beside it.
  package func copy(_ files: [AwayFile]) -> [AwayReturn.Outcome] {
    files.map { file in
      do {
        return try copy(file)
      } catch let error as Errno {
        return .failed(FolderError(error, shown(file)))
      } catch let error as FolderError {
        return .failed(error)
      } catch {
        return .failed(FolderError(.failed, shown(file), reason: "\(error)"))
      }
    }
  }

  private func shown(_ file: AwayFile) -> String {
    "\(ByteString.escape(directory))/\(file.key)"
  }

  private func copy(_ file: AwayFile) throws -> AwayReturn.Outcome {
    guard file.status.kind == .file else { throw FolderError(.blocked, file.place.description) }
    guard let source = try open(file) else { return .gone }
    let path = BeneathPath(checked: file.key.bytes)
    let parent = try makeDirectory(path.parent)
    let draft = Array(".restoring-\(RandomName.make())".utf8)
    do {
      try write(source, to: draft, in: parent, modified: file.status.modifiedNanoseconds)
      for target in ReturnName.candidates(for: path, of: file.batch)
      where try rename(draft, to: target.name, in: parent) {
        try parent.flush()
        return .back(at: ByteString(bytes: target.bytes))
      }
      throw FolderError(.contested, shown(file))
    } catch {
      try? parent.unlink(draft)
      throw error
    }
  }

  /// `nil` when it is gone.
  private func open(_ file: AwayFile) throws(Errno) -> Descriptor? {
    do {
      return try folder.open(file.place, [.reading, .withoutWaiting])
    } catch {
      guard error == .absent else { throw error }
      return nil
    }
  }

  /// Whether the place was free.
  private func rename(
    _ draft: [UInt8], to name: [UInt8], in parent: Descriptor
  ) throws(Errno) -> Bool {
    do {
      try parent.rename(draft, to: parent, name, .intoEmptyPlace)
      return true
    } catch {
      guard error == .exists else { throw error }
      return false
    }
  }

  private func makeDirectory(_ path: BeneathPath) throws(Errno) -> Descriptor {
    guard !path.isRoot else { return root }
    let parent = try makeDirectory(path.parent)
    do { try parent.makeDirectory(path.name) } catch .exists {}
    return try parent.open(name: path.name, [.reading, .directory])
  }

  private func write(
    _ source: Descriptor, to name: [UInt8], in parent: Descriptor, modified: Int64
  ) throws {
    let file = try parent.open(name: name, [.writing, .creating, .exclusively], mode: 0o644)
    try source.readPieces { try file.write($0) }
    try file.setModified(nanoseconds: modified)
    try file.flush()
  }
}
