extension MirrorFolder {
  /// Removes a directory of `.mirror/` with everything in it, following no link.
  func removeTree(_ top: BeneathPath) throws(Errno) {
    var directories = [top]
    var next = 0
    while next < directories.count {
      let path = directories[next]
      next += 1
      let directory = try open(path, [.reading, .directory])
      for entry in try directory.entries() {
        if entry.kind == .directory {
          directories.append(path.appending(entry.name))
        } else {
          do { try directory.unlink(entry.name) } catch .absent {}
        }
      }
    }
    for path in directories.reversed() {
      do {
        try open(path.parent, [.reading, .directory]).removeDirectory(path.name)
      } catch .absent {}
    }
  }
}
