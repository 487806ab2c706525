public import SyncEssentials
public import SyncFetching
public import SyncFolder
import SyncText

/// Why a mirror could not do what it was asked to. Its ``description`` is one sentence that says
/// what happened, to what, and what to do; never a secret.
public enum MirrorError: Error, Sendable, CustomStringConvertible {
  /// The catalog's address is no http, https, s3 or file URL.
  case badCatalogAddress(String)
  /// Another run works on the folder, whose path is escaped for printing; who, where that is known.
  case locked(folder: String, by: LockHolder?)
  /// The folder can't be used.
  case folder(FolderError)
  /// The catalog can't be fetched or read; nothing was removed or downloaded.
  case catalog(CatalogError)
  /// The listing is complete and empty, and the folder isn't: taken for a fault of the source, or
  /// of the filters where these left out all of it.
  case emptyListing(held: Int, isFiltered: Bool = false)
  /// The folder mirrors another catalog than the one that was asked for; nothing was changed.
  case otherCatalog(kept: String, asked: String)
  /// A file that ``MirrorOptions/access`` names can't be read; its path, escaped for printing.
  case unreadableFile(SourceAccess.File, path: String)
  /// The file that ``MirrorOptions/keyring`` names is no keyring; its path, escaped for printing.
  case keyring(path: String, KeyringProblem)
  /// A file of ``MirrorOptions/verifyKeys`` holds no public key; its path, escaped for printing.
  case verifyKey(path: String, SigningKeyProblem)
  /// The folder's catalog was checked by keys of these ids, and no keys were given now, or for a
  /// repair none of these; no item was fetched.
  case keysMissing([String])
  /// A profile that names a bucket's key can't be used; its name, escaped for printing.
  case profile(String, ProfileProblem)
  /// The index can't be used; the path of its file.
  case index(path: String, IndexProblem)
  /// What is to be fetched doesn't fit on the folder's disk; nothing was. In bytes.
  case noRoom(needed: Int64, free: Int64, folder: String)
  /// This process may have too few files open at once.
  case tooFewOpenFiles(allowed: Int, needed: Int)
  /// The process may address too little memory for a run's threads: the MiB that it may address,
  /// and those that a run needs besides the program itself.
  case tooLittleAddressSpace(allowed: Int, needed: Int)
  /// None of these: the error of the part that it happened in.
  case other(any Error)

  /// The sentence.
  public var description: String {
    switch self {
    case .badCatalogAddress(let address):
      """
      '\(address)' is no catalog's address; give an http, https, s3 or file \
      URL\(Self.likelyURL(for: address).map { ", such as \($0)" } ?? "")
      """
    case .locked(let folder, let holder): "\(FolderError(.locked(by: holder), folder))"
    case .folder(let error): "\(error)"
    case .catalog(let error): "\(error)"
    case .emptyListing(let held, let isFiltered):
      """
      \(isFiltered ? "the filters leave out all that is listed" : "the listing is empty"), but the \
      folder holds \(held) item\(held == 1 ? "" : "s"); nothing was removed. Check the \
      \(isFiltered ? "filters" : "source"), or allow the removal of all
      """
    case .otherCatalog(let kept, let asked):
      """
      the folder mirrors \(kept), and this is \(asked); nothing was changed. Check the address and \
      the folder, or let the folder follow the new one
      """
    case .unreadableFile(let file, let path):
      "the file '\(path)' with \(file.content) can't be read; check its name and its rights"
    case .keyring(let path, let problem): "the keyring '\(path)' \(problem)"
    case .verifyKey(let path, let problem): "the key '\(path)' \(problem)"
    case .keysMissing(let keys):
      """
      the folder follows a catalog that was checked by \(keys.count == 1 ? "the key" : "the keys") \
      \(keys.joined(separator: ", ")), \(keys.count == 1 ? "which isn't" : "none of which is") \
      given now; no item was fetched. Give the key, or go on without
      """
    case .profile(let name, .missing):
      "there is no profile '\(name)' in ~/.aws/credentials or ~/.aws/config; check its name"
    case .profile(let name, .withoutKey):
      """
      the profile '\(name)' has no access key of its own, and no other way to one is known here; \
      put a key in AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN
      """
    case .index(let path, let problem):
      "the index of the folder can't be used: \(problem.sentence(of: path))"
    case .noRoom(let needed, let free, let folder): Self.noRoom(needed, free, folder)
    case .tooLittleAddressSpace(let allowed, let needed):
      """
      a limit of \(allowed) MiB on the address space is too small for a run, which needs \
      \(needed) MiB besides the program itself; raise it (ulimit -v)
      """
    case .tooFewOpenFiles(let allowed, let needed):
      """
      this program may have \(allowed) files open at once and needs \(needed); raise the limit \
      (ulimit -n), then run it again
      """
    case .other(let error): "\(error)"
    }
  }

  private static func noRoom(_ needed: Int64, _ free: Int64, _ folder: String) -> String {
    let (needed, free) = ByteAmount.texts(needed, free)
    return """
      \(needed) are needed on the disk of \(CatalogKey.escape(folder.utf8)), and \(free) are free; \
      nothing was fetched. Free some, then sync again, or do without this check
      """
  }

  /// Which option of the mirror may help.
  public var advice: MirrorAdvice? {
    switch self {
    case .locked: .waitForLock
    case .folder(let error): error.advice
    case .catalog(let error): error.advice
    case .emptyListing: .allowRemovalOfAll
    case .otherCatalog: .acceptOtherCatalog
    case .unreadableFile(let file, _): file.advice
    case .noRoom: .skipSpaceCheck
    case .index(_, .damaged): .lookAtFiles
    case .other(let error): CatalogMirror.advice(of: error)
    case .keysMissing: .allowUnsigned
    case .badCatalogAddress, .keyring, .verifyKey, .profile, .index, .tooFewOpenFiles,
      .tooLittleAddressSpace:
      nil
    }
  }
}

extension SourceAccess.File {
  fileprivate var content: String {
    switch self {
    case .authorities: "certificates to trust"
    case .certificate: "the client certificate"
    case .key: "the client certificate's key"
    case .netrc: "passwords"
    case .token: "the bearer token"
    }
  }

  fileprivate var advice: MirrorAdvice {
    switch self {
    case .authorities: .correctAuthorities
    case .certificate: .correctCertificate
    case .key: .correctKey
    case .netrc: .correctNetrc
    case .token: .correctToken
    }
  }
}

// An alert shows the sentence of an error, and not its type and number.
extension MirrorError: LocalizedError {
  /// The sentence of ``description``.
  public var errorDescription: String? { description }

  /// What was meant by a path, or by a host without a scheme.
  private static func likelyURL(for address: String) -> String? {
    let isPlain = address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"%\"<>?#".utf8.contains($0) }
    guard isPlain, !address.contains("//") else { return nil }
    if address.hasPrefix("/") { return "file://\(address)" }
    let host = address.prefix { $0 != "/" }
    let port = host.split(separator: ":").dropFirst().first
    let isLocal = host.hasPrefix("localhost")
    // Without a slash or a port it is as likely the name of a file.
    guard !host.hasPrefix("."), isLocal || host.contains("."), host != address || port != nil
    else { return nil }
    return (isLocal || port.map { $0 != "443" } ?? false ? "http://" : "https://") + address
  }
}
