import SyncLock

/// Sends what is in the outbox, one request after the other; several of them run side by side over
/// one board.
struct PushRun: Sendable {
  let store: DocumentStore
  let endpoint: any DocumentEndpoint
  let session: ServerSession
  let board: PushBoard
  let tally: SyncTally
  /// Whether a list is asked for after it.
  let isFollowed: Bool
  let rules: @Sendable (DocumentScope) -> MeetingRules

  /// Sends until nothing can be sent that isn't on its way already.
  ///
  /// - Throws: a ``DocumentSyncError`` that ends the sync, or `CancellationError`.
  func run() async throws {
    while true {
      if session.pushLeaves(isFollowed: isFollowed) { return }
      try await session.turn()
      guard let turn = try await board.next(store, isProbing: session.isProbing) else { return }
      defer { board.ended(turn) }
      try await send(turn)
    }
  }

  private func send(_ turn: PushBatch) async throws {
    let began = session.seams.now()
    let requests = turn.requests(rules)
    var reply =
      if let only = requests.first, requests.count == 1 {
        JudgedReply(await endpoint.push(only), to: turn)
      } else {
        JudgedReply(await endpoint.push(batch: requests), to: turn)
      }
    reply.note(at: session.seams.now())
    try await write(reply, of: turn)
    board.met(reply.verdicts, in: turn)
    board.looked(zip(turn.sends, reply.verdicts).lazy.filter { $1.notice == .answers }.map(\.0))
    let notices = Set(reply.verdicts.map(\.notice))
    let collection = turn.scopes.first?.collection ?? ""
    for notice in notices.inOrder {
      try await session.ended(notice, reply.notes, sentAt: began, in: collection)
    }
    try close(turn, by: reply.verdicts)
  }

  /// That a collection can't be used concerns no other.
  private func close(_ turn: PushBatch, by verdicts: [SendVerdict]) throws {
    for (scope, verdict) in zip(turn.scopes, verdicts) {
      guard case .stopped(.collection(let refusal)) = verdict else { continue }
      board.close(scope.collection)
      throw DocumentSyncError(.collection(refusal), in: scope.collection)
    }
  }

  private func write(_ reply: JudgedReply, of turn: PushBatch) async throws {
    let ends = try await store.sync { editor in
      try turn.sends.indices.map { place -> AnsweredSend in
        let (id, scope) = (turn.sends[place].id, turn.scopes[place])
        let end = try editor.answered(
          id, reply.verdicts[place], inRequestOf: turn.sends.count,
          looksAfter: board.looksAfter(scope.collection), rules(scope))
        if let call = reply.calls[place] { try editor.keepAnswer(call, to: id, in: scope) }
        return end
      }
    }
    for place in turn.sends.indices {
      tally.answered(
        turn.sends[place], reply.verdicts[place], ends[place],
        in: turn.scopes[place].collection, by: reply.calls[place])
    }
  }
}

extension Set<ServerNotice> {
  /// Trouble last, so that an answer beside it doesn't count for a server that has recovered.
  fileprivate var inOrder: [ServerNotice] {
    filter { $0 == .answers } + filter { $0 != .answers }
  }
}

/// A request that was taken from the outbox, and is under way.
struct PushBatch: Sendable {
  /// Its number among those of the sync.
  let number: Int
  let sends: [DocumentSend]
  let scopes: [DocumentScope]

  func requests(_ rules: (DocumentScope) -> MeetingRules) -> [PushRequest] {
    zip(sends, scopes).map { send, scope in
      var request = send.request(in: scope.collection)
      request.typeMember = rules(scope).typeMember
      return request
    }
  }
}

/// Chooses what is sent next, for all that send side by side.
///
/// Who may go, ``SendLanes`` says, and what goes together ``BatchPacking``. That a request is under
/// way is written before it's given out.
final class PushBoard: Sendable {
  /// How much a request may hold where the server names no limit of bytes.
  static let batchBytes = 1_000_000

  private struct State {
    var lanes: SendLanes
    var last = 0
    /// Those that failed alone and had another try in this sync.
    var wentLast: Set<DocumentID> = []
    /// How often each met trouble in this sync.
    var troubles: [DocumentID: Int] = [:]
    /// Those that met it as often as one sync tries.
    var tired: Set<DocumentID> = []
    /// The collections that nothing more is sent from.
    var closed: Set<String> = []
    /// What is to be deleted next, and was looked at for that.
    var looked: Set<DocumentID> = []
  }

  private let scopes: [DocumentScope]
  private let limits: BatchLimits
  /// The collections of which what is to be deleted is looked at before.
  private let looksFirst: Set<String>
  /// The collections of which what was made without an answer is looked for before it's sent again.
  private let looksAfter: Set<String>
  private let state: Locked<State>

  /// - Parameters:
  ///   - scopes: the collections that are sent from.
  ///   - routed: those of them that something else than the endpoint sends.
  ///   - limit: the most requests side by side.
  init(
    _ scopes: [DocumentScope], _ capabilities: EndpointCapabilities, routed: Set<String> = [],
    limit: Int
  ) {
    self.scopes = scopes
    let asked = Set(scopes.map(\.collection)).subtracting(routed)
    looksFirst = capabilities.holdsAllConditions ? [] : asked
    looksAfter = capabilities.makesOnce ? [] : asked
    limits = BatchLimits(
      entries: capabilities.batchEntries, bytes: capabilities.batchBytes ?? Self.batchBytes)
    state = Locked(State(lanes: SendLanes(limit: limit)))
  }

