package import SyncFiles
package import SyncText

extension MirrorFolder {
  /// Makes sure that a path, which needn't exist, doesn't lead into the `.mirror` of a mirror,
  /// whatever links it goes through: what lies there is that mirror's, and some of it is removed
  /// in time.
  /// - Throws: ``FolderError/Code/insideMirror(of:)``.
  package static func requireOutsideMirrors(
    _ path: String, in fileSystem: any FileSystem = SystemFileSystem()
  ) throws(FolderError) {
    guard let found = resolve(UserPath.plain(path), in: fileSystem) else { return }
    var above = ""
    for name in found.there.split(separator: "/") {
      let mirror = above
      above += "/" + name
      // Some file systems make no difference of case.
      guard name.lowercased() == RelativePath.mirrorFolder else { continue }
      guard isControlFolder(above, in: fileSystem) else { continue }
      throw FolderError(
        .insideMirror(of: ByteString.escape(mirror.isEmpty ? "/" : mirror)),
        ByteString.escape(path))
    }
  }

  /// The nearest mirror in whose tree a path lies, which needn't exist, whatever links it goes
  /// through; `nil` for none.
  package static func enclosing(
    _ path: String, in fileSystem: any FileSystem = SystemFileSystem()
  ) -> EnclosingMirror? {
    guard let found = resolve(UserPath.plain(path), in: fileSystem) else { return nil }
    let names = found.there.split(separator: "/") + found.missing
    for depth in names.indices.reversed() {
      let above = names[..<depth].map { "/" + $0 }.joined()
      guard isControlFolder("\(above)/.mirror", in: fileSystem) else { continue }
      return EnclosingMirror(
        path: above.isEmpty ? "/" : above,
        place: ByteString(names[depth...].joined(separator: "/")))
    }
    return nil
  }

  package static func holdsMirror(_ directory: Descriptor) throws(Errno) -> Bool {
    guard try directory.status(of: BeneathPath.control.bytes)?.kind == .directory else {
      return false
    }
    do {
      let control = try directory.open(name: BeneathPath.control.bytes, [.reading, .directory])
      return try control.status(of: FolderMarker.name)?.kind == .file
    } catch .noRights {
      return true  // a mirror's own folder is its user's alone
    }
  }

  /// The nearest directory on the way to a path that exists, without links, and the names that are
  /// missing behind it; what is missing can't be in a `.mirror`. `nil` for a way that can't be
  /// gone: then nothing is opened there either.
  private static func resolve(
    _ path: String, in fileSystem: any FileSystem
  ) -> (there: String, missing: [Substring])? {
    var path = path
    var missing: [Substring] = []
    while true {
      do {
        return (try fileSystem.resolved(userPath: path), missing)
      } catch .absent where path != UserPath.parent(of: path) {
        missing = path.split(separator: "/").suffix(1) + missing
        path = UserPath.parent(of: path)
      } catch {
        return nil
      }
    }
  }

  /// Whether a directory of that name is a mirror's: any of its own files tells.
  private static func isControlFolder(_ path: String, in fileSystem: any FileSystem) -> Bool {
    ["marker", "index.sqlite", "lock"].contains { name in
      do throws(Errno) {
        _ = try Descriptor.open(
          userPath: "\(path)/\(name)", [.reading, .withoutWaiting], in: fileSystem)
        return true
      } catch {
        // What is there and can't be read is there.
        return error != .absent && error != .notADirectory
      }
    }
  }
}

package struct EnclosingMirror: Sendable {
  /// The path of its folder, without links.
  package let path: String
  /// The place, as a key would name it.
  package let place: ByteString
}

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
