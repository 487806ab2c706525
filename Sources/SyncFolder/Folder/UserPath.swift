import SyncFiles

/// The path of a folder as somebody wrote it.
enum UserPath {
  /// The path without slashes at its end and components `.`, which mean nothing. A `..` stays: what
  /// stands before it may be a link.
  static func plain(_ path: String) -> String {
    let components = path.split(separator: "/").filter { $0 != "." }
    let joined = components.joined(separator: "/")
    if path.hasPrefix("/") { return "/" + joined }
    return joined.isEmpty && !path.isEmpty ? "." : joined
  }

  /// The directory that a plain path stands in.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes the directory at a plain path, unless there is something.
  static func make(_ path: String, in fileSystem: any FileSystem) throws(Errno) {
    do { try fileSystem.makeDirectory(userPath: path) } catch .exists {}
  }

  /// As ``make(_:in:)``, and first the directories above it that are missing.
  static func makeWithParents(_ path: String, in fileSystem: any FileSystem) throws(Errno) {
    do {
      try make(path, in: fileSystem)
    } catch .absent {
      let parent = parent(of: path)
      guard parent != path, parent != "." else { throw .absent }
      try makeWithParents(parent, in: fileSystem)
      try make(path, in: fileSystem)
    }
  }

  /// The last symbolic link on the way to a plain path that isn't there; `nil` where none is: then
  /// a directory is missing.
  static func lastLink(onWayTo path: String, in fileSystem: any FileSystem) -> String? {
    var path = path
    while true {
      let parent = parent(of: path)
      guard parent != path, path != "." else { return nil }
      do throws(Errno) {
        let directory = try Descriptor.open(
          userPath: parent, [.reading, .directory], in: fileSystem)
        let name = path.split(separator: "/").last.map { Array($0.utf8) } ?? []
        return try directory.status(of: name)?.kind == .symbolicLink ? path : nil
      } catch .absent {
        path = parent
      } catch {
        return nil
      }
    }
  }
}
