import SyncFiles
import SyncText

extension MirrorFolder {
  /// Tries out, with a few files in `.mirror/`, whether the folder's file system can hold a mirror,
  /// and which names it holds for equal.
  /// - Throws: ``FolderError/Code/unsuitable(lack:)``, before anything else is written.
  package func probeNameFolding() throws -> NameFolding {
    let path = BeneathPath.control.appending("probe-\(RandomName.make())")
    do {
      let control = try open(.control, [.reading, .directory])
      try control.makeDirectory(path.name, mode: 0o700)
      let folding: NameFolding
      do {
        folding = try probe(in: try open(path, [.reading, .directory]))
      } catch {
        try? removeTree(path)
        throw error
      }
      try removeProbe(path)
      return folding
    } catch let error as Errno { throw FolderError(error, path) }
  }

  private func probe(in directory: Descriptor) throws -> NameFolding {
    guard try directory.resizesFiles() else { throw unsuitable(.resizing) }
    return NameFolding(
      caseFolding: try directory.holdsEqual("case", "CASE"),
      unicodeNormalizing: try directory.holdsEqual("form-\u{E9}", "form-e\u{301}"),
      endDropping: try directory.holdsEqual("end", "end."))
  }

  // Best effort, but where it is the file system that has no such thing.
  private func removeProbe(_ path: BeneathPath) throws {
    do {
      try removeTree(path)
    } catch  where [.notPermitted, .noSuchCall, .notSupported].contains(error) {
      throw unsuitable(.removing)
    } catch {}
  }

  private func unsuitable(_ lack: DiskLack) -> FolderError {
    FolderError(.unsuitable(lack: lack), ByteString.escape(path))
  }

  /// Makes sure that the mirror's own directories are directories, or aren't there yet. A link in
  /// place of one would fail whatever item comes to need it, and none of the others.
  package func requireOwnDirectories() throws {
    let areas = [AwayArea.displaced.path, AwayArea.quarantine.path, BeneathPath.previews]
    for path in [BeneathPath.staging] + areas {
      do {
        _ = try open(path, [.reading, .directory])
      } catch .absent {
        continue
      } catch { throw FolderError(error, path) }
    }
  }
}

extension Descriptor {
  /// Tried with a file that was closed before, as that of an index may have been.
  fileprivate func resizesFiles() throws(Errno) -> Bool {
    let name = Array("length".utf8)
    try open(name: name, [.writing, .creating, .exclusively], mode: 0o600)
      .write(Array("some bytes".utf8))
    for length: Int64 in [4, 8_192] {
      do {
        try open(name: name, [.writing]).truncate(to: length)
      } catch  where [.notPermitted, .noSuchCall, .notSupported].contains(error) {
        return false
      }
      guard try status(of: name)?.size == length else { return false }
    }
    return true
  }

  /// Whether two names are one here. Names that aren't taken at all can't be.
  fileprivate func holdsEqual(_ made: String, _ asked: String) throws(Errno) -> Bool {
    do {
      _ = try open(name: Array(made.utf8), [.writing, .creating, .exclusively], mode: 0o600)
    } catch  where error.mayRefuseName && !made.utf8.allSatisfy({ $0 < 0x80 }) {
      return false
    }
    return try status(of: Array(asked.utf8)) != nil
  }
}
