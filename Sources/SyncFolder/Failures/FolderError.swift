public import SyncEssentials
package import SyncFiles
import SyncText

/// Something that the folder of a mirror refused.
public struct FolderError: Error, Equatable, Sendable {
  /// What kind of refusal it is.
  public let code: Code
  /// The path it is about, escaped for printing: the folder's own path, or one below it.
  public let path: String
  /// What the system said, in its words; `nil` when the refusal is our own.
  public let reason: String?

  /// The kinds of refusals.
  public enum Code: Hashable, Sendable {
    /// The folder's path leads to something that is no directory.
    case notAFolder
    /// The folder, or the folder that it should be made in, isn't there.
    case missing
    /// The folder can't be made, since the directory that it should be made in isn't there.
    case parentMissing
    /// The folder's path is, or leads through, a symbolic link to something that isn't there.
    case linkToNothing
    /// The folder lies in the `.mirror` of another mirror, whose path this is, escaped.
    case insideMirror(of: String)
    /// The folder lies in the tree of another mirror, whose path this is, escaped, and which has
    /// files of its own there.
    case amongFiles(ofMirror: String)
    /// The path is, or leads into, the folder of another mirror, which stands in this one.
    case otherMirror
    /// The user who runs this may not.
    case noRights
    /// The user who runs this may no longer work in the folder at all.
    case lockedOut
    /// The file system is mounted read-only.
    case readOnly
    /// The disk, or the user's share of it, is full.
    case full
    /// The process or the system has too many files open.
    case tooManyOpenFiles
    /// The folder is no mirror yet.
    case notAMirror
    /// The folder's marker can't be read as one.
    case markerDamaged
    /// The folder's marker was cut short, and there is an index beside it.
    case markerTorn
    /// The folder under our path is no longer the one that we opened.
    case folderChanged
    /// Another run works on the folder.
    case locked(by: LockHolder?)
    /// The folder's file system keeps no locks, so that two runs could work on it at once.
    case withoutLocks
    /// The folder's file system lacks something that no mirror can do without.
    case unsuitable(lack: DiskLack)
    /// A link, a special file or a mounted file system stands where a file or directory has to go.
    case blocked
    /// The path leads into `.mirror` itself, by a name that the file system holds for the same.
    case controlFolder
    /// The file system takes no such name.
    case nameRefused
    /// Somebody else changes the same place again and again.
    case contested
    /// The disk couldn't keep what was written to a file.
    case flushFailed
    /// The disk couldn't keep something that was written to the folder, and doesn't say what.
    case unflushed
    /// A staged file isn't there any more.
    case stagedFileGone
    /// A file was changed while it was read.
    case changedWhileRead
    /// The file is larger than a file may be: a limit of the user's, or of the file system.
    case tooLarge
    /// The disk couldn't read or write.
    case diskFailed
    /// Something else; ``FolderError/reason`` says what.
    case failed
  }

  package init(_ code: Code, _ path: String, reason: String? = nil) {
    self.code = code
    self.path = path
    self.reason = reason
  }

  /// What a system call answered about a path of the folder.
  init(_ errno: Errno, _ path: BeneathPath) {
    self.init(errno, path.description)
  }

  /// What a system call answered about a path of the user's own, already escaped.
  package init(_ errno: Errno, _ path: String) {
    self.init(
      Self.code(for: errno), path, reason: errno == .controlFolder ? nil : errno.text)
  }

  /// What a system call answered that was to make a name.
  static func making(_ errno: Errno, _ path: BeneathPath) -> FolderError {
    guard [.nameTooLong, .illegalBytes, .invalid].contains(errno) else {
      return FolderError(errno, path)
    }
    return FolderError(.nameRefused, path.description, reason: errno.text)
  }

  /// What a flush answered: some disks say only then that they are full.
  static func flush(_ errno: Errno, _ path: String) -> FolderError {
    let error = FolderError(errno, path)
    return error.isFatal && error.code != .diskFailed
      ? error : FolderError(.flushFailed, path, reason: errno.text)
  }

