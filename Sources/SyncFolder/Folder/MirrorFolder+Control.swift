package import SyncFiles
import SyncLock

extension BeneathPath {
  /// The hidden folder that holds what isn't mirrored.
  package static let control = BeneathPath.root.appending(".mirror")
  /// Where downloads are written before they are checked.
  static let staging = control.appending("staging")
  static let previews = control.appending("previews")

  package init(_ path: RelativePath) {
    self.init(checked: path.bytes)
  }

  /// What stands under a name that we made up ourselves: letters, digits, `-`, `_` and `.`, not
  /// beginning with a dot, 200 bytes at most. Anything else is refused.
  func appending(plain name: String) throws -> BeneathPath {
    let path = appending(name)
    guard (1...200).contains(name.utf8.count), name.utf8.allSatisfy(Self.plain.contains),
      !name.hasPrefix(".")
    else { throw FolderError(.failed, path.description, reason: "not a plain name") }
    return path
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.".utf8)
}

/// Where files go that are moved out of the tree.
package enum AwayArea: String, Hashable, Sendable {
  /// Files of ours that the catalog no longer has; emptied after a time.
  case quarantine
  /// Files of somebody's; never emptied.
  case displaced

  var path: BeneathPath { .control.appending(rawValue) }
}

/// Keeps the tree apart from `.mirror`, by what is opened and not by its name.
///
/// File systems hold many names for one: by case, by Unicode form, by the short names of old
/// (`MIRROR~1`), by dots and blanks that they drop. No list of such rules would ever be complete.
extension MirrorFolder {
  /// Makes sure that a path of the tree doesn't lead into `.mirror`: the first name of the path is
  /// opened and compared, once for each name. A name under which nothing stands passes.
  /// - Throws: ``Errno/controlFolder``.
  func requireTree(_ path: BeneathPath) throws(Errno) {
    let top = path.top
    guard top != .control, !treeNames.withLock({ $0.contains(top) }) else { return }
    let directory: Descriptor
    do {
      directory = try resolver.open(top.bytes, beneath: root, [.reading, .directory])
    } catch  where error.meansNoWay {
      return  // no directory, so not ours; whoever opens the path is told what it is
    }
    try requireTree(top, opened: directory)
  }

  /// As ``requireTree(_:)``, of a first name that was just opened as a directory.
  func requireTree(_ top: BeneathPath, opened directory: Descriptor) throws(Errno) {
    guard top != .control else { return }
    if try isControl(directory) { throw .controlFolder }
    treeNames.withLock { _ = $0.insert(top) }
  }

  private func isControl(_ directory: Descriptor) throws(Errno) -> Bool {
    guard let own = try root.status(of: BeneathPath.control.bytes) else { return false }
    let status = try directory.status()
    if status.device == own.device, status.inode == own.inode { return true }
    // Where a file system gives each name a number of its own (many that FUSE serves do), only what
    // is in the directory tells: nothing else holds our random id.
    guard let id else { return false }
    do {
      let marker = try directory.open(name: FolderMarker.name, [.reading, .withoutWaiting])
      return FolderID(marker: try marker.readStart(limit: 256)) == id
    } catch  where !error.mayPass {
      return false  // nothing, or nothing that can be read as a file
    }
  }
}

extension Errno {
  /// Whether another moment may bring another answer, so that this one tells nothing.
  fileprivate var mayPass: Bool {
    [.tooManyOpenFiles, .tooManyOpenFilesOnSystem, .inputOutput, .again].contains(self)
  }
}
