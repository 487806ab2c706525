package import SyncFiles

extension MirrorFolder {
  /// What stands in `.mirror/previews/` under `name`; `nil` when nothing does.
  package func lookAtPreview(named name: String) throws -> FileStatus? {
    let path = try BeneathPath.previews.appending(plain: name)
    do {
      return try open(path.parent, [.reading, .directory]).status(of: path.name)
    } catch  where error.meansNoWay {
      return nil
    } catch { throw FolderError(error, path) }
  }

  /// Reads the whole file in `.mirror/previews/` under `name`, as ``hash(_:until:telling:)`` does.
  package func hashPreview(
    named name: String, until stop: StopFlag = StopFlag(),
    telling: (Int) -> Void = { _ in }
  ) throws -> HashedFile {
    try hash(try BeneathPath.previews.appending(plain: name), until: stop, telling: telling)
  }

  /// The names of everything in `.mirror/previews/`.
  package func previewNames() throws -> [String] {
    do {
      return try list(BeneathPath.previews).map { String(decoding: $0.name, as: UTF8.self) }
    } catch .absent {
      return []
    } catch { throw FolderError(error, BeneathPath.previews) }
  }

  /// Removes previews; one that isn't there is no error. Not made durable: a preview that comes
  /// back after a power cut belongs to nobody and does no harm.
  package func removePreviews(named names: [String]) throws {
    let paths = try names.map(BeneathPath.previews.appending(plain:))
    do {
      let directory = try open(BeneathPath.previews, [.reading, .directory])
      for path in paths {
        do { try directory.unlink(path.name) } catch .absent {}
      }
    } catch .absent {
      return
    } catch { throw FolderError(error, BeneathPath.previews) }
  }
}
