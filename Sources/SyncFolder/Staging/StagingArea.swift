import SyncFiles
import SyncLock

/// A directory in which files are staged: the staging area itself, or one below it.
struct StagingArea: Sendable {
  let path: BeneathPath
  let directory: Descriptor
}

/// Directories below the staging area, among which a run with many files shares them out.
///
/// A file system reads a small directory from end to end for each name that it adds or takes out,
/// and lets one thread at a time do so. (10,000 files of 4 KiB on ext4, written by two threads and
/// renamed by a third: 41 µs of processor time a file in one directory, 34 µs in four.)
final class StagingAreas: Sendable {
  private let top: StagingArea
  private let opened = Locked([StagingArea?](repeating: nil, count: count))

  private static let count = 4
  /// Up to so many files, one directory will do.
  private static let worthSharing = 8

  init(_ top: StagingArea) {
    self.top = top
  }

  /// Where the run's file with this number is staged; made where it is missing.
  func area(forFile number: Int) throws(Errno) -> StagingArea {
    guard number > Self.worthSharing else { return top }
    let place = number % Self.count
    let area = opened.withLock { opened in
      Result { () throws(Errno) -> StagingArea in
        if let area = opened[place] { return area }
        let area = try open(Array("many-\(place)".utf8))
        opened[place] = area
        return area
      }
    }
    return try area.get()
  }

  private func open(_ name: [UInt8]) throws(Errno) -> StagingArea {
    do { try top.directory.makeDirectory(name, mode: 0o700) } catch .exists {}
    let directory = try top.directory.open(
      name: name, [.reading, .directory])
    return StagingArea(path: top.path.appending(name), directory: directory)
  }

  /// Removes those that are empty.
  func removeEmpty() {
    let areas = opened.withLock { opened in
      defer { opened = opened.map { _ in nil } }
      return opened
    }
    // Best effort: what stays behind is swept at the next start.
    for area in areas { if let area { try? top.directory.removeDirectory(area.path.name) } }
  }
}
