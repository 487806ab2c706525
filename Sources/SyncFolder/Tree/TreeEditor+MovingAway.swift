package import SyncFiles
package import SyncText

extension TreeEditor {
  /// Moves whatever stands at `path` (no directory) out of the tree: what is ours and unchanged
  /// into the quarantine, anything else to the displaced files. Nothing happens when it is gone.
  func moveAway(_ path: BeneathPath) throws {
    guard try status(path) != nil else { return }
    try moveAway(path, of: try owner(ByteString(bytes: path.bytes)))
  }

  private func moveAway(_ path: BeneathPath, of owner: Ownership) throws {
    guard let status = try status(path) else { return }
    var area = AwayArea.displaced
    if case .ours(let stamp) = owner, stamp.matches(status) { area = .quarantine }
    try moveAway(path, to: area)
  }

  /// Moves what stands at `path` (no directory) to `area`, and says where it is now; `nil` when it
  /// was gone.
  @discardableResult
  func moveAway(_ path: BeneathPath, to area: AwayArea) throws -> MovedAway? {
    let directory: Descriptor
    do {
      directory = try cache.directory(path.parent)
    } catch  where error.meansNoWay {
      return nil
    } catch { throw FolderError(error, path) }
    return try moveAway(
      name: path.name, in: directory, at: path.parent, standingFor: path, to: area)
  }

  /// Moves `name` of an open directory to where `path` belongs in `area`.
  ///
  /// Names are kept as they are: when the place is taken, the batch gets a number.
  func moveAway(
    name: [UInt8], in directory: Descriptor, at directoryPath: BeneathPath,
    standingFor path: BeneathPath, to area: AwayArea
  ) throws -> MovedAway? {
    // First, so that what stands in the area's own place is named.
    _ = try makeDirectory(area.path, clearing: false)
    for number in 1...1_000 {
      let place = BeneathPath.root.appending(number == 1 ? batch : "\(batch).\(number)")
        .appending(path)
      let target = area.path.appending(place)
      do {
        let parent = try makeDirectory(target.parent, clearing: false)
        try directory.rename(name, to: parent, target.name, .intoEmptyPlace)
        touched.insert(directory, at: directoryPath)
        touched.insert(parent, at: target.parent)
      } catch let error as FolderError where error.code == .blocked {
        continue
      } catch Errno.exists {
        continue
      } catch Errno.absent {
        return nil
      } catch let error as Errno {
        throw FolderError(error, path)
      }
      let moved = MovedAway(key: ByteString(bytes: path.bytes), area: area, name: place.bytes)
      movedAway.append(moved)
      return moved
    }
    throw FolderError(.contested, path.description)
  }

  /// Empties the directory at `path`, file by file as ``moveAway(_:)`` has it, and removes it.
  /// Nothing is moved before it is known of every file that it may go.
  ///
  /// Somebody who puts something in meanwhile keeps it: the directory then stays.
  func clearDirectory(_ path: BeneathPath) throws {
    // Another mirror may stand there, or deeper.
    try requireOwn(path)
    var directories = [path]
    var files: [(path: BeneathPath, owner: Ownership)] = []
    try folder.walk(path) { child, kind in
      guard kind == .directory else {
        files.append((child, try owner(ByteString(bytes: child.bytes))))
        return .skip
      }
      try requireOwn(child)
      directories.append(child)
      return .enter
    } unreadable: { child, errno in
      guard errno == .absent else { throw FolderError(errno, child) }
    }
    for file in files { try moveAway(file.path, of: file.owner) }
    for directory in directories.reversed() where try !removeIfEmpty(directory) { return }
  }

  /// Removes `path` and the directories above it that are empty now, up to the folder.
  func removeEmptyDirectories(upFrom path: BeneathPath) throws {
    var directory = path
    while !directory.isRoot, try removeIfEmpty(directory) { directory = directory.parent }
  }

  // Whether it is gone.
  private func removeIfEmpty(_ path: BeneathPath) throws -> Bool {
    do {
      let parent = try cache.directory(path.parent)
      try parent.removeDirectory(path.name)
      touched.forget(path)
      touched.insert(parent, at: path.parent)
      // A removed directory must not be found again under its path.
      cache.forget()
      return true
    } catch .absent {
      return true
    } catch {
      // Not empty, no directory any more, a mount point, no rights: then it stays.
      return false
    }
  }
}

/// A file that was moved out of the tree.
package struct MovedAway: Equatable, Sendable {
  /// The bytes of the path where it was.
  package let key: ByteString
  /// Which of the two it went to.
  package let area: AwayArea
  /// The bytes of its path below the area's directory; begins with the batch.
  package let name: [UInt8]
}

package enum Ownership: Sendable {
  case foreign
  /// Ours, if it is still in this state; edited, it is somebody's.
  case ours(FileStamp)
}
