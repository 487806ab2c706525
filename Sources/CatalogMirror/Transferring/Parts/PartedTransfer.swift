import SyncFetching
import SyncFiles
import SyncFolder
import SyncLock

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
  /// Whether the request for the first part was refused, maybe because it was for a part.
  private let isRefused = Locked(false)

  private enum Event: Sendable {
    case decided(FirstPartSink.Kind)
    case ended(ByteAnswer)
    /// The hash has come up with the bytes.
    case caughtUp
  }

  /// `nil` for what comes in one piece: what is small, of unknown size or digest, or asked for only
  /// if it has changed, and what a single stream does for.
  init?(_ transfer: ItemTransfer, _ target: ItemTransfer.Target, from locator: String) {
    let rules = transfer.streams
    guard let size = target.size, size >= rules.sizes.worthwhile, target.sha256 != nil,
      target.question == nil, !target.passesCaches, locator.hasPrefix("http")
    else { return nil }
    let record = transfer.part(of: target, from: locator)
    guard record?.comesWhole != true,
      record?.parts != nil
        || rules.wantsParts(from: locator, room: transfer.source.room(at: locator))
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
    return try await fetchParts(inOneStream: false)
  }

  /// It came in one piece, after it couldn't come in parts.
  func cameInOnePiece() {
    if isRefused.withLock({ $0 }) { rules.notePartless(locator) }
  }

  /// Fetches what isn't there yet. Where a further part is refused, the host may not bear so many
  /// requests at once: then what is missing comes by one after the other.
  private func fetchParts(inOneStream isSingle: Bool) async throws -> ItemTransfer.Outcome? {
    var sizes = rules.sizes
    if isSingle { sizes.most = body.size }
    var plan = PartPlan(size: body.size, held: body.held, sizes: sizes)
    // What an earlier run began has shown already that there are parts.
    let streams = isSingle ? 1 : rules.streams(having: 1, waiting: 0, room: room)
    guard let range = plan.next(of: streams) else { return try await takeBack() }
    let first = FirstPartSink(PartSink(body, range), of: body)
    let sinks = Locked([first.part])
    do {
      let answer = try await fetch(plan, first, sinks, atMost: isSingle ? 1 : .max)
      if first.kind == .whole { return try await transfer.end(answer, first.whole, target) }
      if isSingle { rules.notePartless(locator) }
      return try await end(answer)
    } catch let error where first.kind == .whole {
      return try await letGo(first.whole, after: error)
    } catch let error as PartedBody.NeedsOnePiece {
      if error.isAlike { rules.notePartless(locator) }
      return try await takeBack()
    } catch  where error.mayRefuseRanges && first.kind == .part && !isSingle {
      return try await goOnSingly(sinks.withLock { $0 })
    } catch  where error.refusesPart && !(isSingle && error.mayRefuseRanges) {
      isRefused.withLock { $0 = error.mayRefuseRanges }
      return try await takeBack()
    } catch {
      body.hashNoMore()
      try? await settle(sinks.withLock { $0 })
      throw await body.letGo(after: error)
    }
  }

  /// Ends the file, all of whose parts have come.
  private func end(_ answer: ByteAnswer) async throws -> ItemTransfer.Outcome {
    // Not on the queue, which everybody waits for.
    try await body.catchUp()
    let (staged, received) = try await transfer.fileQueue.run { try body.finish() }
    return try await transfer.accept(
      staged, received: received, answer, mediaType: body.mediaType, target)
  }

  private func goOnSingly(_ sinks: [PartSink]) async throws -> ItemTransfer.Outcome? {
    do {
      try await settle(sinks)
      try await transfer.fileQueue.run { try body.settle() }
    } catch {
      throw await body.letGo(after: error)
    }
    return try await fetchParts(inOneStream: true)
  }

  /// Hands on what waits in memory.
  private func settle(_ sinks: [PartSink]) async throws {
    try await transfer.fileQueue.run { for sink in sinks { sink.settle() } }
  }

  /// How the fetching of the parts goes on.
  private struct Course {
    var plan: PartPlan
    /// The most streams at once.
    let most: Int
    /// How many streams were taken of those that are to spare.
    var taken = 0
    /// Whether nothing more is asked for until the hash has come up with the bytes.
    var isCatchingUp = false
  }

  /// Fetches the parts, and answers with what came first; or the whole, where that comes.
  private func fetch(
    _ plan: PartPlan, _ first: FirstPartSink, _ sinks: Locked<[PartSink]>, atMost most: Int
  ) async throws -> ByteAnswer {
    var course = Course(plan: plan, most: most)
    // Given back when all have ended, and with them what each takes.
    defer { rules.giveBack(course.taken) }
    return try await withThrowingTaskGroup(of: Event.self) { group in
      var answer: ByteAnswer?
      group.addTask { .ended(try await fetch(first)) }
      group.addTask { .decided(try await first.decided()) }
      while let event = try await group.next() {
        switch event {
        case .ended(let ended): answer = answer ?? ended
        case .caughtUp: course.isCatchingUp = false
        case .decided: break
        }
        guard first.kind == .part, !course.isCatchingUp else { continue }
        let more = further(&course, beside: sinks)
        for sink in more { group.addTask { .ended(try await fetch(sink)) } }
        if course.isCatchingUp { group.addTask { try await caughtUp() } }
      }
      guard let answer else { throw PartedBody.NeedsOnePiece() }
      return answer
    }
  }

  /// The parts that are to be asked for now, beside those under way.
  private func further(_ course: inout Course, beside sinks: Locked<[PartSink]>) -> [PartSink] {
    let underWay = sinks.withLock { sinks in
      sinks.removeAll { $0.isWhole }
      return sinks
    }
    let streams = streams(beside: underWay, &course)
    let settled = underWay.map(\.place).min() ?? course.plan.taken.prefix
    // As on a slow processor.
    course.isCatchingUp = body.hashed + course.plan.reach(of: streams) < settled
    guard !course.isCatchingUp else { return [] }
    var more: [PartSink] = []
    while underWay.count + more.count < streams,
      let range = course.plan.next(of: streams, from: settled)
    {
      more.append(PartSink(body, range))
    }
    sinks.withLock { $0 += more }
    return more
  }

  private func caughtUp() async throws -> Event {
    try await body.catchUp()
    return .caughtUp
  }

  private var room: Int? { transfer.source.room(at: body.url ?? locator) }

  /// How many streams the file has from now on, where these are under way.
  private func streams(beside underWay: [PartSink], _ course: inout Course) -> Int {
    let waiting = underWay.count { !$0.hasAsked }
    let streams = rules.streams(having: underWay.count, waiting: waiting, room: room)
    let most = course.plan.isOver ? underWay.count : course.most
    let wanted = max(0, min(streams, most) - 1)
    if wanted > course.taken {
      course.taken += rules.take(wanted - course.taken)
    } else {
      rules.giveBack(course.taken - wanted)
      course.taken = wanted
    }
    return course.taken + 1
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
