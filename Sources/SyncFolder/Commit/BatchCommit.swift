internal import SyncLock
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

  /// How far a batch has come.
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
