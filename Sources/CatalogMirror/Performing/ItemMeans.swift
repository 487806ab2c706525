import SyncFiles
import SyncFolder
import SyncText

/// How bytes come that are to be had: by the first of these means that gives them.
///
/// 1. A file at the item's place that is the item's already is adopted, or confirmed where it is
///    held: ``RunContext``.
/// 2. What an earlier run fetched a part of is gone on with: ``ItemTransfer``.
/// 3. Bytes that are here, under another key or in quarantine, are copied: ``Staging``. Of an empty
///    file there is nothing to copy.
/// 4. They come in a pack, together with others: ``PackStreams``.
/// 5. They are fetched from their own addresses: ``ItemTransfer``.
struct ItemMeans: Sendable {
  let context: RunContext
  let transfer: ItemTransfer
  let packs: PackedFiles
  /// What comes last under several names.
  let shared: SharedBytes

  /// What became of an item's content or preview.
  enum Outcome: Sendable {
    case adopted(IndexedContent)
    /// What is held was read, and has the very digests that the catalog gives by now.
    case proven
    /// Made of bytes that were here: of these, or of none where it is empty.
    case made(Staged, of: HeldBytes?)
    /// It came in a pack.
    case unpacked(Staged)
    case arrived(Arrival)
  }

  private var observer: MirrorObserver { context.observer }

  /// An item's content.
  func content(of item: MirrorItem, _ wanted: ContentFetch) async throws -> Outcome {
    if wanted.mayBeThere,
      let found = try await context.adoptable(wanted.entry, isKnown: wanted.held != nil)
    {
      return .adopted(found)
    }
    if let held = wanted.mayBeInPlace,
      try await context.isInPlace(wanted.entry, held, in: context.session.folder)
    {
      return .proven
    }
    var target = ItemTransfer.Target(of: wanted)
    target.piece = packs.content(of: wanted.entry.listed)
    guard wanted.comesLast, let sha256 = target.sha256 else {
      return try await bytes(of: item, target, copying: wanted.heldBytes)
    }
    return try await bytes(of: item, target, copying: wanted.heldBytes, sharing: sha256)
  }

  /// What is to be checked and staged; a partial file of it comes before a copy.
  func bytes(
    of item: MirrorItem, _ target: ItemTransfer.Target, copying held: HeldBytes?
  ) async throws -> Outcome {
    if transfer.hasPart(of: target) {
      target.piece?.release()
      return .arrived(try await fetch(item, target))
    }
    if let made = try await make(target, of: held, for: item) {
      target.piece?.release()
      return made
    }
    var target = target
    switch try await target.piece?.wait() {
    case .staged(let staged)?:
      // Whatever was believed of the pack, nothing is placed that isn't the item's.
      if let staged = target.checked(staged, in: transfer.staging) { return .unpacked(staged) }
      target.passesCaches = true
    case .ownPastCaches?: target.passesCaches = true
    case .own?, nil: break
    }
    return .arrived(try await fetch(item, target))
  }

  /// Has what has the same bytes as others that come last made once, and copied from there.
  private func bytes(
    of item: MirrorItem, _ target: ItemTransfer.Target, copying held: HeldBytes?,
    sharing digest: SHA256Digest
  ) async throws -> Outcome {
    if let twin = await shared.twin(of: digest),
      let staged = try await copy(twin, to: target, for: item)
    {
      target.piece?.release()
      return .made(staged, of: twin)
    }
    var made: HeldBytes?
    defer { shared.ended(digest, with: made) }
    let outcome = try await bytes(of: item, target, copying: held)
    made = outcome.staged.flatMap { staged in
      item.id.key.map { HeldBytes(key: $0, size: staged.size, place: .staged(name: staged.name)) }
    }
    return outcome
  }

  /// Bytes from their own addresses.
  func fetch(_ item: MirrorItem, _ target: ItemTransfer.Target) async throws -> Arrival {
    do {
      switch try await packs.alone({ try await transfer.fetch(target) }) {
      case .notModified: return .confirmed(item)
      case .fetched(let staged, let answer): return .staged(item, staged, answer)
      }
    } catch let error as FolderError {
      throw error.ofStaged(item.id.description)
    }
  }
}

/// Bytes that are here.
extension ItemMeans {
  /// What is made without a request; `nil` where it has to be fetched.
  private func make(
    _ target: ItemTransfer.Target, of held: HeldBytes?, for item: MirrorItem
  ) async throws -> Outcome? {
    if target.isEmpty {
      return try await makeEmpty(target, for: item).map { .made($0, of: nil) }
    }
    guard let held, held.size <= max(transfer.maximumSize, target.size ?? 0),
      let staged = try await copy(held, to: target, for: item)
    else { return nil }
    return .made(staged, of: held)
  }

  private func makeEmpty(
    _ target: ItemTransfer.Target, for item: MirrorItem
  ) async throws -> Staged? {
    let staging = transfer.staging
    return try await working(for: item) { _ in
      let file = try staging.create(hashedBy: target.algorithms)
      return target.checked(try file.finish(modified: target.modified), in: staging)
    }
  }

  /// A copy of a file that is here, checked as if it had come; `nil` where it isn't there any more,
  /// or has other bytes by now.
  private func copy(
    _ held: HeldBytes, to target: ItemTransfer.Target, for item: MirrorItem
  ) async throws -> Staged? {
    let (staging, observer) = (transfer.staging, observer)
    return try await working(for: item) { stop in
      var told: Int64 = 0
      var staged: Staged?
      defer {
        if staged == nil { observer.copied(-told) }
      }
      let copy = try staging.copy(
        held.place, size: held.size, hashedBy: target.algorithms,
        modified: target.modified, until: stop
      ) { count in
        told += Int64(count)
        observer.copied(Int64(count))
      }
      staged = copy.flatMap { target.checked($0, in: staging) }
      return staged
    }
  }

  private func working<Value: Sendable>(
    for item: MirrorItem, _ work: @escaping @Sendable (StopFlag) throws -> Value
  ) async throws -> Value {
    do {
      return try await transfer.fileQueue.runStoppably(work)
    } catch let error as FolderError {
      throw error.ofStaged(item.id.description)
    }
  }
}

extension ItemTransfer.Target {
  /// What was made here, if it has every digest that the catalog gives: if not, it is removed, and
  /// has to be fetched, so that the server tells who is wrong.
  fileprivate func checked(_ made: Staged, in staging: Staging) -> Staged? {
    guard made.digests.mismatch(among: digests) != nil else { return made }
    staging.discard(made)
    return nil
  }
}

extension ItemMeans.Outcome {
  fileprivate var staged: Staged? {
    switch self {
    case .made(let staged, _), .unpacked(let staged), .arrived(.staged(_, let staged, _)): staged
    case .adopted, .proven, .arrived(.confirmed): nil
    }
  }
}

extension MirrorObserver {
  fileprivate func copied(_ bytes: Int64) {
    update { progress in
      progress.bytesDone += bytes
      progress.bytesCopied += bytes
    }
  }
}
