package import SyncFiles
package import SyncText

/// Brings files back into the tree that were moved out of it.
///
/// Each goes in one step, a rename, to where it was, or beside it if something stands there;
/// nothing is written over or moved away for it. A crash leaves each file either where it lay or
/// where it was to go. Only under the folder's lock; all calls block.
package struct AwayReturn: Sendable {
  private let folder: MirrorFolder

  /// For a folder that is held open and locked.
  package init(_ folder: MirrorFolder) {
    self.folder = folder
  }

  /// What became of a file that was to come back.
  package enum Outcome: Sendable {
    /// It stands there now: at its own path, or at one beside it.
    case back(at: ByteString)
    case gone
    /// It lies where it lay.
    case failed(FolderError)
  }

  /// Brings files back, makes that durable, and gives what became of each, in their order.
  ///
  /// - Throws: ``FolderError``, when the folder was unmounted or replaced, and nothing was moved;
  ///   or when the disk couldn't keep what was done.
  package func bringBack(_ files: [AwayFile]) throws -> [Outcome] {
    try folder.checkMarker()
    let editor = TreeEditor(folder, batch: "")
    let outcomes = files.map { Self.bringBack($0, with: editor) }
    // Before the places where they lay: a file is never known to be gone here and not yet there.
    try editor.makeDurable()
    var emptied: Set<BeneathPath> = []
    for directory in files.map(\.place.parent) where emptied.insert(directory).inserted {
      try editor.removeEmptyDirectories(upFrom: directory)
    }
    try editor.makeDurable()
    return outcomes
  }

  private static func bringBack(_ file: AwayFile, with editor: TreeEditor) -> Outcome {
    let path = BeneathPath(checked: file.key.bytes)
    do {
      guard path.top != .control || path == .control else {
        return .failed(FolderError(.controlFolder, path.description))
      }
      for target in ReturnName.candidates(for: path, of: file.batch) {
        switch try move(file, to: target, with: editor) {
        case .exists: continue
        case .absent: return .gone
        case nil: return .back(at: ByteString(bytes: target.bytes))
        case let errno?: throw FolderError.making(errno, target)
        }
      }
      return .failed(FolderError(.contested, path.description))
    } catch let error as FolderError {
      return .failed(error)
    } catch {
      return .failed(FolderError(.failed, path.description, reason: "\(error)"))
    }
  }

  /// `nil` when it went well.
  private static func move(
    _ file: AwayFile, to target: BeneathPath, with editor: TreeEditor
  ) throws -> Errno? {
    try editor.requireOwn(target.parent)
    let parent = try editor.makeDirectory(target.parent, clearing: false)
    do throws(Errno) {
      let source = try editor.cache.directory(file.place.parent)
      try source.rename(file.place.name, to: parent, target.name, .intoEmptyPlace)
      editor.touched.insert(parent, at: target.parent)
      editor.touched.insert(source, at: file.place.parent)
      return nil
    } catch {
      return error
    }
  }
}

/// The places that a file may come back to, the first of which is its own: it never takes one where
/// something stands.
enum ReturnName {
  private static let longest = 255
  private static let most = 100

  /// The file's own path; then others in the same directory, that tell when it was moved away:
  /// `report.restored-20250131T120000Z.txt`.
  static func candidates(for path: BeneathPath, of batch: String) -> [BeneathPath] {
    let others = (1...most).map { number in
      let mark = ".restored-\(batch)" + (number == 1 ? "" : "-\(number)")
      return path.parent.appending(marked(path.name, with: Array(mark.utf8)))
    }
    return [path] + others
  }

  /// A name with a mark before its ending, cut so that it isn't too long.
  private static func marked(_ name: [UInt8], with mark: [UInt8]) -> [UInt8] {
    let dot = name.dropFirst().lastIndex(of: UInt8(ascii: "."))
    var stem = name[..<(dot ?? name.endIndex)]
    var ending = name[(dot ?? name.endIndex)...]
    // What is that long is no ending.
    if ending.count > 32 { (stem, ending) = (name[...], []) }
    while stem.count + mark.count + ending.count > longest {
      // Never amid a character of UTF-8.
      repeat {
        stem.removeLast()
      } while !stem.isEmpty && stem.endIndex < name.endIndex
        && name[stem.endIndex] & 0xC0 == 0x80
    }
    return Array(stem) + mark + Array(ending)
  }
}

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
