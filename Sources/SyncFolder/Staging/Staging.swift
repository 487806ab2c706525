package import SyncFiles
import SyncLock
package import SyncText

/// The place where downloads are written before they are checked and moved to where they belong:
/// `.mirror/staging/`, readable for this user only.
package final class Staging: Sendable {
  let folder: MirrorFolder
  let directory: Descriptor
  package let durability: Durability
  /// Whether large files are written on other threads than those that bring their bytes.
  let writesBeside: Bool
  /// What the names of this run's files begin with: no other run has ever used them.
  private let run = Array((RandomName.make() + "-").utf8)
  private let lastNumber = Locked(0)
  /// Whether the disk may store the bytes of two files once; it isn't asked again once it said no.
  let mayClone = Locked(true)
  /// Memory for the bytes of large files.
  let pieces = PiecePool()

  /// Opens the staging area, which is made where it is missing.
  package init(
    _ folder: MirrorFolder, durability: Durability = .batch, writesBeside: Bool = true
  ) throws {
    self.folder = folder
    self.writesBeside = writesBeside
    self.durability = durability.effective
    do {
      let control = try folder.open(.control, [.reading, .directory])
      do { try control.makeDirectory(BeneathPath.staging.name, mode: 0o700) } catch .exists {}
      directory = try folder.open(BeneathPath.staging, [.reading, .directory])
    } catch { throw FolderError(error, BeneathPath.staging) }
  }

  /// Starts a file, under a name of its own unless one is given; throws when the name is taken.
  ///
  /// A given name (for a download that can be resumed) holds letters, digits, `-`, `_` and `.`
  /// only and doesn't begin with a dot. The file is hashed by `algorithms`, too.
  package func create(
    name: String? = nil, hashedBy algorithms: Set<ContentDigest.Algorithm> = []
  ) throws -> StagedFile {
    let (path, file) = try createFile(name)
    return StagedFile(self, path: path, file: file, hashedBy: algorithms)
  }

  func createFile(_ name: String? = nil) throws -> (BeneathPath, Descriptor) {
    let path =
      try name.map { try BeneathPath.staging.appending(plain: $0) }
      ?? BeneathPath.staging.appending(newName())
    do {
      // The final rights at once, those that the umask leaves: the directory above lets nobody
      // else in.
      return (path, try directory.open(name: path.name, .writingAnew, mode: 0o666))
    } catch .absent {
      // We hold the directory itself open: it was removed, and the folder with it.
      throw FolderError(.folderChanged, ByteString.escape(folder.path))
    } catch { throw FolderError(error, path) }
  }

  /// Goes on with a file that ``StagedFile/suspend()`` or a crash left; `nil` when there is none,
  /// when it isn't the file with this `inode`, or when it is shorter than `lengths` allows. One
  /// that is longer is cut.
  ///
  /// What it holds is read once, to be hashed, until `stop` is raised: then it stays as it is.
  package func resume(
    name: String, inode: UInt64? = nil, lengths: ClosedRange<Int64> = 0...Int64.max,
    hashedBy algorithms: Set<ContentDigest.Algorithm> = [], until stop: StopFlag = StopFlag()
  ) throws -> StagedFile? {
    try goOn(name, inode) { path, file, size in
      guard size >= lengths.lowerBound else { return nil }
      if size > lengths.upperBound { try file.truncate(to: lengths.upperBound) }
      let staged = StagedFile(self, path: path, file: file, hashedBy: algorithms)
      do {
        try staged.takeIn(until: stop)
      } catch {
        staged.suspend()
        throw error
      }
      return staged
    }
  }

  /// Goes on with the file of that name and `inode`, if it is there; `body` gets its size.
  func goOn<File>(
    _ name: String, _ inode: UInt64?,
    _ body: (_ path: BeneathPath, _ file: Descriptor, _ size: Int64) throws -> File?
  ) throws -> File? {
    let path = try BeneathPath.staging.appending(plain: name)
    do {
      let file = try directory.open(name: path.name, [.writing, .withoutWaiting])
      let status = try file.status()
      guard status.kind == .file else { throw FolderError(.blocked, path.description) }
      return inode ?? status.inode == status.inode ? try body(path, file, status.size) : nil
    } catch Errno.absent {
      return nil
    } catch let error as Errno {
      throw FolderError(error, path)
    }
  }

  package func discard(_ staged: Staged) {
    // Best effort: what stays behind is swept at the next start.
    try? directory.unlink(Array(staged.name.utf8))
  }

  /// Removes what earlier runs left but the files named in `keeping`, and says how many that were.
  /// What a crash caught in the middle of a replacement is moved to the displaced files.
  ///
  /// Only to be called at the start of a run, under the folder's lock.
  @discardableResult
  package func sweep(keeping: Set<String>) throws -> Int {
    var count = 0
    do {
      for entry in try folder.list(BeneathPath.staging)
      where !keeping.contains(String(decoding: entry.name, as: UTF8.self)) {
        if entry.name.starts(with: Self.swapPrefix.utf8) {
          try keepAside(entry.name)
        } else if entry.kind == .directory {
          try folder.removeTree(BeneathPath.staging.appending(entry.name))
        } else {
          try directory.unlink(entry.name)
        }
        count += 1
      }
    } catch let error as Errno { throw FolderError(error, BeneathPath.staging) }
    return count
  }

  /// How much of the disk is taken by what lies here. A file that was written in parts has holes.
  package func bytes() throws -> Int64 {
    do {
      return try folder.list(BeneathPath.staging).reduce(0) { sum, entry in
        let status = try directory.status(of: entry.name)
        return sum.addingSaturated(status.map { min($0.size, $0.allocated) } ?? 0)
      }
    } catch let error as Errno {
      throw FolderError(error, BeneathPath.staging)
    }
  }

  /// Whether a staged file can bear a name at all. Some file systems say of a name that they don't
  /// take only that it isn't there.
  func takes(_ name: [UInt8], for staged: Staged) -> Bool {
    let given = Array(staged.name.utf8)
    do {
      try directory.rename(given, to: directory, name, .intoEmptyPlace)
    } catch {
      return !error.mayRefuseName
    }
    try? directory.rename(name, to: directory, given, .intoEmptyPlace)
    return true
  }

  /// What the name of a file begins with while it changes places with one in the tree. One that a
  /// crash left may be what somebody wrote there a moment before: it is never swept.
  static let swapPrefix = "swap-"

  private func keepAside(_ name: [UInt8]) throws {
    let editor = TreeEditor(folder, batch: "recovered")
    _ = try editor.moveAway(
      name: name, in: directory, at: BeneathPath.staging,
      standingFor: SwapName.place(of: name), to: .displaced)
    try editor.makeDurable()
  }

  private func newName() -> [UInt8] {
    let number = lastNumber.withLock { last in
      last += 1
      return last
    }
    return run + String(number).utf8
  }
}

