import SyncFiles
import SyncFolder
import SyncLock
import SyncText
import SyncTransport

/// What is kept of it for the next run.
extension PartedBody {
  /// Takes up what an earlier run left of the same version from the same locator: its parts, or its
  /// beginning where it came as one. At least the last byte is asked for anew, so that there is an
  /// answer to hold it against.
  func takeUp() async throws {
    guard let slot, let record = transfer.part(of: target, from: locator) else { return }
    guard record.whole ?? size == size, let validator = StrongValidator(stored: record.validator),
      let file = try await resume(record)
    else {
      try await transfer.fileQueue.run { [partials = transfer.partials] in
        partials.remove(slot)
      }
      return
    }
    state.withLock { state in
      (state.file, state.carried) = (file, file.written.count)
      state.origin = StagingSink.Origin(
        validator: validator, address: .digest(record.place), whole: record.whole)
      state.nextNote = state.carried + Self.step
    }
    // Before anything is written behind a gap: until now the length told what is there.
    guard record.parts == nil, let record = self.record(of: file) else { return }
    let keeper = makeKeeper(slot)
    try await transfer.fileQueue.run { try keeper.close(record, of: file.file) }
  }

  private func resume(_ record: PartialRecord) async throws -> StagedParts? {
    let (staging, size, algorithms) = (transfer.staging, size, target.algorithms)
    let known = (record.parts ?? ByteRanges(0..<size)).clamped(to: 0..<size - 1)
    do {
      let file = try await transfer.fileQueue.runStoppably { stop in
        try staging.resumeParts(
          name: record.file, inode: record.inode, size: size, of: known, hashedBy: algorithms,
          until: stop)
      }
      guard let file, !file.written.isEmpty else { return nil }
      return file
    } catch let error as CancellationError {
      throw error
    } catch {
      return nil  // what can't be read is fetched
    }
  }

  /// The transfer failed: what is worth it is kept for the next run, the rest removed.
  /// - Returns: the error to tell: what the disk has failed with goes before one of the network's.
  func letGo(after error: any Error) async -> any Error {
    let isFull = state.withLock { $0.file }?.failure?.code == .full
    let isKept = error is CancellationError || error is TransportError || isFull
    do {
      guard isKept else { throw error }
      try await transfer.fileQueue.run { try self.keep() }
      return error
    } catch let failure {
      let isOfRoom = (failure as? FolderError)?.code == .full
      if !isKept || !isOfRoom { await discard() }
      return error is TransportError ? failure : error
    }
  }

  /// - Throws: what the disk has failed with. Where it was full, what is there is kept all the
  ///   same.
  private func keep() throws {
    guard let file = state.withLock({ $0.file }) else { return }
    do {
      try file.settle()
    } catch let error as FolderError where error.code == .full {
      // It says nothing against what is there.
      keep(file)
      throw error
    }
    keep(file)
  }

  private func keep(_ file: StagedParts) {
    let (carried, known) = state.withLock { ($0.carried, $0.keeper) }
    guard let slot, carried > 0 || file.written.count >= PartialFiles.worthKeeping,
      let record = record(of: file)
    else {
      _ = remove()
      return
    }
    let keeper = known ?? makeKeeper(slot)
    // One that can't be written leaves what the old one says.
    if file.written.count > carried { try? keeper.close(record, of: file.file) }
    keeper.abandon()
    file.suspend()
    state.withLock { $0.file = nil }
  }

  private func discard() async {
    _ = try? await transfer.fileQueue.run { _ = self.remove() }
  }

  /// Lets go of the file, all of which comes once more. Blocks.
  func takeBack() {
    let old = remove()
    tellProgress(done: -old.came, total: old.announced)
  }

  /// Lets go of the file and of what is remembered of it, and says what there was.
  private func remove() -> State {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    old.keeper?.abandon()
    old.file?.discard()
    if let slot { transfer.partials.remove(slot) }
    return old
  }

  var slot: String? { target.identity?.slot }

  func record(of file: StagedParts) -> PartialRecord? {
    guard let origin = state.withLock({ $0.origin }) else { return nil }
    let written = file.written
    return PartialRecord(
      file: file.name, inode: file.inode, locator: SHA256Digest(of: locator.utf8).description,
      place: origin.address.digest, validator: origin.validator.text, whole: size,
      flushed: written.prefix, savedAt: 0, parts: written)
  }

  func makeKeeper(_ slot: String) -> PartialKeeper {
    PartialKeeper(transfer.partials, slot: slot, flushes: false, queue: transfer.flushQueue)
  }
}
