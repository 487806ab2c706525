import SyncFiles
import SyncText

/// The write protocol: how a batch of checked files becomes part of the mirror.
///
/// The order, and why none of it may change:
/// 1. *The marker is checked.* A disk that was unmounted leaves its mount point behind, which must
///    not be filled.
/// 2. *The files' bytes are made durable.* A rename may reach the disk before the bytes of the file
///    that it renames; after a power cut the path would then hold an empty or torn file, and the
///    old one would be gone. A flush that failed is never tried again: the system has dropped the
///    pages by then and a second call would say that all is well. The flush of one file takes that
///    file with it; the one of the folder doesn't tell whose bytes were lost, and ends the run.
/// 3. *The index is told what is about to be placed*, by what tells each staged file from others.
///    A crash after this leaves files that are right but not recorded: the next run knows them for
///    ours, and nobody's file is ever taken for one of them.
/// 4. *The files are renamed into place*, each in one step, so that a path holds the old bytes or
///    the new ones, whole.
/// 5. *The directories are made durable.* Before that, a power cut may undo a rename.
/// 6. *The index records the files*, in one transaction. Being last, it never claims what isn't on
///    the disk.
struct BatchCommit<Payload: Sendable>: Sendable {
  let staging: Staging
  let name: String
  let endsPass: @Sendable (any Error) -> Bool
  let owner: @Sendable (ByteString) throws -> Ownership
  let announce: @Sendable ([Placement<Payload>]) throws -> Void
  let record: @Sendable ([Placed<Payload>]) throws -> Void

  private var folder: MirrorFolder { staging.folder }

  /// Commits a batch and gives what failed; with `fatal` given, everything does at once.
  func run(
    _ batch: [Placement<Payload>], after fatal: (any Error)?
  ) -> [PlacementFailure<Payload>] {
    var batch = Progress(waiting: batch, staging: staging)
    do {
      if let fatal { throw fatal }
      try folder.checkMarker()
      try makeBytesDurable(&batch)
      if !batch.waiting.isEmpty { try announce(batch.waiting) }
      let editor = TreeEditor(folder, batch: name, owner: owner)
      place(&batch, editor)
      guard !batch.placed.isEmpty else { return batch.failures }
      if staging.durability != .none { try editor.makeDurable() }
      try record(batch.placed)
    } catch {
      batch.failAll(error)
    }
    return batch.failures
  }

  private func makeBytesDurable(_ batch: inout Progress) throws {
    var owesSharedFlush = false
    batch.filterWaiting { placement throws(FolderError) in
      switch placement.staged.flushOwed {
      case .nothing: return
      case .sharedFlush: owesSharedFlush = true
      case .ownFlush(let held):
        do throws(Errno) { try held.descriptor.flush() } catch {
          throw FolderError.flush(error, placement.destination.description)
        }
      }
    }
    if owesSharedFlush { try folder.flushEverything() }
  }

  private func place(_ batch: inout Progress, _ editor: TreeEditor) {
    var fatal: (any Error)?
    batch.placeWaiting { placement in
      if let fatal { throw fatal }
      do {
        let outcome = try editor.place(
          placement.staged, from: staging, at: placement.destination,
          expecting: placement.expectation)
        defer { editor.movedAway = [] }
        switch outcome {
        case .placed: return (placement.staged.stamp, false, editor.movedAway)
        case .adopted(let stamp): return (stamp, true, editor.movedAway)
        }
      } catch let error where endsPass(error) {
        fatal = error
        throw error
      }
    }
  }

  struct Progress {
    private(set) var waiting: [Placement<Payload>]
    private(set) var placed: [Placed<Payload>] = []
    private(set) var failures: [PlacementFailure<Payload>] = []
    private let staging: Staging

    init(waiting: [Placement<Payload>], staging: Staging) {
      self.waiting = waiting
      self.staging = staging
    }

    /// Drops the waiting files for which `check` throws.
    mutating func filterWaiting(
      _ check: (Placement<Payload>) throws(FolderError) -> Void
    ) {
      waiting = waiting.filter { placement in
        do throws(FolderError) {
          try check(placement)
          return true
        } catch {
          drop(placement, error)
          return false
        }
      }
    }

    /// Moves each waiting file to the placed ones, or drops it when `place` throws.
    mutating func placeWaiting(
      _ place: (Placement<Payload>) throws -> (FileStamp, adopted: Bool, [MovedAway])
    ) {
      for placement in waiting {
        do {
          let (stamp, adopted, movedAway) = try place(placement)
          placed.append(
            Placed(
              payload: placement.payload, destination: placement.destination, stamp: stamp,
              adopted: adopted, movedAway: movedAway))
        } catch {
          drop(placement, error)
        }
      }
      waiting = []
    }

    /// Everything that is waiting or placed has failed; what is placed stays where it is.
    mutating func failAll(_ error: any Error) {
      failures += placed.map { PlacementFailure(payload: $0.payload, error: error) }
      placed = []
      for placement in waiting { drop(placement, error) }
      waiting = []
    }

    private mutating func drop(_ placement: Placement<Payload>, _ error: any Error) {
      staging.discard(placement.staged)
      failures.append(PlacementFailure(payload: placement.payload, error: error))
    }
  }
}

extension TreeEditor {
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
    let name = try SwapName.take(by: given, of: path, in: area)
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

  // The state of the file at `path` when its bytes are those of `staged`, and are on the disk.
  private func adopt(
    _ path: BeneathPath, _ found: FileStatus, _ staged: Staged
  ) throws -> FileStamp? {
    guard found.size == staged.size, let (file, hashed) = try folder.read(path),
      hashed.sha256 == staged.sha256
    else { return nil }
    if case .nothing = staged.flushOwed {} else { try file.flush() }
    return hashed.stamp
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
