import SyncFolder
import SyncLock

/// The packs of a pass: those of its previews, and those of its contents.
final class PackedFiles: Sendable {
  private struct State {
    var previews: PackStreams?
    var contents: PackStreams?
    /// `nil` where no packs are fetched, and each download is a request.
    var turns: RequestTurns?
    /// What is downloaded now.
    var current: PackStreams?
    /// How many files were kept that nobody had asked for.
    var kept = 0
  }

  private let state = Locked(State())

  /// What is to come so is known.
  /// - Parameter width: How many requests there may be at once.
  func planned(
    _ plans: PackPlans, of items: [MirrorItem], by transfer: ItemTransfer, width: Int
  ) {
    let turns = plans.isEmpty ? nil : RequestTurns(width)
    let streams = { (plan: PackPlan, part: PackStreams.Part) -> PackStreams? in
      guard let turns, !plan.isEmpty else { return nil }
      return PackStreams(plan, of: part, items, by: transfer, turns)
    }
    let previews = streams(plans.previews, .previews)
    let contents = streams(plans.contents, .contents)
    state.withLock { $0 = State(previews: previews, contents: contents, turns: turns) }
  }

  /// The downloads of these begin.
  func enter(_ part: PackStreams.Part) {
    state.withLock { state in
      state.current = part == .previews ? state.previews : state.contents
    }
  }

  /// Makes a request for a single file, when it is its turn.
  func alone<Result>(_ body: () async throws -> Result) async throws -> Result {
    guard let turns = state.withLock({ $0.turns }) else { return try await body() }
    return try await turns.taking(body)
  }

  /// Fetches what the downloads ask for.
  func run() async { await state.withLock { $0.current }?.run() }

  /// The downloads have ended.
  func close() { state.withLock { $0.current }?.close() }

  /// The piece that is an item's content; `nil` where it isn't to come so.
  func content(of entry: CatalogEntry) -> PackStreams.Piece? {
    guard let streams = state.withLock({ $0.contents }) else { return nil }
    return streams.piece(of: entry, at: entry.pack, size: entry.size)
  }

  /// The piece that is an item's preview; `nil` where it isn't to come so.
  func preview(of entry: CatalogEntry) -> PackStreams.Piece? {
    guard let preview = entry.preview, let streams = state.withLock({ $0.previews }) else {
      return nil
    }
    return streams.piece(of: entry, at: preview.hint.place, size: preview.size)
  }

  /// Takes out the contents that have come and that nobody has asked for, as the downloads were
  /// cut short; such previews are let go of.
  func takeRest(discarding staging: Staging) -> [(item: MirrorItem, staged: Staged)] {
    let (previews, contents) = state.withLock { ($0.previews, $0.contents) }
    for (_, staged) in previews?.takeRest() ?? [] { staging.discard(staged) }
    return contents?.takeRest() ?? []
  }

  /// What nobody had asked for was of use all the same.
  func countKept() { state.withLock { $0.kept += 1 } }

  /// What has come so far.
  var tally: PackTally {
    let (previews, contents, kept) = state.withLock { ($0.previews, $0.contents, $0.kept) }
    var tally = previews?.tally ?? PackTally()
    if let contents { tally.add(contents.tally) }
    tally.files += kept
    return tally
  }
}
