package import SyncFiles
package import SyncText

/// A file that was moved out of the tree, and lies in the quarantine or among the displaced files.
package struct AwayFile: Hashable, Sendable {
  package let area: AwayArea
  /// What moved it: the moment in which that run began, `20250131T120000Z`, with a number behind a
  /// dot where several files of one run had one path.
  package let batch: String
  package let key: ByteString
  package let status: FileStatus

  /// When the run began that moved it, in seconds since 1970.
  package var movedAt: Double { UTCStamp.seconds(String(batch.prefix(16))) ?? 0 }

  var place: BeneathPath {
    area.path.appending(batch).appending(BeneathPath(checked: key.bytes))
  }

  /// Its name in the index: the path below the area, escaped.
  package var quarantineName: String {
    ByteString(bytes: BeneathPath.root.appending(batch).appending(key.bytes).bytes).description
  }
}

extension MirrorFolder {
  /// Everything that lies in an area, the newest first, those of one run in the order of their
  /// keys.
  ///
  /// What stands there and no run put there is passed over.
  package func awayFiles(in area: AwayArea) throws -> [AwayFile] {
    let batches: [DirectoryEntry]
    do {
      batches = try list(area.path)
    } catch .absent {
      return []
    } catch { throw FolderError(error, area.path) }
    let names = batches.filter { $0.kind == .directory }
      .map { String(decoding: $0.name, as: UTF8.self) }
      .filter { UTCStamp.seconds(String($0.prefix(16))) != nil }
    return try names.sorted(by: >).flatMap { try awayFiles(of: $0, in: area) }
  }

  private func awayFiles(of batch: String, in area: AwayArea) throws -> [AwayFile] {
    let start = area.path.appending(batch)
    let cache = DirectoryCache(self)
    var files: [AwayFile] = []
    try walk(start) { path, kind in
      guard kind != .directory else { return .enter }
      if let status = try cache.directory(path.parent).status(of: path.name) {
        files.append(AwayFile(batch: batch, in: area, at: path, below: start, status))
      }
      return .skip
    } unreadable: { path, errno in
      guard errno == .absent else { throw FolderError(errno, path) }
    }
    return files.sorted { $0.key < $1.key }
  }
}

extension AwayFile {
  fileprivate init(
    batch: String, in area: AwayArea, at path: BeneathPath, below start: BeneathPath,
    _ status: FileStatus
  ) {
    let key = ByteString(bytes: Array(path.bytes.dropFirst(start.bytes.count + 1)))
    self.init(area: area, batch: batch, key: key, status: status)
  }
}
