import Foundation
import TestSupport

/// What somebody puts where a file or a directory of the mirror has to be.
enum Planted: CaseIterable {
  case linkToDirectory
  case linkToFile
  case danglingLink
  case fifo
  case socket
  case device
  case directory
  case file

  /// Whether the mirror may move it away: no link, no special file.
  var mayBeMoved: Bool { self == .directory || self == .file }

  /// Puts it at `place`, in place of what is there; links lead to the canary.
  func plant(at place: URL, canary: URL) throws {
    let files = FileManager.default
    try? files.removeItem(at: place)
    try makeFolder(at: place.deletingLastPathComponent())
    let status: Int32
    switch self {
    case .linkToDirectory: status = symlink(canary.path, place.path)
    case .linkToFile: status = symlink(canary.appending(path: "bird").path, place.path)
    case .danglingLink: status = symlink(canary.appending(path: "nothing").path, place.path)
    case .fifo: status = mkfifo(place.path, 0o644)
    case .socket: status = mknod(place.path, S_IFSOCK | 0o644, 0)
    case .device: status = mknod(place.path, S_IFCHR | 0o644, Self.null)
    case .directory:
      try makeFolder(at: place)
      try Data("foreign".utf8).write(to: place.appending(path: "foreign"))
      status = 0
    case .file:
      try Data("foreign".utf8).write(to: place)
      status = 0
    }
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  /// The number of /dev/null.
  private static let null: dev_t = 1 << 8 | 3
}
