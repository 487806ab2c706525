internal import SyncLock
package import SyncFiles
import SyncText

/// The right to work on a folder: one mirror at a time, over all processes.
///
/// The lock is flock(2) on `.mirror/lock`: it dies with its process, however that ends, and no
/// child process inherits it. The file says who holds it, for the others to read.
package final class FolderLock: Sendable {
  private let file: Locked<Descriptor?>
  /// Where the file goes that is of no use to anybody once the lock is given back.
  private let place: (directory: Descriptor, name: [UInt8])?

  /// What the others are told of who holds it; `nil` for a lock for looking.
  package let holder: LockHolder?

  private init(
    _ file: Descriptor?, heldBy holder: LockHolder?,
    _ place: (directory: Descriptor, name: [UInt8])? = nil
  ) {
    self.file = Locked(file)
    self.holder = holder
    self.place = place
  }

  deinit { release() }

  /// Takes the lock, or throws ``FolderError/Code/locked(by:)`` at once.
  ///
  /// `now` is in seconds since 1970 and tells others since when the lock is held.
  package static func acquire(in folder: MirrorFolder, now: Double) throws -> FolderLock {
    let path = BeneathPath.control.appending("lock")
    do {
      let file = try folder.open(
        path, [.writing, .creating, .withoutWaiting], mode: 0o644)
      try requireFile(file, path.description)
      try take(file, shared: false, folder.path)
      let holder = holder(now)
      try note(holder, in: file)
      return FolderLock(file, heldBy: holder)
    } catch let error as Errno {
      throw FolderError(error, path)
    }
  }

  /// Takes the lock of something else than a folder: a file of this name in an open directory,
  /// which goes with the lock. `path` is what others are told to be in use.
  ///
  /// - Throws: ``FolderError``, or `Errno`.
  package static func acquire(
    _ name: [UInt8], in directory: Descriptor, for path: String, now: Double
  ) throws -> FolderLock {
    while true {
      let file = try open(name, in: directory)
      try requireFile(file, path)
      try take(file, shared: false, path)
      // Whoever held it may have taken the file away meanwhile; then it keeps nobody out.
      guard try directory.status(of: name)?.inode == file.status().inode else { continue }
      let holder = holder(now)
      try? note(holder, in: file)
      return FolderLock(file, heldBy: holder, (directory, name))
    }
  }

  private static func open(_ name: [UInt8], in directory: Descriptor) throws(Errno) -> Descriptor {
    do {
      return try directory.open(
        name: name, [.writing, .creating, .withoutWaiting], mode: 0o666)
    } catch .noRights {
      do {
        // Another user's, who made it; it can be locked, and doesn't say by whom.
        return try directory.open(name: name, [.reading, .withoutWaiting])
      } catch .absent {
        throw .noRights  // nobody has made it, and this user may not
      }
    }
  }

  private static func holder(_ now: Double) -> LockHolder {
    LockHolder(process: Descriptor.currentProcess, since: UTCStamp.text(now))
  }

  private static func note(_ holder: LockHolder, in file: Descriptor) throws(Errno) {
    try file.truncate()
    try file.write(Array("pid \(holder.process)\nsince \(holder.since)\n".utf8))
  }

  /// Takes a lock that only keeps runs away, for looking at the folder; makes nothing.
  ///
  /// Where no run has ever been, there is nothing to lock.
  package static func acquireForLooking(in folder: MirrorFolder) throws -> FolderLock {
    let path = BeneathPath.control.appending("lock")
    do {
      let file = try folder.open(path, [.reading, .withoutWaiting])
      try requireFile(file, path.description)
      try take(file, shared: true, folder.path)
      return FolderLock(file, heldBy: nil)
    } catch Errno.absent {
      return FolderLock(nil, heldBy: nil)
    } catch let error as Errno {
      throw FolderError(error, path)
    }
  }

  /// Takes a lock as soon as nobody else holds it, trying again every `interval`.
  ///
  /// Not a blocking call on a thread of its own: such a call can't be ended without a signal
  /// handler, so a caller that gave up would leave a thread behind that still takes the lock, if
  /// only for a moment, when its turn comes. Cancellation ends the wait at once.
  ///
  /// - Parameter onWait: Told who holds the lock, where that is known: before the first wait, and
  ///   whenever another one has it.
  package static func wait(
    every interval: Duration = .milliseconds(100), clock: some Clock<Duration> = ContinuousClock(),
    onWait: (LockHolder?) -> Void = { _ in }, toTake acquire: () throws -> FolderLock
  ) async throws -> FolderLock {
    var told: LockHolder??
    while true {
      do {
        return try acquire()
      } catch let error as FolderError {
        guard case .locked(let holder) = error.code else { throw error }
        if told != .some(holder) { onWait(holder) }
        told = .some(holder)
        try await clock.sleep(for: interval)
      }
    }
  }

  /// Gives the lock back; letting go of the value does the same.
  package func release() {
    file.withLock { file in
      // Nobody who only looks is to be taken for this process later on.
      if holder != nil { try? file?.truncate() }
      if let place, file != nil { try? place.directory.unlink(place.name) }
      file = nil
    }
  }

  private static func requireFile(_ file: Descriptor, _ path: String) throws {
    guard try file.status().kind == .file else { throw FolderError(.blocked, path) }
  }

  private static func take(_ file: Descriptor, shared: Bool, _ path: String) throws {
    do {
      try file.lock(shared: shared)
      // Without these, the index would seem to be held by another program.
      try file.checkRecordLocks()
    } catch .wouldBlock {
      throw FolderError(.locked(by: holder(in: file)), ByteString.escape(path))
    } catch  where error.meansNoLocks {
      throw FolderError(.withoutLocks, ByteString.escape(path), reason: error.text)
    }
  }

  // `nil` when the holder hasn't written its name yet, or only looks.
  private static func holder(in file: Descriptor) -> LockHolder? {
    guard let bytes = try? file.readStart(limit: 128) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.count == 2, lines[0].hasPrefix("pid "), lines[1].hasPrefix("since "),
      let process = Int32(lines[0].dropFirst(4)),
      UTCStamp.seconds(String(lines[1].dropFirst(6))) != nil
    else { return nil }
    return LockHolder(process: process, since: String(lines[1].dropFirst(6)))
  }
}

extension Errno {
  /// Whether a lock call says by it that the file system has no locks, rather than that somebody
  /// holds one.
  var meansNoLocks: Bool {
    [.noLocks, .notSupported, .noSuchCall, .invalid].contains(self)
  }
}
