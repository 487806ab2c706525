import SyncLock

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
    /// What is to be changed or deleted next, and was looked at for that.
    var looked: Set<DocumentID> = []
  }

  private let scopes: [DocumentScope]
  private let limits: BatchLimits
  /// What is read at the server before it's changed or removed there.
  private let looksFirst: LookAhead
  /// The collections that the endpoint sends from.
  private let asked: Set<String>
  /// The collections of which what was made without an answer is looked for before it's sent again.
  private let looksAfter: Set<String>
  /// The documents that are sent; `nil` for all.
  private let only: Set<DocumentID>?
  private let state: Locked<State>

  /// - Parameters:
  ///   - scopes: the collections that are sent from.
  ///   - routed: those of them that something else than the endpoint sends.
  ///   - keyless: those whose ids the server makes.
  ///   - limit: the most requests side by side.
  ///   - only: the documents that are sent; by default all.
  init(
    _ scopes: [DocumentScope], _ capabilities: EndpointCapabilities, routed: Set<String> = [],
    keyless: Set<String> = [], limit: Int, only: Set<DocumentID>? = nil
  ) {
    (self.scopes, self.only) = (scopes, only)
    asked = Set(scopes.map(\.collection)).subtracting(routed)
    looksFirst = capabilities.looksFirst
    looksAfter =
      (capabilities.makesOnce ? [] : asked)
      .union(capabilities.has(.idempotencyKeys) ? [] : keyless.intersection(asked))
    limits = BatchLimits(
      entries: capabilities.batchEntries, bytes: capabilities.batchBytes ?? Self.batchBytes)
    state = Locked(State(lanes: SendLanes(limit: limit)))
  }

  /// The next request, once it's written that it is under way; `nil` if nothing can be sent now.
  ///
  /// - Parameter keys: where ids come from, and which members name others, by collection.
  func next(
    _ store: DocumentStore, isProbing: Bool,
    _ keys: @escaping @Sendable (DocumentScope) -> KeyRules = { _ in KeyRules() }
  ) async throws -> PushBatch? {
    try await store.sync { editor in
      while true {
        switch try self.take(editor, isProbing: isProbing, keys) {
        case .sends(let batch): return batch
        case .holds: continue
        case .nothing: return nil
        }
      }
    }
  }

  private enum Taken {
    case sends(PushBatch)
    /// What was chosen waits for others, as it turned out.
    case holds
    case nothing
  }

  func ended(_ turn: PushBatch) {
    state.withLock { $0.lanes.ended(turn.number) }
  }

  /// What these looked at may be changed or deleted now.
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

  private func take(
    _ editor: StoreEditor, isProbing: Bool, _ keys: (DocumentScope) -> KeyRules
  ) throws -> Taken {
    try state.withLock { state in
      let heads = try heads(editor, state).filter { !state.closed.contains($0.key) }
      let free = state.lanes.free(heads: heads, isProbing: isProbing)
      guard !free.isEmpty else { return .nothing }
      var packing = BatchPacking(limits: limits)
      var chosen: [(id: DocumentID, scope: DocumentScope)] = []
      for lane in free where !packing.isClosed {
        guard let scope = scopes.first(where: { $0.collection == lane }) else { continue }
        for id in try pack(&packing, from: scope, editor, &state) {
          chosen.append((id, scope))
        }
      }
      return try begin(chosen, editor, &state, keys)
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
    if let only { return try editor.ready(only, in: scope, isLast: isLast) }
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
    _ chosen: [(id: DocumentID, scope: DocumentScope)], _ editor: StoreEditor,
    _ state: inout State, _ keys: (DocumentScope) -> KeyRules
  ) throws -> Taken {
    var sends: [DocumentSend] = []
    var scopes: [DocumentScope] = []
    for (id, scope) in chosen {
      let looks = asked.contains(scope.collection) && state.looked.remove(id) == nil
      let send = try editor.sendBegan(
        id, looksFirst: looks ? looksFirst : .never,
        repeats: !looksAfter.contains(scope.collection), keys(scope))
      guard let send else { continue }
      sends.append(send)
      scopes.append(scope)
    }
    guard !sends.isEmpty else { return chosen.isEmpty ? .nothing : .holds }
    state.last += 1
    state.lanes.began(state.last, from: Set(scopes.map(\.collection)))
    return .sends(PushBatch(number: state.last, sends: sends, scopes: scopes))
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
