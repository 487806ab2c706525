import SyncFiles
import SyncFolder

extension RunContext {
  /// Gives files the dates that the catalog has for them by now.
  /// - Returns: what the index has to be told.
  func redate(_ files: [MirrorPass.Redating]) async throws -> [IndexChange] {
    guard !files.isEmpty else { return [] }
    let folder = session.folder
    return try await session.fileQueue.run {
      try files.compactMap { file in
        try folder.setModified(RelativePath(file.key), leftAs: file.stamp, to: file.modified)
          .map { .touched(file.key, $0) }
      }
    }
  }
}
