package import SyncFiles
package import SyncText

extension Staging {
  /// Starts a file of that size, to be written in parts and hashed by `algorithms`, too.
  package func createParts(
    size: Int64, hashedBy algorithms: Set<ContentDigest.Algorithm> = []
  ) throws -> StagedParts {
    let (path, file) = try createFile()
    do throws(Errno) {
      return StagedParts(
        self, path, file, inode: try file.status().inode, size: size, written: ByteRanges(),
        hasher: FileHasher(algorithms))
    } catch { throw FolderError(error, path) }
  }

  /// Goes on with a file of which these parts were written, as far as it has them; `nil` when it
  /// isn't there, or isn't the file with this `inode`.
  ///
  /// What it holds from its beginning on is read once, to be hashed, until `stop` is raised: then
  /// it stays as it is.
  package func resumeParts(
    name: String, inode: UInt64, size: Int64, of parts: ByteRanges,
    hashedBy algorithms: Set<ContentDigest.Algorithm> = [], until stop: StopFlag = StopFlag()
  ) throws -> StagedParts? {
    try goOn(name, inode) { path, file, present in
      if present > size { try file.truncate(to: size) }
      let held = parts.clamped(to: 0..<min(size, present))
      var hasher = FileHasher(algorithms)
      let count = try file.readPieces(of: 0..<held.prefix) { piece in
        try stop.check()
        hasher.update(piece)
      }
      guard count == held.prefix else { return nil }
      return StagedParts(
        self, path, file, inode: inode, size: size, written: held, hasher: hasher)
    }
  }
}
