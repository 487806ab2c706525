import SyncFetching
import SyncFiles
import SyncFolder
import SyncLock
import SyncText
import SyncTransport

/// Fetches packs, and hands the files in them to the downloads that ask for them.
///
/// One for the previews and one for the contents of a pass: a stream of the one brings nothing of
/// the other.
final class PackStreams: Sendable {
  enum Part: Sendable {
    case previews
    case contents
  }

  let plan: PackPlan
  let staging: Staging
  private let part: Part
  /// Those that the plan's pieces name.
  private let items: [MirrorItem]
  private let transfer: ItemTransfer
  private let desk: Watched<PackDesk>
  private let turns: RequestTurns

  /// - Parameter turns: What requests for packs share with those for single files.
  init(
    _ plan: PackPlan, of part: Part, _ items: [MirrorItem], by transfer: ItemTransfer,
    _ turns: RequestTurns
  ) {
    var plan = plan
    plan.sortCopies { one, other in
      Self.key(of: items[Int(one)]).lexicographicallyPrecedes(Self.key(of: items[Int(other)]))
    }
    (self.plan, self.part, self.items, self.transfer) = (plan, part, items, transfer)
    self.turns = turns
    staging = transfer.staging
    desk = Watched(PackDesk(plan))
  }

  /// What has come so far.
  var tally: PackTally { desk.change { $0.tally } }

  /// An item's copy of a piece of a pack.
  struct Piece: Sendable {
    fileprivate let streams: PackStreams
    fileprivate let copy: Int
  }

  /// What is planned for an item; `nil` where it isn't to come so, be it that others of the same
  /// place are.
  func piece(of entry: CatalogEntry, at place: PackPlace?, size: Int64?) -> Piece? {
    guard let place, let size, let piece = plan.piece(at: place, size: size) else { return nil }
    let (key, copies) = (entry.keyBytes, plan.copies(of: piece))
    let copy = copies.partitioning {
      !Self.key(of: item(of: $0)).lexicographicallyPrecedes(key)
    }
    guard copies.contains(copy), Self.key(of: item(of: copy)) == key else { return nil }
    return Piece(streams: self, copy: copy)
  }

  private func item(of copy: Int) -> MirrorItem { items[Int(plan.items[copy])] }

  private static func key(of item: MirrorItem) -> ArraySlice<UInt8> { item.keyBytes ?? [] }

  /// What a copy has to be, and when it was modified.
  func wanted(of copy: Int) -> (SHA256Digest?, modified: Double?) {
    let entry = item(of: copy).entry?.listed
    switch part {
    case .contents: return (entry?.sha256, entry?.modified)
    case .previews: return (entry?.preview?.sha256, nil)
    }
  }

  /// Fetches what is asked for, and what is asked for next, until nothing is left or the task is
  /// cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      while case .fetch(let order)? = try? await desk.wait(until: { $0.next() }) {
        group.addTask { await self.fetch(order) }
      }
    }
  }

  /// Nothing more comes: who waits is told so.
  func close() { desk.change { $0.close() } }

  /// Takes out what has come and nobody has asked for.
  func takeRest() -> [(item: MirrorItem, staged: Staged)] {
    desk.change { $0.takeRest() }.map { (item(of: $0.copy), $0.staged) }
  }
}

extension PackStreams.Piece {
  /// Waits until it has come, or doesn't.
  /// - Throws: `CancellationError`.
  func wait() async throws -> PackDesk.Answer {
    let (desk, copy) = (streams.desk, copy)
    if let answer = desk.change({ $0.ask(for: copy) }) { return answer }
    return try await desk.wait { $0.answer(for: copy) }
  }

  /// Is of no use any more: its file is had by other means.
  func release() {
    guard let staged = streams.desk.change({ [copy] in $0.release(copy) }) else { return }
    streams.tell(-staged.size)
    streams.staging.discard(staged)
  }
}

/// One stream.
extension PackStreams {
  private func fetch(_ order: PackDesk.Order) async {
    let pack = plan.requests[order.request].pack
    let sink = PackSink(self, order)
    var request = ByteRequest(url: plan.packs[pack].url)
    request.rest = { sink.part() }
    request.check = { try sink.check($0) }
    do {
      try await turns.taking {
        let answer = try await transfer.source.fetch(request, into: sink)
        if answer.isNotModified { throw PackProblem.notModified }
      }
    } catch is PackSink.HasAll {
    } catch is CancellationError {
    } catch is FolderError {
      // The disk's: who fetches its files one by one will tell.
    } catch  where error is TransportError && sink.missing.isEmpty {
      // All had come before.
    } catch {
      giveUp(on: pack, error)
    }
    let missing = sink.missing
    desk.change { $0.ended(order, with: missing) }
  }

  private func giveUp(on pack: Int, _ error: any Error) {
    let told = desk.change { $0.giveUp(on: pack) ? $0.tally.givenUp : 0 }
    guard (1...Self.mostTold).contains(told) else { return }
    transfer.observer.publish(
      .packGivenUp(
        url: URLReference(plan.packs[pack].url)?.redacted ?? "", reason: PackProblem.reason(error)))
  }

  /// How many packs that were given up are named.
  private static let mostTold = 4

  func takeWhole(_ order: PackDesk.Order, for pieces: [Int]) -> [Int]? {
    desk.change { $0.takeWhole(order, for: pieces) }
  }

  /// Pieces have come.
  /// - Returns: whether so many of the pack's differed by now that it isn't read on.
  func came(_ harvest: PackDesk.Harvest, for order: PackDesk.Order) -> Bool {
    let (came, isBad) = desk.change { ($0.came(harvest), $0.differsTooOften(order.request)) }
    tell(came.bytes)
    for file in came.surplus { staging.discard(file) }
    return isBad
  }

  /// Tells the progress of bytes that are of use, or aren't after all.
  fileprivate func tell(_ bytes: Int64) {
    if bytes != 0 { transfer.observer.update { $0.bytesDone += bytes } }
  }
}
