extension MirrorFolder {
  /// Takes back what opening made, when a run came to nothing: the files of `.mirror/` that every
  /// run makes, `.mirror/` itself and, if `removingFolder`, the folder. A directory that holds
  /// anything else stays.
  package func unmake(removingFolder: Bool) {
    // Best effort: what stays behind is an empty mirror, and does no harm.
    guard let control = try? open(.control, [.reading, .directory]) else { return }
    for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm", "lock"] {
      try? control.unlink(Array(name.utf8))
    }
    for name in ["staging", "previews"] { try? control.removeDirectory(Array(name.utf8)) }
    // The marker goes last and only with the directory: while anything is left, it is a mirror.
    guard let entries = try? control.entries(),
      entries.allSatisfy({ $0.name == Array("marker".utf8) })
    else { return }
    try? control.unlink(Array("marker".utf8))
    try? root.removeDirectory(BeneathPath.control.name)
    if removingFolder { try? Descriptor.removeUserDirectory(path) }
  }
}