/// The name that a file has in the staging area while it changes places with one in the tree. It
/// tells where in the tree, so that what a crash left is kept aside under its own path.
///
/// Of letters that every file system takes: a separator is written `%2F`, and nothing else is added
/// to what stands in the tree's own names.
enum SwapName {
  private static let (slash, percent) = (UInt8(ascii: "/"), UInt8(ascii: "%"))
  private static let limit = 255

  /// New names for the file at `path`, each to be taken where the file system refuses the one
  /// before it: some take fewer bytes than 255, and the last one of letters and digits leaves the
  /// path out.
  static func candidates(for path: BeneathPath) -> [[UInt8]] {
    let name = Array((Staging.swapPrefix + RandomName.make()).utf8)
    let telling = name + [UInt8(ascii: "-")] + escaped(path.bytes)
    return telling.count <= limit ? [telling, name] : [name]
  }

  /// Gives a file of the area, of the name `given`, the first of the names that is taken there.
  static func take(
    by given: [UInt8], of path: BeneathPath, in area: Descriptor
  ) throws(Errno) -> [UInt8] {
    let names = candidates(for: path)
    for (number, name) in names.enumerated() {
      do {
        try area.rename(given, to: area, name, .intoEmptyPlace)
        return name
      } catch {
        // Gone, or a name that isn't taken here: the last one is taken everywhere.
        guard error.mayRefuseName, number + 1 < names.count else { throw error }
      }
    }
    preconditionFailure("there is always a name")
  }

  /// Where a file with this name stood; a name that doesn't tell is its own path.
  static func place(of name: [UInt8]) -> BeneathPath {
    let told = name.dropFirst(Staging.swapPrefix.utf8.count)
    guard let dash = told.firstIndex(of: UInt8(ascii: "-")),
      let path = try? RelativePath(ByteString(bytes: unescaped(told[(dash + 1)...])))
    else { return .root.appending(name) }
    return BeneathPath(path)
  }

  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte in
      switch byte {
      case slash: Array("%2F".utf8)
      case percent: Array("%25".utf8)
      default: [byte]
      }
    }
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var (rest, result) = (bytes, [UInt8]())
    while let byte = rest.popFirst() {
      guard byte == percent else {
        result.append(byte)
        continue
      }
      result.append(rest.starts(with: "2F".utf8) ? slash : percent)
      rest = rest.dropFirst(2)
    }
    return result
  }
}

extension Errno {
  /// Whether a file system may answer it to a name that it doesn't take.
  var mayRefuseName: Bool {
    [.nameTooLong, .invalid, .absent, .notPermitted, .noRights, .illegalBytes].contains(self)
  }
}

/// When a file counts as being on the disk.
public enum Durability: String, Hashable, Sendable, CaseIterable {
  /// Many files share one flush of the file system.
  case batch
  /// Every file is flushed on its own.
  case file
  /// When the system sees fit: the fastest, and a power cut may cost what was recorded.
  case none

  /// What this system can do: without a flush of a whole file system, a batch is flushed file by
  /// file.
  package var effective: Durability {
    #if os(Linux)
      self
    #else
      self == .batch ? .file : self
    #endif
  }
}

/// When a batch is closed, and which files don't join one.
enum BatchLimits {
  /// Files of a batch. More of them mean fewer flushes of the file system and transactions, and
  /// more to fetch again after a crash: from 256 to 1,024, a first copy of 10,000 small files takes
  /// a tenth less time.
  static let files = 1_024
  static let bytes: Int64 = 64 << 20
  /// How long a batch stays open after its first file.
  static let age = Duration.seconds(2)
  /// From this size on, a file is flushed and placed on its own.
  static let large: Int64 = 8 << 20
}
