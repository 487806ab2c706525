import SyncLock
package import SyncFiles

/// Keeps the record of one partial file true while the file grows.
///
/// After a power cut a file may have its length and not its bytes. So a record says how much of the
/// file was flushed, and is written after the flush, in the background and whatever ``Durability``
/// is asked for. Where a digest will tell right bytes from wrong ones in the end, nothing is
/// flushed for the record.
package final class PartialKeeper: Sendable {
  /// How many more bytes call for a new record, where one is flushed for.
  package static let step: Int64 = 8 << 20

  private struct State {
    /// What waits to be written. Not held by the work on the queue, which may come late: a file
    /// that is finished or given up on is let go of at once.
    var waiting: (record: PartialRecord, file: Descriptor)?
    var isOver = false
  }

  private let partials: PartialFiles
  private let slot: String
  private let flushes: Bool
  private let queue: any DiskQueue
  private let state = Locked(State())
  /// Held while a record is written, the flush before it included, and so only ever waited for on
  /// a queue; the flush that failed.
  private let writing = Locked<FolderError?>(nil)

  /// A keeper of the file of a slot, which works on `queue`.
  package init(_ partials: PartialFiles, slot: String, flushes: Bool, queue: any DiskQueue) {
    self.partials = partials
    self.slot = slot
    self.flushes = flushes
    self.queue = queue
  }

  /// The file has grown to `record.flushed` bytes. Returns at once; left out while another record
  /// waits to be written.
  package func note(_ record: PartialRecord, of file: Descriptor) {
    let isFree = state.withLock { state in
      guard state.waiting == nil, !state.isOver else { return false }
      state.waiting = (record, file)
      return true
    }
    guard isFree else { return }
    queue.enqueue {
      self.writing.withLock { failure in
        let waiting = self.state.withLock { state in
          defer { state.waiting = nil }
          return state.waiting
        }
        if let waiting { self.write(waiting.record, of: waiting.file, &failure) }
      }
    }
  }

  /// The file is left at `record.flushed` bytes, to be gone on with. Blocks.
  package func close(_ record: PartialRecord, of file: Descriptor) throws {
    try writing.withLock { failure in
      write(record, of: file, &failure)
      abandon()  // an older record that waits mustn't take the place of this one
      if let failure { throw failure }
    }
  }

  /// No more records; waits for one that is being written. Blocks.
  /// - Throws: a flush that failed, after which the file mustn't be used: the system tells of lost
  ///   pages only once.
  package func end() throws {
    try writing.withLock { failure in
      abandon()
      if let failure { throw failure }
    }
  }

  /// No more records of a file that isn't wanted. Returns at once; one that is being written goes
  /// when it is.
  package func abandon() {
    state.withLock { $0 = State(isOver: true) }
  }

  /// Called under ``writing``.
  private func write(
    _ record: PartialRecord, of file: Descriptor, _ failure: inout FolderError?
  ) {
    guard !state.withLock({ $0.isOver }) else { return }
    do throws(Errno) {
      if flushes { try file.flush() }
    } catch {
      failure = .flush(error, BeneathPath.staging.description)
      return abandon()
    }
    partials.save(record, under: slot, unless: { self.state.withLock { $0.isOver } })
  }
}
