import DocumentSync

/// A server and the network around it, as a value: what becomes of each call.
///
/// The same calls in the same order get the same answers.
package struct ServerNetwork: Sendable {
  /// A request that is still on its way.
  private struct LateRequest {
    let request: ServerRequest
    let caller: String
    /// The number of the call before which it arrives.
    let due: Int
  }

  private struct Question: Hashable {
    let request: ServerRequest
    let caller: String
  }

  package var state: ServerState
  /// The true time, in milliseconds since 1970.
  package var now: Int64
  package var isTicking = true
  package private(set) var calls: [ServerCall] = []
  private var plans: [String: FaultPlan] = [:]
  private var late: [LateRequest] = []
  private var heard: [Question: ServerReply] = [:]
  private var backup: ServerState.Backup?

  /// A server that is reached without trouble.
  package init(_ state: ServerState, now: Int64) {
    self.state = state
    self.now = now
  }

  /// Which calls of somebody go wrong from now on.
  package mutating func setFaults(_ plan: FaultPlan, of caller: String) {
    plans[caller] = plan
  }

  package mutating func call(_ request: ServerRequest, from caller: String) -> ServerExchange {
    if isTicking { now += 1 }
    let fault = plans[caller]?.next()
    calls.append(ServerCall(caller: caller, kind: request.kind, fault: fault))
    let number = calls.count
    deliverLate { $0.due <= number }
    var exchange = ServerExchange(reply: .lost)
    exchange.reply = reply(to: request, from: caller, under: fault, &exchange.wishes)
    switch exchange.reply {
    case .lost, .unreachable: break
    case .capabilities, .changes, .push, .batch, .file, .refused, .garbled:
      exchange.date = state.clock.time(at: now)
    }
    return exchange
  }

  /// Whatever is still on its way arrives.
  package mutating func deliverLate() {
    deliverLate { _ in true }
  }

  package mutating func suffer(_ accident: ServerAccident) {
    switch accident {
    case .flush: state.flush()
    case .backUp: backup = state.backup
    case .restore: if let backup { state.restore(backup) } else { state.flush() }
    case .replacement: state.replace(at: now)
    case .clockStep(let length): state.clock.step(by: length.milliseconds)
    }
  }

  private mutating func deliverLate(where isDue: (LateRequest) -> Bool) {
    let due = late.filter(isDue)
    late.removeAll(where: isDue)
    for one in due { _ = carryOut(one.request, from: one.caller) }
  }

  private mutating func reply(
    to request: ServerRequest, from caller: String, under fault: ServerFault?,
    _ wishes: inout ServerWishes
  ) -> ServerReply {
    switch fault {
    case nil: break
    case .unreachable: return .unreachable
    case .requestLost: return .lost
    case .answerLost:
      _ = carryOut(request, from: caller)
      return .lost
    case .arrivesLate(let count): return postpone(request, of: caller, by: count, .lost)
    case .arrivesTwice(let count):
      return postpone(request, of: caller, by: count, carryOut(request, from: caller))
    case .staleAnswer:
      if let old = heard[Question(request: request, caller: caller)] { return old }
    case .breaks(let status, let moment):
      if moment == .after { _ = carryOut(request, from: caller) }
      return .refused(PushAnswer(status: status, words: "the server broke"))
    case .busy(let status, let wait):
      wishes.retryAfter = wait
      return .refused(PushAnswer(status: status, words: "too much to do"))
    case .backoff(let wait): wishes.backoff = wait
    case .batchCut(let count):
      _ = carryOut(request.first(count), from: caller)
      return .lost
    case .batchShort(let count): return carryOut(request.first(count), from: caller)
    case .unauthorized: return .refused(PushAnswer(status: 401, words: "who are you?"))
    case .forbidden:
      return .refused(
        PushAnswer(status: 403, words: "not for you", subject: .collection))
    case .garbled(let moment):
      if moment == .after { _ = carryOut(request, from: caller) }
      return .garbled
    case .befalls(let accident): suffer(accident)
    }
    return carryOut(request, from: caller)
  }

  private mutating func postpone(
    _ request: ServerRequest, of caller: String, by count: Int, _ reply: ServerReply
  ) -> ServerReply {
    late.append(LateRequest(request: request, caller: caller, due: calls.count + max(1, count)))
    return reply
  }

  private mutating func carryOut(_ request: ServerRequest, from caller: String) -> ServerReply {
    let reply: ServerReply
    switch request {
    case .capabilities: reply = .capabilities(state.manners.capabilities)
    case .changes(let collection, let place, let part):
      reply = .changes(state.changes(in: collection, from: place, part))
    case .push(let send): reply = .push(state.receive(send, from: caller, at: now))
    case .batch(let sends):
      reply =
        state.receive(batch: sends, from: caller, at: now).map { .batch($0) }
        ?? .refused(PushAnswer(status: 400, words: "too many at once"))
    case .file(let request): reply = .file(state.receive(request))
    }
    if request.bearsOldAnswers { heard[Question(request: request, caller: caller)] = reply }
    return reply
  }
}

extension ServerRequest {
  /// The first parts of a batch; anything else as it is.
  fileprivate func first(_ count: Int) -> ServerRequest {
    switch self {
    case .batch(let sends): .batch(Array(sends.prefix(max(0, count))))
    case .capabilities, .changes, .push, .file: self
    }
  }
}

extension Duration {
  var milliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