  /// What a flush answered that was of more than one file.
  static func flush(_ errno: Errno, ofFolder path: String) -> FolderError {
    let error = flush(errno, ByteString.escape(path))
    guard error.code == .flushFailed else { return error }
    return FolderError(.unflushed, error.path, reason: error.reason)
  }

  /// Whether nothing else can go well either, so that the pass should stop at once.
  package var isFatal: Bool {
    switch code {
    case .notAFolder, .missing, .parentMissing, .linkToNothing, .insideMirror, .amongFiles,
      .readOnly, .full, .tooManyOpenFiles, .notAMirror, .markerDamaged, .markerTorn, .folderChanged,
      .locked, .lockedOut, .unflushed, .withoutLocks, .unsuitable:
      true
    // Every item has to go through there.
    case .noRights, .diskFailed: path == ".mirror" || path.hasPrefix(".mirror/")
    case .blocked, .controlFolder, .otherMirror, .nameRefused, .contested, .flushFailed,
      .stagedFileGone,
      .changedWhileRead, .tooLarge, .failed:
      false
    }
  }

  /// The same of the item whose bytes were staged, by its name escaped for printing: nobody knows
  /// the staged file by its own. What ends a run because of where it happened stays as it is.
  package func ofStaged(_ item: String) -> FolderError {
    guard path.hasPrefix("\(BeneathPath.staging)/"), code != .noRights, code != .diskFailed else {
      return self
    }
    return FolderError(code, item, reason: reason)
  }

  /// What it is when it keeps us from knowing our folder: no item's failure but the run's end. A
  /// link in place of the marker, or a marker that can't be read, says nothing of this folder.
  func endingRun(of folder: String) -> FolderError {
    if isFatal { return self }
    return FolderError(code == .noRights ? .lockedOut : .folderChanged, folder, reason: reason)
  }

  private static func code(for errno: Errno) -> Code {
    switch errno {
    case .notPermitted, .noRights: .noRights
    case .readOnly: .readOnly
    case .noSpace, .overQuota: .full
    case .tooManyOpenFiles, .tooManyOpenFilesOnSystem: .tooManyOpenFiles
    case .link, .otherFileSystem, .notADirectory, .isADirectory, .noDevice, .illegalSeek: .blocked
    case .controlFolder: .controlFolder
    case .stale: .folderChanged
    case .fileTooLarge: .tooLarge
    case .inputOutput: .diskFailed
    default: .failed
    }
  }
}

/// Who holds the lock of a folder.
public struct LockHolder: Hashable, Sendable {
  /// The number of its process.
  public let process: Int32
  /// When it took the lock, in UTC, as `20250131T120000Z`.
  public let since: String

  /// The same in seconds since 1970; `nil` where it isn't a moment.
  public var secondsSince1970: Double? { UTCStamp.seconds(since) }

  /// A holder; the moment is taken as it is.
  package init(process: Int32, since: String) {
    (self.process, self.since) = (process, since)
  }
}

extension FolderError: CustomStringConvertible {
  /// One sentence: what happened, to what, and what to do.
  public var description: String { sentence(of: path) }

  /// The same of "it", after a name that is the path.
  package var descriptionOfIt: String { sentence(of: "it") }

  private func sentence(of path: String) -> String {
    let sentence = words(of: path)
    // That it isn't there is the reason, and who calls says at the end what has directories made.
    if code == .parentMissing { return sentence }
    return reason.map { "\(sentence) (\($0))" } ?? sentence
  }

