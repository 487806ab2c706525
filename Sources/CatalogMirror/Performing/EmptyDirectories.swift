import SyncFiles
import SyncFolder

/// Has the folder follow the empty directories of the source: makes what is missing, and removes
/// what an earlier run made, the source has no longer, and nobody has put anything in.
struct EmptyDirectories: Sendable {
  let session: MirrorSession
  /// What is outside isn't listed, and stays.
  let scope: HeldScope
  /// Whether anything goes.
  let removes: Bool

  /// In each run, since somebody may have removed one. What can't be made now is tried again by the
  /// next.
  func follow() async throws {
    let (listed, made) = try await session.index.read { reader in
      (
        try EmptyDirectoryList(.listedDirectories, in: reader),
        try EmptyDirectoryList(.madeDirectories, in: reader)
      )
    }
    let folder = session.folder
    let missing = EmptyDirectoryList(
      try await session.fileQueue.run { folder.missingDirectories(of: listed.paths) })
    let gone = made.subtracting(listed)
    let vanished = EmptyDirectoryList(
      gone.paths.filter { removes && scope.lets(directory: $0.bytes) })
    guard !missing.paths.isEmpty || !vanished.paths.isEmpty else { return }
    // Before they are made: one that a crash leaves is known to be ours.
    try await keep(made.union(missing))
    try await session.diskQueue.run {
      try folder.changeDirectories(making: missing.paths, removing: vanished.paths)
    }
    try await keep(made.union(missing).subtracting(vanished))
  }

  private func keep(_ made: EmptyDirectoryList) async throws {
    try await session.index.write { try $0.setValue(made.text, for: .madeDirectories) }
  }
}
