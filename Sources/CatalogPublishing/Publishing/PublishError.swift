import CatalogMirror
public import SyncEssentials
import SyncFiles
public import SyncFolder
import SyncText

/// Why no catalog was written. The one that was there stays as it is.
///
/// A file that can't be read is one of these, and not just left out: in a complete catalog, absence
/// means deletion.
public enum PublishError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A system call failed: what was tried, on which path, and what the system said.
  case system(action: String, path: String, reason: String)
  /// A file went on changing while it was hashed.
  case changing(path: String)
  /// Somebody else publishes this catalog at this moment: its name, and who.
  case locked(path: String, by: LockHolder?)
  /// The catalog of this name, which is to be replaced, says that its revision is the greatest one
  /// that there is: what comes after it could not be told from it.
  case noRevisionLeft(String)
  /// The catalog of this name says that it has this revision, which is ahead of the clock, and none
  /// of the keys has signed that.
  case unbelievedRevision(String, Int64)
  /// An option can't be used.
  case badOption(BadOption)
  /// Nobody would tell when the folder changes.
  case unwatched(WatchProblem)

  /// Which option can't be used, with what it says but for a URL, which may hold a password.
  public enum BadOption: Hashable, Sendable {
    /// ``CatalogWriter/Options/fileName`` isn't the name of a file.
    case fileName(String)
    /// ``CatalogWriter/Options/base`` isn't a URL that ends with a slash, or carries a password.
    case base
    /// ``CatalogWriter/Options/directory`` lies neither above nor below the folder, so that nobody
    /// knows where clients find the files, and no ``CatalogWriter/Options/base`` says it.
    case baseMissing(String)
    /// ``CatalogWriter/Options/previews`` isn't a path.
    case previews(String)
    /// There is no such directory in the folder.
    case previewsMissing(String)
    /// What stands there in the folder is a file, or a link.
    case previewsNoDirectory(String)
    /// A file of ``CatalogWriter/Options/signKeys`` holds no key to sign with.
    case signKey(String, SigningKeyProblem)
    /// ``CatalogWriter/Options/signKeys`` are so many, and mirrors take the signatures of 64.
    case tooManySignKeys(Int)
    /// Keys are given, and that the catalog needn't be signed
    /// (``CatalogWriter/Options/acceptsUnsigned``).
    case unsignedAndSigned
    /// The catalog of this name is signed by keys of these ids, and the next one is to be signed by
    /// none.
    case signKeyMissing(String, [String])
    /// ``CatalogWriter/Options/expires`` is said of a catalog that isn't signed: anybody could
    /// change it.
    case expiresUnsigned
    /// A file that is no catalog stands where the catalog is to go.
    case occupied(String)
    /// Something else stands where the catalog's packs are to go: no directory, or one that holds
    /// files and not the one that marks it as a catalog's own.
    case packsOccupied(String)
    /// What stands in the catalog's place is no file, as a FIFO, so that no packs can lie beside
    /// it.
    case packsBesideNothing(String)
  }

  /// A sentence that says what happened and what to do next.
  public var description: String {
    switch self {
    case .system(let action, let path, let reason):
      "could not \(action) '\(path)': \(reason). No catalog was written; mend that and try again."
    case .changing(let path):
      "'\(path)' changed while it was read. No catalog was written; publish when it is still."
    case .locked(let path, let holder): "\(FolderError(.locked(by: holder), path))."
    case .noRevisionLeft(let name):
      """
      the catalog '\(name)' has the greatest revision that there is, and none can follow \
      it. No catalog was written. If nobody meant that, somebody else changed it: look who may \
      write there, remove it, publish again, and have each mirror that took it accept once that \
      the revision goes back.
      """
    case .unbelievedRevision(let name, let revision):
      """
      the catalog '\(name)' isn't signed by a key that is given, and has the revision \(revision), \
      which is ahead of the time: with the next one signed, mirrors would take nothing that came \
      before it. No catalog was written. If nobody meant that, somebody else changed it: look who \
      may write there. Remove it and publish again; each mirror that took that revision has to \
      accept once that it goes back.
      """
    case .badOption(let problem): "\(problem). No catalog was written."
    case .unwatched(let problem): "\(problem.words), or publish now and then by a timer instead."
    }
  }
}