  /// The next request, once it's written that it is under way; `nil` if nothing can be sent now.
  func next(_ store: DocumentStore, isProbing: Bool) async throws -> PushBatch? {
    try await store.sync { editor in try self.take(editor, isProbing: isProbing) }
  }

  func ended(_ turn: PushBatch) {
    state.withLock { $0.lanes.ended(turn.number) }
  }

  /// What these looked at may be deleted now.
  func looked(_ sends: some Sequence<DocumentSend>) {
    let ids = sends.filter(\.looksAhead).map(\.id)
    state.withLock { state in
      state.looked.formUnion(ids)
      // The look wasn't the try that they have in this sync.
      state.wentLast.subtract(ids)
    }
  }

  /// Whether what was made without an answer is looked for before it's sent again.
  func looksAfter(_ collection: String) -> Bool { looksAfter.contains(collection) }

  /// A request has ended so. What met trouble as often as one sync tries isn't sent again in it,
  /// whatever else was answered meanwhile; and where it went alone, nor is what comes after it.
  func met(_ verdicts: [SendVerdict], in turn: PushBatch) {
    state.withLock { state in
      for (place, verdict) in verdicts.enumerated() {
        guard case .isInTrouble(let trouble) = verdict.notice else { continue }
        // In a smaller batch, it's another request.
        if verdicts.count > 1, trouble.isSuspicious { continue }
        let id = turn.sends[place].id
        state.troubles[id, default: 0] += 1
        guard state.troubles[id] == TryBudget().tries else { continue }
        state.tired.insert(id)
        if verdicts.count == 1 { state.closed.insert(turn.scopes[place].collection) }
      }
    }
  }

  /// A collection can't be used: nothing more is sent from it.
  func close(_ collection: String) {
    state.withLock { _ = $0.closed.insert(collection) }
  }

  private func take(_ editor: StoreEditor, isProbing: Bool) throws -> PushBatch? {
    try state.withLock { state in
      let heads = try heads(editor, state).filter { !state.closed.contains($0.key) }
      let free = state.lanes.free(heads: heads, isProbing: isProbing)
      guard !free.isEmpty else { return nil }
      var packing = BatchPacking(limits: limits)
      var chosen: [(id: DocumentID, scope: DocumentScope)] = []
      for lane in free where !packing.isClosed {
        guard let scope = scopes.first(where: { $0.collection == lane }) else { continue }
        for id in try pack(&packing, from: scope, editor, &state) {
          chosen.append((id, scope))
        }
      }
      return try begin(chosen, editor, &state)
    }
  }

  /// The number of the first entry that can be sent, in each lane that has one.
  private func heads(_ editor: StoreEditor, _ state: State) throws -> [String: Int64] {
    var heads: [String: Int64] = [:]
    for scope in scopes {
      let first = try ready(in: scope, isLast: false, limit: 1, editor, state).first
      let last = try ready(in: scope, isLast: true, limit: 1, editor, state).first
      heads[scope.collection] = first?.number ?? last?.number
    }
    return heads
  }

  /// The first entries of a lane that this sync may send; those that failed alone are apart.
  private func ready(
    in scope: DocumentScope, isLast: Bool, limit: Int, _ editor: StoreEditor, _ state: State
  ) throws -> [ReadyEntry] {
    let past = isLast ? state.tired.union(state.wentLast) : state.tired
    return try editor.ready(in: scope, isLast: isLast, limit: limit + past.count)
      .filter { !past.contains($0.candidate.id) }
  }

  /// Offers the entries of a lane, those that failed alone after all others.
  private func pack(
    _ packing: inout BatchPacking, from scope: DocumentScope, _ editor: StoreEditor,
    _ state: inout State
  ) throws -> [DocumentID] {
    var packed: [DocumentID] = []
    for isLast in [false, true] where !packing.isClosed {
      for entry in try ready(in: scope, isLast: isLast, limit: limits.entries, editor, state) {
        let id = entry.candidate.id
        switch packing.offer(entry.candidate) {
        case .packed:
          packed.append(id)
          if isLast { state.wentLast.insert(id) }
        case .passedOver: continue
        case .closed: return packed
        }
      }
    }
    return packed
  }

  private func begin(
    _ chosen: [(id: DocumentID, scope: DocumentScope)], _ editor: StoreEditor, _ state: inout State
  ) throws -> PushBatch? {
    var sends: [DocumentSend] = []
    var scopes: [DocumentScope] = []
    for (id, scope) in chosen {
      let looks = looksFirst.contains(scope.collection) && state.looked.remove(id) == nil
      guard let send = try editor.sendBegan(id, looksFirst: looks) else { continue }
      sends.append(send)
      scopes.append(scope)
    }
    guard !sends.isEmpty else { return nil }
    state.last += 1
    state.lanes.began(state.last, from: Set(scopes.map(\.collection)))
    return PushBatch(number: state.last, sends: sends, scopes: scopes)
  }
}

extension DocumentSend {
  fileprivate func request(in collection: String) -> PushRequest {
    let body = content ?? .null
    return switch order.kind {
    case .create: .create(id, body, in: collection, key: idempotencyKey)
    case .update(let version):
      .update(id, body, from: version, in: collection, key: idempotencyKey)
    case .delete(let version): .delete(id, from: version, in: collection, key: idempotencyKey)
    case .look: .look(at: id, in: collection)
    }
  }
}
