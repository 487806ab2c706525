package import SyncFiles
import SyncLock
import SyncText

/// The folder of a mirror, held open: everything else of the store works relative to it.
///
/// In it stand the mirrored tree and `.mirror/`, with the lock, the marker, the index, the staging
/// area, the quarantine, the displaced files and the previews.
package final class MirrorFolder: Sendable {
  /// The folder's path as the user gave it, but for slashes at its end and components `.`.
  package let path: String
  /// Which mirror this is; `nil` only for an inspected folder that isn't one yet.
  package let id: FolderID?
  /// Whether its index needn't hold its id: it is no mirror yet, or it had lost its marker. The
  /// marker itself says so until ``noteBound()``, whatever ends the run that made it.
  package let isNewlyMarked: Bool

  // Opened for reading before anything is written, and never again: syncfs(2) reports a failed
  // write-back to each descriptor that was open when it happened, and O_PATH can't be flushed.
  let root: Descriptor
  let resolver: PathResolver
  /// What a flush of more than one file answered when it failed; see ``flushEverything()``.
  let lostBytes = Locked<FolderError?>(nil)
  /// How many finished files keep their descriptor open until their own flush.
  let unflushedFiles = Locked(0)
  /// The names in the folder that were opened and aren't `.mirror`.
  let treeNames = Locked<Set<BeneathPath>>([])
  private let identity: Identity

  private struct Identity: Equatable {
    let device: UInt64
    let inode: UInt64
  }

  private init(
    path: String, root: Descriptor, resolver: PathResolver?, marking: Marking
  ) throws {
    self.path = path
    self.root = root
    self.resolver = resolver ?? .best(for: root)
    let shown = ByteString.escape(path)
    do {
      let status = try root.status()
      identity = Identity(device: status.device, inode: status.inode)
    } catch { throw FolderError(error, shown) }
    let markers = FolderMarker(root: root, resolver: self.resolver, folder: shown)
    let found: FolderMarker.Content?
    switch marking {
    case .made: found = try markers.readOrMake()
    case .required:
      found = try markers.readOrMend()
      if found == nil { throw FolderError(.notAMirror, shown) }
    case .asFound: found = try markers.read()
    }
    (id, isNewlyMarked) = (found?.id, found?.isNew ?? false)
  }

  private enum Marking {
    case made
    case required
    case asFound
  }

  package enum Mode: Sendable {
    /// A folder that isn't there is made, and one that isn't a mirror yet becomes one.
    case create
    /// As ``create``, and the missing directories above it are made, too.
    case createWithParents
    /// Only a folder that is a mirror already: an empty mount point is never filled.
    case existing
  }

  /// Opens the folder that a run works on.
  ///
  /// With ``Mode/create``, the folder itself is made but not the folders above it. A folder within
  /// the `.mirror` of another mirror is refused.
  package static func open(
    path: String, mode: Mode, in fileSystem: any FileSystem = SystemFileSystem()
  ) throws -> MirrorFolder {
    try open(path: path, mode: mode, resolver: nil, in: fileSystem)
  }

  /// As ``open(path:mode:in:)``, with another way to resolve paths than the system's best.
  package static func open(
    path: String, mode: Mode, resolver: PathResolver?, in fileSystem: any FileSystem
  ) throws -> MirrorFolder {
    let path = UserPath.plain(path)
    try requireOutsideMirrors(path, in: fileSystem)
    let root: Descriptor
    do {
      switch mode {
      case .create: try UserPath.make(path, in: fileSystem)
      case .createWithParents: try UserPath.makeWithParents(path, in: fileSystem)
      case .existing: break
      }
      root = try Descriptor.open(userPath: path, [.reading, .directory], in: fileSystem)
    } catch { throw refusal(error, path, isMade: mode != .existing, in: fileSystem) }
    return try MirrorFolder(
      path: path, root: root, resolver: resolver,
      marking: mode == .existing ? .required : .made)
  }

  /// Opens the folder to look at only, making nothing; `nil` when there is none.
  package static func inspect(
    path: String, in fileSystem: any FileSystem = SystemFileSystem()
  ) throws -> MirrorFolder? {
    let path = UserPath.plain(path)
    try requireOutsideMirrors(path, in: fileSystem)
    let root: Descriptor
    do {
      root = try Descriptor.open(userPath: path, [.reading, .directory], in: fileSystem)
    } catch .absent where UserPath.lastLink(onWayTo: path, in: fileSystem) == nil {
      return nil
    } catch { throw refusal(error, path, in: fileSystem) }
    return try MirrorFolder(path: path, root: root, resolver: nil, marking: .asFound)
  }

  /// Makes sure that a folder could be made at a path where there is none: its parent is there, or
  /// could be made if the missing ones are to be, and may be written to.
  package static func checkPlace(
    _ path: String, withParents: Bool = false, in fileSystem: any FileSystem = SystemFileSystem()
  ) throws {
    let path = UserPath.plain(path)
    var parent = UserPath.parent(of: path)
    while true {
      do {
        return try fileSystem.checkMayWrite(userPath: parent)
      } catch {
        let above = UserPath.parent(of: parent)
        guard withParents, error == .absent, above != parent else {
          throw refusal(error, path, isMade: true, in: fileSystem)
        }
        parent = above
      }
    }
  }

  package var indexPath: String { path + "/.mirror/index.sqlite" }

  package var indexDraftPath: String { path + "/.mirror/index-new.sqlite" }

  /// The bytes that the folder's disk still has for this user.
  package func freeSpace() throws -> Int64 {
    do { return try root.freeSpace() } catch { throw FolderError(error, .root) }
  }

  /// All bytes of the folder's disk, used or free.
  package func capacity() throws -> Int64 {
    do { return try root.capacity() } catch { throw FolderError(error, .root) }
  }

  /// Makes sure that the folder under our path is still the one that we opened.
  ///
  /// Throws ``FolderError/Code/folderChanged`` when it was unmounted, moved away or replaced.
  package func checkMarker() throws {
    let shown = ByteString.escape(path)
    do {
      let now = try Descriptor.open(
        userPath: path, [.reading, .directory], in: root.fileSystem)
      let status = try now.status()
      let marker = try FolderMarker(root: now, resolver: resolver, folder: shown).read()?.id
      if Identity(device: status.device, inode: status.inode) == identity, marker == id { return }
    } catch let error as Errno {
      throw FolderError(error, shown).endingRun(of: shown)
    } catch let error as FolderError {
      throw error.endingRun(of: shown)
    }
    throw FolderError(.folderChanged, shown)
  }

  /// Says that the index holds the folder's id. Only under the folder's lock.
  package func noteBound() throws {
    guard isNewlyMarked, let id else { return }
    try FolderMarker(root: root, resolver: resolver, folder: ByteString.escape(path))
      .noteBound(id)
  }

  /// Opens a path of the folder, through no link, and never `.mirror` by another name.
  func open(_ path: BeneathPath, _ flags: OpenFlags, mode: UInt32 = 0) throws(Errno) -> Descriptor {
    if path.isRoot { return root }
    try requireTree(path)
    return try resolver.open(path.bytes, beneath: root, flags, mode: mode)
  }

  private static func refusal(
    _ error: Errno, _ path: String, isMade: Bool = false, in fileSystem: any FileSystem
  ) -> FolderError {
    let shown = ByteString.escape(path)
    switch error {
    case .absent:
      if let link = UserPath.lastLink(onWayTo: path, in: fileSystem) {
        return FolderError(.linkToNothing, ByteString.escape(link))
      }
      return FolderError(isMade ? .parentMissing : .missing, shown, reason: error.text)
    case .notADirectory: return FolderError(.notAFolder, shown)
    default: return FolderError(error, shown)
    }
  }

  /// Makes everything durable that was written to the folder's file system so far.
  ///
  /// The system tells of lost bytes only once, and they may be of any file that was begun before:
  /// whoever gets an error here has to end the run, and no later flush is believed.
  package func flushEverything() throws(FolderError) {
    if let known = lostBytes.withLock({ $0 }) { throw known }
    do { try root.flushFileSystem() } catch { throw lost(error) }
  }

  /// Remembers that a flush of more than one file failed.
  func lost(_ errno: Errno) -> FolderError {
    let error = FolderError.flush(errno, ofFolder: path)
    return lostBytes.withLock { known in
      known = known ?? error
      return error
    }
  }

  /// Whether something that was written may not be on the disk, and nobody knows what.
  package var hasLostBytes: Bool { lostBytes.withLock { $0 != nil } }
}