/// Why nobody tells when a folder changes.
public enum WatchProblem: Hashable, Sendable {
  /// This system has no way for it that is known here.
  case unknownHere
  /// The system watches no more directories for this user.
  case tooManyDirectories
  /// The system lets this user have no more watches.
  case tooManyWatches
  /// Something else; what the system said.
  case refused(reason: String)

  fileprivate var words: String {
    switch self {
    case .unknownHere: "changes can't be watched for on this system; use Linux"
    case .tooManyDirectories:
      """
      this user may watch no more directories for changes; raise fs.inotify.max_user_watches \
      (sysctl)
      """
    case .tooManyWatches:
      """
      this user has too many programs that watch for changes; raise \
      fs.inotify.max_user_instances (sysctl)
      """
    case .refused(let reason): "the folder can't be watched for changes (\(reason)); mend that"
    }
  }
}

extension PublishError.BadOption: CustomStringConvertible {
  /// What is wrong and what to do, as a sentence without its stop.
  public var description: String {
    switch self {
    case .fileName(let name): "the catalog's name '\(CatalogKey(name))' isn't a file name"
    case .base: "the base has to be a URL that ends with a slash"
    case .baseMissing(let path):
      """
      the catalog's directory '\(CatalogKey(path))' lies neither above nor below the folder; say \
      at which URL clients find the folder's files
      """
    case .previews(let path):
      """
      the previews' directory '\(CatalogKey(path))' isn't a path; give it relative to the folder, \
      as 'thumbs'
      """
    case .previewsMissing(let path):
      """
      the previews' directory '\(CatalogKey(path))' isn't there; give it relative to the folder, \
      or make it first
      """
    case .previewsNoDirectory(let path):
      """
      '\(CatalogKey(path))' in the folder is to hold the previews, and is no directory; name the \
      directory that holds them
      """
    case .signKey(let path, let problem): "the key '\(CatalogKey(path))' \(problem)"
    case .tooManySignKeys(let count):
      "mirrors take a catalog of at most 64 signatures, and \(count) keys are given; give fewer"
    case .unsignedAndSigned:
      "a catalog is signed or it isn't: give a key, or say that none is needed"
    case .signKeyMissing(let name, let keys):
      """
      the catalog '\(name)' is signed by the \(keys.count == 1 ? "key" : "keys") \
      \(keys.joined(separator: ", ")), and no key is given now: mirrors that check it would take \
      none that isn't signed. Give the key, or say that it needn't be signed any more
      """
    case .expiresUnsigned:
      "only a signed catalog says until when it may be taken; name the key that signs it"
    case .occupied(let name):
      """
      '\(CatalogKey(name))' is there and is no catalog, and would be lost; give the catalog \
      another name, or move that file away
      """
    case .packsOccupied(let name):
      """
      '\(CatalogKey(name))' is to hold the catalog's packs, and is somebody else's: no \
      '\(PublishedNames.mark)' is in it; move it away, write no packs, \
      or give the catalog another name
      """
    case .packsBesideNothing(let name):
      "'\(CatalogKey(name))' is no file that packs could lie beside; write the catalog to a file"
    }
  }
}

extension PublishError {
  /// A lock that can't be taken, though nobody holds it.
  static func unlocked(_ error: FolderError) -> PublishError {
    .system(action: "lock", path: error.path, reason: error.reason ?? "\(error)")
  }

  /// Opens a directory at a path of the user's own.
  static func opening(
    _ path: String, in fileSystem: any FileSystem
  ) throws(PublishError) -> Descriptor {
    try translating("open", CatalogKey(path).description) { () throws(Errno) in
      try Descriptor.open(userPath: path, [.reading, .directory], in: fileSystem)
    }
  }

  /// Runs `body`, and says of a system call that fails what it was for.
  static func translating<Value>(
    _ action: String, _ path: String, _ body: () throws(Errno) -> Value
  ) throws(PublishError) -> Value {
    do {
      return try body()
    } catch {
      throw .system(action: action, path: path, reason: error.text)
    }
  }
}

// An alert shows the sentence of an error, and not its type and number.
extension PublishError: LocalizedError {
  /// The sentence of ``description``.
  public var errorDescription: String? { description }
}
