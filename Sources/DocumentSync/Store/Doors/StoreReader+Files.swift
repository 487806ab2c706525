/// How it stands with the files of documents.
public struct FileCounts: Sendable, Equatable {
  /// Files that wait to be sent.
  public var up = 0
  /// Files that aren't here yet.
  public var down = 0
  /// Files that a server refused.
  public var refused = 0
  /// Files that are to be removed at the server, once it knows that no document names them.
  public var removing = 0
  /// Files that a server won't remove.
  public var unremoved = 0
}

extension StoreReader {
  /// Whether a server keeps files, as far as is known before it was asked.
  package func keepsFiles(_ endpoint: any DocumentEndpoint, at server: String) throws -> Bool? {
    try endpoint.keepsFiles ?? capabilities(of: server)?.said.has(.files)
  }

  /// How it stands with files, as far as syncs have looked at what documents name.
  package func fileCounts() throws -> FileCounts {
    let table = FileTable(session: session)
    return FileCounts(
      up: try table.count(.up), down: try table.count(.down), refused: try table.count(.refused),
      removing: try table.count(.removing, isNamed: false),
      unremoved: try table.count(.stays, isNamed: false))
  }
}
