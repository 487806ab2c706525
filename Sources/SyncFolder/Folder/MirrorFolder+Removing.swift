import SyncFiles

extension MirrorFolder {
  /// Removes a directory of `.mirror/` with everything in it, following no link and onto no other
  /// file system.
  ///
  /// What is deep is first brought up, so that a tree of any depth goes with two directories open,
  /// and a crash leaves a smaller one.
  func removeTree(_ path: BeneathPath) throws(Errno) {
    let parent = try open(path.parent, [.reading, .directory])
    let top = try resolver.open(path.name, beneath: parent, [.reading, .directory])
    var names = try Self.clear(top, raisingInto: top)
    while let name = names.popLast() {
      let directory = try resolver.open(name, beneath: top, [.reading, .directory])
      names += try Self.clear(directory, raisingInto: top)
      try top.removeDirectory(name)
    }
    try parent.removeDirectory(path.name)
  }

  // Unlinks the files of a directory, moves its directories to `top`, and gives their names there.
  private static func clear(
    _ directory: Descriptor, raisingInto top: Descriptor
  ) throws(Errno) -> [[UInt8]] {
    var raised: [[UInt8]] = []
    for entry in try directory.entries() {
      guard entry.kind == .directory else {
        do { try directory.unlink(entry.name) } catch .absent {}
        continue
      }
      let name = Array(RandomName.make().utf8)
      try directory.rename(entry.name, to: top, name, .intoEmptyPlace)
      raised.append(name)
    }
    return raised
  }
}
