import SyncLock
import SyncTransport
import SyncFolder
import SyncText
import SyncFetching
import SyncFiles

/// What was cut is kept, for the next attempt and the next run.
extension StagingSink {
  /// The rest that is to be asked for; `nil` when the whole is.
  func rest() -> ByteRequest.Rest? {
    state.withLock { state in
      guard state.joinsParts, let origin = state.origin, state.count > 0 else { return nil }
      state.hasAskedForRest = true
      state.partEnd = nil
      return ByteRequest.Rest(offset: state.count, validator: origin.validator)
    }
  }

  var hasAskedForRest: Bool { state.withLock { $0.hasAskedForRest } }

  /// Lets go of what is held and asks for wholes only from now on.
  func joinNoMore() {
    changing { state in
      takeBack(&state)
      state.joinsParts = false
    }
  }

  func discard() {
    state.withLock { state in
      forget(&state)
      state.file = nil  // which removes it
    }
  }

  /// As ``discard()``, from a task: not on its thread, unless it takes no time.
  func discardAside() async {
    if isSmall { return discard() }
    _ = try? await transfer.fileQueue.run { self.discard() }
  }

  /// Takes up what an earlier run left of the same version from the same locator.
  ///
  /// How much of it counts: all where the catalog declares a digest, which tells wrong bytes in the
  /// end; otherwise only what is known to have been flushed. At least the last byte is asked for
  /// anew, so that there is an answer to hold it against.
  func takeUp() async throws {
    guard state.withLock({ $0.joinsParts }), let slot,
      let record = transfer.part(of: target, from: locator)
    else { return }
    // Of several parts, the beginning.
    let most = min((target.size ?? record.whole ?? .max) - 1, record.parts?.prefix ?? .max)
    let known = !target.isProven ? min(record.flushed, most) : most
    let lengths = (!target.isProven ? known : min(1, most))...known
    guard lengths.lowerBound > 0, let validator = StrongValidator(stored: record.validator),
      let file = try await resume(record, lengths)
    else {
      try await transfer.fileQueue.run { [partials = transfer.partials] in
        partials.remove(slot)
      }
      return
    }
    state.withLock { state in
      state.file = file
      state.carried = file.count
      state.origin = Origin(
        validator: validator, address: .digest(record.place), whole: record.whole)
      state.keeper = makeKeeper(slot)
      state.nextNote = !target.isProven ? file.count + PartialKeeper.step : .max
      // From now on its length tells what is there.
      if record.parts != nil { state.nextNote = file.count }
    }
  }

  private func resume(
    _ record: PartialRecord, _ lengths: ClosedRange<Int64>
  ) async throws -> StagedFile? {
    do {
      let (staging, algorithms) = (transfer.staging, target.algorithms)
      return try await transfer.fileQueue.runStoppably { stop in
        try staging.resume(
          name: record.file, inode: record.inode, lengths: lengths, hashedBy: algorithms,
          until: stop)
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      return nil  // what can't be read is fetched
    }
  }

  /// The transfer failed: what is worth it is kept for the next run, the rest removed.
  /// - Returns: the error to tell: what the disk has failed with meanwhile goes before an error of
  ///   the network's.
  func letGo(after error: any Error) async -> any Error {
    guard error is CancellationError || error is TransportError else {
      await discardAside()
      return error
    }
    guard let (file, keeper, record) = state.withLock({ kept(&$0) }) else {
      let failure = state.withLock { $0.file?.failure }
      await discardAside()
      return error is TransportError ? failure ?? error : error
    }
    do {
      try await transfer.fileQueue.run {
        try file.settle()
        // One that can't be flushed has no new record, and only what the old one says counts.
        if let descriptor = file.file, let record { try? keeper.close(record, of: descriptor) }
      }
    } catch let failure {
      keeper.abandon()
      _ = try? await transfer.fileQueue.run { file.discard() }
      return error is TransportError ? failure : error
    }
    keeper.abandon()
    file.suspend()
    return error
  }

  /// Takes out what is to be kept, with a record where the last one doesn't say it all.
  private func kept(_ state: inout State) -> (StagedFile, PartialKeeper, PartialRecord?)? {
    guard let file = state.file,
      file.count >= PartialFiles.worthKeeping || state.carried > 0,
      let record = record(state, flushed: file.count), let identity = target.identity
    else { return nil }
    let keeper = state.keeper ?? makeKeeper(identity.slot)
    (state.file, state.keeper) = (nil, nil)
    return (file, keeper, file.count > state.carried ? record : nil)
  }

  /// What the keeper is to be told of how far the file has come, outside the lock.
  func noteGrowth(
    _ state: inout State
  ) -> (keeper: PartialKeeper, record: PartialRecord, file: Descriptor)? {
    guard let record = record(state, flushed: state.file?.settledCount ?? 0),
      let identity = target.identity,
      let file = state.file?.file
    else {
      state.nextNote = .max
      return nil
    }
    let keeper = state.keeper ?? makeKeeper(identity.slot)
    state.keeper = keeper
    // With a digest, the record says everything from its beginning.
    state.nextNote = !target.isProven ? state.count + PartialKeeper.step : .max
    return (keeper, record, file)
  }

  /// As ``forget(_:)``; what came of it comes once more.
  func takeBack(_ state: inout State) {
    state.untold.done -= state.count - state.carried
    state.untold.total += state.announced
    forget(&state)
  }

  /// Lets go of what is known of the file; one that a record speaks of goes altogether.
  private func forget(_ state: inout State) {
    if let keeper = state.keeper {
      keeper.abandon()
      if let slot { transfer.partials.remove(slot) }
      state.file = nil  // which removes it
    }
    state.keeper = nil
    state.origin = nil
    state.partEnd = nil
    (state.carried, state.announced) = (0, 0)
    state.nextNote = PartialFiles.worthKeeping
  }

  private func record(_ state: State, flushed: Int64) -> PartialRecord? {
    guard state.joinsParts, let origin = state.origin, let file = state.file,
      let inode = try? file.file?.status().inode
    else { return nil }
    return PartialRecord(
      file: file.name, inode: inode, locator: SHA256Digest(of: locator.utf8).description,
      place: origin.address.digest, validator: origin.validator.text, whole: origin.whole,
      flushed: flushed, savedAt: 0,
      comesWhole: transfer.streams.isPartless(locator) ? true : nil)
  }

  private func makeKeeper(_ slot: String) -> PartialKeeper {
    PartialKeeper(
      transfer.partials, slot: slot, flushes: !target.isProven, queue: transfer.flushQueue)
  }
}
