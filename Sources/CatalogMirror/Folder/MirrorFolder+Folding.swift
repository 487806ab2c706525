extension MirrorFolder {
  /// Tries out which names the folder's file system holds for equal, with two files in `.mirror/`.
  package func probeNameFolding() throws -> NameFolding {
    let path = BeneathPath.control.appending("probe-\(Staging.randomName())")
    do {
      let control = try open(.control, [.reading, .directory])
      try control.makeDirectory(path.name, mode: 0o700)
      defer { try? removeTree(path) }
      let probe = try open(path, [.reading, .directory])
      return NameFolding(
        caseFolding: try probe.holdsEqual("case", "CASE"),
        unicodeNormalizing: try probe.holdsEqual("form-\u{E9}", "form-e\u{301}"))
    } catch { throw FolderError(error, path) }
  }
}

extension Descriptor {
  fileprivate func holdsEqual(_ made: String, _ asked: String) throws(Errno) -> Bool {
    _ = try open(name: Array(made.utf8), [.writing, .creating, .exclusively], mode: 0o600)
    return try status(of: Array(asked.utf8)) != nil
  }
}
