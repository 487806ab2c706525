import SyncFetching
import SyncFiles
import SyncFolder
import SyncLock
import SyncText
import SyncTransport

/// Fetches a large file by several requests for parts of it at once.
///
/// The first request is for a small part: who answers with it and says how long the whole is can be
/// asked for the others; who answers with the whole is taken at that. Whatever can't be joined has
/// the file fetched in one piece. What a part lacks when its answer is cut is asked for again by
/// the client, as any fetch is, while the others go on.
///
/// Several streams help where one is slower than the way: over long distances, and where a server
/// allots each connection its share. So each part waits in its origin's line like every other
/// fetch, and further streams begin only while there is room that nobody else waits for: while
/// there are enough other items, each file has one, and the last ones take what the others leave.
/// How much room there is is found out for the origin as a whole, by whether more at once is
/// faster.
struct PartedTransfer: Sendable {
  let transfer: ItemTransfer
  private let target: ItemTransfer.Target
  private let locator: String
  private let body: PartedBody
  private let rules: StreamRules

  private enum Event: Sendable {
    case decided(FirstPartSink.Kind)
    case ended(ByteAnswer)
  }

  /// `nil` for what comes in one piece: what is small, of unknown size or digest, or asked for only
  /// if it has changed, and what a single stream does for.
  init?(_ transfer: ItemTransfer, _ target: ItemTransfer.Target, from locator: String) {
    let rules = transfer.streams
    guard let size = target.size, size >= rules.sizes.worthwhile, target.sha256 != nil,
      target.question == nil, !target.passesCaches, locator.hasPrefix("http")
    else { return nil }
    let isBegun = transfer.part(of: target, from: locator)?.parts != nil
    guard isBegun || rules.wantsParts(from: locator, room: transfer.source.room(at: locator))
    else { return nil }
    (self.transfer, self.target, self.locator, self.rules) = (transfer, target, locator, rules)
    body = PartedBody(transfer, target, from: locator, size: size)
  }

  /// Fetches the file; `nil` where it has to come in one piece.
  func fetch() async throws -> ItemTransfer.Outcome? {
    do {
      try await body.takeUp()
    } catch {
      throw await body.letGo(after: error)
    }
    var plan = PartPlan(size: body.size, held: body.held, sizes: rules.sizes)
    guard let range = plan.next(of: 1) else { return nil }
    let first = FirstPartSink(PartSink(body, range), of: body)
    let sinks = Locked([first.part])
    do {
      let answer = try await fetch(plan, first, sinks)
      if first.kind == .whole { return try await transfer.end(answer, first.whole, target) }
      let (staged, received) = try await transfer.fileQueue.run { try body.finish() }
      return try await transfer.accept(
        staged, received: received, answer, mediaType: body.mediaType, target)
    } catch let error where first.kind == .whole {
      return try await letGo(first.whole, after: error)
    } catch let error as PartedBody.NeedsOnePiece {
      if error.isAlike { rules.notePartless(locator) }
      return try await takeBack()
    } catch  where error.refusesPart {
      return try await takeBack()
    } catch {
      try? await transfer.fileQueue.run { for sink in sinks.withLock({ $0 }) { sink.settle() } }
      throw await body.letGo(after: error)
    }
  }

  /// Fetches the parts, and answers with what came first; or the whole, where that comes.
  private func fetch(
    _ planned: PartPlan, _ first: FirstPartSink, _ sinks: Locked<[PartSink]>
  ) async throws -> ByteAnswer {
    try await withThrowingTaskGroup(of: Event.self) { group in
      var plan = planned
      var answer: ByteAnswer?
      var taken = 0
      defer { rules.giveBack(taken) }
      group.addTask { .ended(try await fetch(first)) }
      group.addTask { .decided(try await first.decided()) }
      while let event = try await group.next() {
        if case .ended(let ended) = event { answer = answer ?? ended }
        guard first.kind == .part else { continue }
        let underWay = sinks.withLock { sinks in
          sinks.removeAll { $0.isWhole }
          return sinks
        }
        let streams = streams(beside: underWay, &taken)
        for _ in underWay.count..<max(underWay.count, streams) {
          guard let range = plan.next(of: streams) else { break }
          let sink = PartSink(body, range)
          sinks.withLock { $0.append(sink) }
          group.addTask { .ended(try await fetch(sink)) }
        }
      }
      guard let answer else { throw PartedBody.NeedsOnePiece() }
      return answer
    }
  }

  private var room: Int? { transfer.source.room(at: body.url ?? locator) }

  /// How many streams the file has from now on, where these are under way.
  private func streams(beside underWay: [PartSink], _ taken: inout Int) -> Int {
    let waiting = underWay.count { !$0.hasAsked }
    let wanted = rules.streams(having: underWay.count, waiting: waiting, room: room) - 1
    if wanted > taken {
      taken += rules.take(wanted - taken)
    } else {
      rules.giveBack(taken - wanted)
      taken = wanted
    }
    return taken + 1
  }

  private func fetch(_ first: FirstPartSink) async throws -> ByteAnswer {
    let answer = try await fetch({ first.rest() }, { try first.check($0) }, into: first)
    // An answer without a body, such as 304 that nobody asked for.
    guard first.kind == .whole || first.part.isWhole else { throw PartedBody.NeedsOnePiece() }
    return answer
  }

  private func fetch(_ sink: PartSink) async throws -> ByteAnswer {
    let answer = try await fetch({ sink.rest() }, { try sink.check($0) }, into: sink)
    guard sink.isWhole else { throw PartedBody.NeedsOnePiece() }
    return answer
  }

  private func fetch(
    _ rest: @escaping @Sendable () -> ByteRequest.Rest?,
    _ check: @escaping @Sendable (ByteAnswer) throws -> Void, into sink: any ByteSink
  ) async throws -> ByteAnswer {
    var request = ByteRequest(url: locator)
    (request.rest, request.check) = (rest, check)
    return try await transfer.source.fetch(request, into: sink)
  }

  /// The whole that came couldn't be gone on with, or failed.
  private func letGo(
    _ whole: StagingSink, after error: any Error
  ) async throws -> ItemTransfer.Outcome? {
    guard error.refusesPart, whole.hasAskedForRest else { throw await whole.letGo(after: error) }
    try await transfer.fileQueue.run { whole.joinNoMore() }
    return nil
  }

  private func takeBack() async throws -> ItemTransfer.Outcome? {
    try await transfer.fileQueue.run { body.takeBack() }
    return nil
  }
}