  private func words(of path: String) -> String {
    switch code {
    case .notAFolder: "\(path) is not a folder; name a folder, or a path where one can be made"
    case .missing: "\(path) is not there; make it, or mount its disk, first"
    case .parentMissing:
      """
      the directory that \(path) is to be made in isn't there; make it, mount its disk, or have \
      the missing directories made
      """
    case .linkToNothing:
      """
      \(path) is a symbolic link to something that isn't there; mount its disk, make what it leads \
      to, or remove the link
      """
    case .insideMirror(let mirror):
      """
      \(path) lies in .mirror of \(mirror), another mirror, which empties it in time; use a folder \
      elsewhere
      """
    case .amongFiles(let mirror):
      """
      \(path) lies among the files of \(mirror), another mirror; use a folder elsewhere, or have \
      that mirror leave this place out, and sync it first
      """
    case .otherMirror:
      """
      \(path) is the folder of another mirror, whose files are its own; leave it out of this one, \
      or move that mirror away
      """
    case .noRights:
      """
      \(path) may not be used by this user; change the owner or the rights of it, or of the folder \
      that it lies in
      """
    case .lockedOut: "\(path) may no longer be used by this user; mend its owner or its rights"
    case .readOnly: "\(path) is on a read-only file system; mount it for writing"
    case .full: "no space is left for \(path); free some, then sync again: it goes on from here"
    case .tooManyOpenFiles: "too many files are open to use \(path); raise the limit (ulimit -n)"
    case .notAMirror: "\(path) is not a mirror yet; to make it one, sync once without requiring one"
    case .markerDamaged: "the marker \(path) can't be read; remove it, then sync again"
    case .markerTorn: "the marker \(path) was cut short; sync, and it is made anew"
    case .folderChanged: "\(path) vanished or was replaced during the run; is its disk mounted?"
    case .locked(let holder): "\(path) is in use\(Self.words(holder)); wait for it"
    case .withoutLocks:
      """
      the file system of \(path) keeps no locks, which a mirror needs; mount it with locks, or use \
      a folder on another one
      """
    case .unsuitable(let lack): "the file system of \(path) \(lack); use a folder on another one"
    case .blocked:
      """
      \(path) is, or leads through, a link, a mount point or the like, which the mirror hasn't \
      made; move it away, then sync again
      """
    case .controlFolder:
      """
      \(path) is .mirror, the mirror's own folder, to the file system here; publish it under \
      another name
      """
    case .nameRefused:
      "\(path) is a name that the file system here doesn't take; publish it under another one"
    case .contested: "\(path) is changed by somebody else all the time; sync again when it is quiet"
    case .flushFailed: "the disk could not keep \(path); check the disk, then sync again"
    case .unflushed:
      "the disk could not keep what was last written to \(path); check the disk, then sync again"
    case .stagedFileGone: "\(path) was removed from the staging area; sync again"
    case .changedWhileRead: "\(path) was changed while it was read; sync again"
    case .tooLarge:
      "\(path) may not grow any more; raise the limit (ulimit -f), or use another file system"
    case .diskFailed: "the disk could not read or write \(path); check it, then sync again"
    case .failed: "\(path) can't be used; mend the cause, then sync again"
    }
  }

  private static func words(_ holder: LockHolder?) -> String {
    guard let holder else { return " by another process" }
    let since = holder.secondsSince1970.flatMap { Int(exactly: $0.rounded(.down)) }
      .map { CivilTime.rfc3339(secondsSince1970: $0) }
    return " by process \(holder.process) since \(since ?? holder.since)"
  }
}

// An alert shows the sentence of an error, and not its type and number.
extension FolderError: LocalizedError {
  /// The sentence of ``description``.
  public var errorDescription: String? { description }
}

/// What a file system may lack without which no mirror can be kept on it.
public enum DiskLack: Hashable, Sendable, CustomStringConvertible {
  /// The length of a file can't be changed, as that of an index is.
  case resizing
  /// Files or directories can't be removed.
  case removing

  /// The end of a sentence that began with the file system.
  public var description: String {
    switch self {
    case .resizing: "can't change the length of a file"
    case .removing: "can't remove files or directories"
    }
  }
}
