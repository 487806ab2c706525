import SyncFiles

extension TreeEditor {
  /// What became of a staged file.
  enum Outcome {
    case placed
    /// A file with the same bytes stood there and was kept.
    case adopted(FileStamp)
  }

  /// Renames a staged file into its place.
  ///
  /// Nothing that isn't known to be ours and unchanged is ever written over: a file is moved away
  /// first, a directory is emptied first, and links and special files are left alone.
  func place(
    _ staged: Staged, from staging: Staging, at destination: Destination,
    expecting expectation: Expectation
  ) throws -> Outcome {
    let path: BeneathPath
    switch destination {
    case .item(let relative): path = BeneathPath(relative)
    case .preview(let name):
      try replacePreview(
        staged, from: staging, at: BeneathPath.previews.appending(plain: name))
      return .placed
    }
    let (directory, name) = (path.parent, path.name)
    try requireOwn(directory)
    var looks = expectation != .nothing
    for _ in 0..<Self.attempts {
      let parent = try makeDirectory(directory, clearing: true)
      do {
        let found = looks ? try parent.status(of: name) : nil
        looks = true
        if let outcome = try step(staged, staging, path, parent, found, expectation) {
          touched.insert(parent, at: directory)
          return outcome
        }
      } catch Errno.absent {
        // The directory was removed under us, or else the staged file was.
        try requirePresent(staged, in: staging)
        cache.forget()
      } catch let error as Errno {
        throw FolderError.making(error, path)
      }
    }
    throw FolderError(
      staging.takes(name, for: staged) ? .contested : .nameRefused, path.description)
  }

  // One attempt against what was found there; `nil` when there has to be another.
  private func step(
    _ staged: Staged, _ staging: Staging, _ path: BeneathPath, _ parent: Descriptor,
    _ found: FileStatus?, _ expectation: Expectation
  ) throws -> Outcome? {
    guard let found else {
      do {
        try staging.directory.rename(
          Array(staged.name.utf8), to: parent, path.name, .intoEmptyPlace)
        return .placed
      } catch .exists {
        return nil
      }
    }
    switch found.kind {
    case .file:
      if case .ours(let stamp) = expectation, stamp.matches(found) {
        try replace(stamp, at: path, in: parent, with: staged, from: staging)
        return .placed
      }
      if let adopted = try adopt(path, found, staged) {
        staging.discard(staged)
        return .adopted(adopted)
      }
      try moveAway(path, to: .displaced)
      return nil
    case .directory:
      try clearDirectory(path)
      return nil
    case .symbolicLink, .special:
      throw FolderError(.blocked, path.description)
    }
  }

  // The two change places in one step, and only then is the old file looked at for the last time
  // and removed: whatever somebody put there a moment ago is still in our hands and gets displaced.
  func replace(
    _ stamp: FileStamp, at path: BeneathPath, in parent: Descriptor, with staged: Staged,
    from staging: Staging
  ) throws {
    // Under a new name first: a download that can be resumed bears a name that must never stand
    // for the old bytes, not even if we die between the two steps.
    let area = staging.directory
    let given = Array(staged.name.utf8)
    let name = try Self.takeSwapName(given, of: path, in: area)
    do {
      try area.rename(name, to: parent, path.name, .exchanging)
    } catch {
      try? area.rename(name, to: area, given, .intoEmptyPlace)
      throw error
    }
    do {
      guard let old = try area.status(of: name) else { return }
      guard !stamp.matches(old) else {
        // Best effort: what stays behind is swept at the next start.
        try? area.unlink(name)
        return
      }
      _ = try moveAway(
        name: name, in: area, at: BeneathPath.staging, standingFor: path, to: .displaced)
    } catch {
      // What isn't ours must not stay in the staging area, which is swept.
      try? area.rename(name, to: parent, path.name, .exchanging)
      try? area.rename(name, to: area, given, .intoEmptyPlace)
      throw error
    }
  }

  private static func takeSwapName(
    _ given: [UInt8], of path: BeneathPath, in area: Descriptor
  ) throws(Errno) -> [UInt8] {
    let names = SwapName.candidates(for: path)
    for (number, name) in names.enumerated() {
      do {
        try area.rename(given, to: area, name, .intoEmptyPlace)
        return name
      } catch {
        // Gone, or a name that isn't taken here: the last one is taken everywhere.
        guard error.mayRefuseName, number + 1 < names.count else { throw error }
      }
    }
    preconditionFailure("there is always a name")
  }

  // The state of the file at `path` when its bytes are those of `staged`, and are on the disk.
  private func adopt(
    _ path: BeneathPath, _ found: FileStatus, _ staged: Staged
  ) throws -> FileStamp? {
    guard found.size == staged.size else { return nil }
    do {
      let file = try folder.open(path, [.reading, .withoutWaiting])
      let hashed = try folder.hash(path, opened: file)
      guard hashed.sha256 == staged.sha256 else { return nil }
      if case .nothing = staged.flushOwed {} else { try file.flush() }
      return hashed.stamp
    } catch let error as FolderError where error.code == .changedWhileRead {
      return nil
    }
  }

  private func replacePreview(
    _ staged: Staged, from staging: Staging, at path: BeneathPath
  ) throws {
    do {
      let parent = try makeDirectory(path.parent, clearing: false)
      try staging.directory.rename(Array(staged.name.utf8), to: parent, path.name, .replacing)
      touched.insert(parent, at: path.parent)
    } catch let error as Errno {
      try requirePresent(staged, in: staging)
      throw FolderError(error, path)
    }
  }

  private func requirePresent(_ staged: Staged, in staging: Staging) throws {
    let name = Array(staged.name.utf8)
    guard (try? staging.directory.status(of: name)) == nil else { return }
    throw FolderError(.stagedFileGone, BeneathPath.staging.appending(name).description)
  }
}
