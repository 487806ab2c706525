package import SyncFetching
import SyncFiles
import SyncFolder
import SyncText
import SyncTransport

extension SourceConnection {
  /// The way to the catalog that the options name; nothing is sent yet.
  /// - Throws: ``MirrorError`` for an address that is none, a file of the options that can't be
  ///   read, a keyring or a key that is none, too few open files, or a folder of the catalog that
  ///   can't be opened.
  package init(
    _ options: MirrorOptions, in environment: MirrorEnvironment, observer: MirrorObserver
  ) throws {
    try DescriptorLimit.check()
    if let path = options.keyring { try Self.checkKeyring(path) }
    // Once: the keys that are remembered are those that the run was checked by.
    let keys = try Self.keys(in: options.verifyKeys, environment.fileSystem)
    do {
      try self.init(options.catalog, options.source, in: environment.source) { event in
        guard case .retrying(let address, let retry, let wait, let reason) = event else { return }
        observer.publish(
          .retrying(
            url: address.redacted, retry: retry, wait: wait, reason: reason.reason,
            advice: reason.advice))
      }
      verifyKeys = keys
    } catch let problem as SourceProblem {
      switch problem {
      case .badAddress(let address): throw MirrorError.badCatalogAddress(address)
      case .unreadableFile(let file, let path): throw MirrorError.unreadableFile(file, path: path)
      case .profile(let name, let problem): throw MirrorError.profile(name, problem)
      case .folder(let path, let errno): throw MirrorError(opening: FolderError(errno, path))
      }
    }
  }

  /// The keys in files at paths of the user's own, each of which holds one at least.
  static func keys(
    in files: [String], _ fileSystem: any FileSystem
  ) throws(MirrorError) -> [Ed25519PublicKey] {
    var keys: [Ed25519PublicKey] = []
    for path in files {
      do throws(SigningKeyProblem) {
        keys += try SigningKeyFile(path: path, in: fileSystem).publicKeys
      } catch {
        throw .verifyKey(path: ByteString.escape(path), error)
      }
    }
    return keys
  }

  private static func checkKeyring(_ path: String) throws(MirrorError) {
    do throws(KeyringProblem) {
      _ = try Keyring(path: path)
    } catch {
      throw .keyring(path: ByteString.escape(path), error)
    }
  }
}

extension MirrorOptions {
  fileprivate var source: SourceOptions {
    var source = SourceOptions()
    source.access = access
    source.isBucket = format == CatalogFormatName.s3.rawValue
    source.connectionsPerOrigin = connectionsPerOrigin
    source.adaptsRequests = concurrency <= 0
    source.bytesPerSecond = bytesPerSecond
    source.limits.connectTimeout = connectTimeout
    source.limits.stall = StallLimit(span: stallTimeout)
    source.limits.pace = PaceLimit(bytesPerSecond: minimumRate, grace: minimumRateGrace)
    source.retries = retries
    source.allowedHosts = allowedHosts
    source.userAgent = userAgent
    return source
  }
}

extension MirrorEnvironment {
  fileprivate var source: SourceEnvironment {
    var environment = SourceEnvironment(
      clock: clock, random: random, makeTransport: makeTransport, makeDiskQueue: makeDiskQueue,
      fileSystem: fileSystem, pool: pool)
    environment.variables = variables
    return environment
  }
}
