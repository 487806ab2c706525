import SyncFetching

/// What several mirrors of a process share: their connections, and how much each server is asked at
/// once. So the limits for one origin hold over all of them.
///
/// ```swift
/// let client = MirrorClient()
/// let mirrors = configurations.map { FolderMirror($0, sharing: client) }
/// ```
///
/// Where mirrors of one origin have different limits (``MirrorOptions/connectionsPerOrigin``,
/// ``MirrorOptions/bytesPerSecond``), the lowest one holds for all that are under way with it.
/// Mirrors with other certificates, another proxy or other limits have connections of their own,
/// but the limit on requests at once counts all of them together. What was learned of a server ends
/// with the last run that has to do with it. Credentials and headers are never shared.
public final class MirrorClient: Sendable {
  let pool: ConnectionPool

  /// A client that nobody uses; nothing is opened.
  public convenience init() {
    self.init(pool: ConnectionPool())
  }

  init(pool: ConnectionPool) {
    self.pool = pool
  }
}

extension FolderMirror {
  /// A mirror that shares connections and limits with others; nothing is opened or sent before the
  /// first call.
  public convenience init(_ options: MirrorOptions, sharing client: MirrorClient) {
    var environment = MirrorEnvironment()
    environment.pool = client.pool
    self.init(options, in: environment)
  }
}
