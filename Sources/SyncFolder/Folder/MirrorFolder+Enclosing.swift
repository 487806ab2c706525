package import SyncFiles
import SyncText

extension MirrorFolder {
  /// Makes sure that a path, which needn't exist, doesn't lead into the `.mirror` of a mirror,
  /// whatever links it goes through: what lies there is that mirror's, and some of it is removed
  /// in time.
  /// - Throws: ``FolderError/Code/insideMirror(of:)``.
  package static func requireOutsideMirrors(
    _ path: String, in fileSystem: any FileSystem = SystemFileSystem()
  ) throws(FolderError) {
    guard let resolved = resolve(UserPath.plain(path), in: fileSystem) else { return }
    var above = ""
    for name in resolved.split(separator: "/") {
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

  /// Whether a directory of the tree is the folder of another mirror.
  func holdsMirror(_ directory: Descriptor) throws(Errno) -> Bool {
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

  /// The nearest directory on the way to a path that exists, without links; what is missing can't
  /// be in a mirror. `nil` for a way that can't be gone: then nothing is opened there either.
  private static func resolve(_ path: String, in fileSystem: any FileSystem) -> String? {
    var path = path
    while true {
      do {
        return try fileSystem.resolved(userPath: path)
      } catch .absent where path != UserPath.parent(of: path) {
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
