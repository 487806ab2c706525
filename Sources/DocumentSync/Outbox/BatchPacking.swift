/// How much a request may hold.
struct BatchLimits: Sendable, Equatable {
  /// As many entries as the server names; 1 without batches.
  var entries: Int
  /// So many bytes of content, unless a single entry has more.
  var bytes: Int
}

/// Packs entries into one request, in the order in which they are offered.
///
/// What doesn't fit closes the batch, whatever comes after it: nothing overtakes an entry because
/// it is smaller. A batch of one is sent as a plain request.
struct BatchPacking: Sendable, Equatable {
  /// What is to be known of an entry.
  struct Candidate: Sendable, Equatable {
    let id: DocumentID
    /// The size of its part of the request.
    let bytes: Int
    var awaits: Set<DocumentID> = []
    var batchShare = BatchShare.any
  }

  /// What becomes of an entry that is offered.
  enum Answer: Sendable, Equatable {
    /// It's in the batch; offer the next one.
    case packed
    /// It stays behind, since it waits for others or is in the batch already; offer the next one.
    case passedOver
    /// The batch is closed; the entry belongs to a later one.
    case closed
  }

  /// How much the batch may hold.
  let limits: BatchLimits
  /// What is in it, in the order of sending.
  private(set) var ids: [DocumentID] = []
  private(set) var bytes = 0
  private(set) var isClosed = false
  private var members: Set<DocumentID> = []
  private var capacity: Int

  init(limits: BatchLimits) {
    self.limits = limits
    capacity = max(1, limits.entries)
  }

  /// Offers the next entry.
  mutating func offer(_ candidate: Candidate) -> Answer {
    guard !isClosed else { return .closed }
    guard candidate.awaits.isEmpty, !members.contains(candidate.id) else { return .passedOver }
    let capacity = min(capacity, candidate.batchShare.capacity)
    let (total, isOver) = bytes.addingReportingOverflow(max(0, candidate.bytes))
    if !ids.isEmpty, ids.count >= capacity || isOver || total > limits.bytes {
      isClosed = true
      return .closed
    }
    self.capacity = capacity
    ids.append(candidate.id)
    members.insert(candidate.id)
    bytes = isOver ? .max : total
    isClosed = ids.count == capacity
    return .packed
  }
}

/// With how many others an entry may share a request.
///
/// A server that breaks over one part of a batch says so of the whole batch. The entries then
/// travel in ever smaller batches, until the one that it breaks over stands alone and lets all
/// others pass.
enum BatchShare: Sendable, Equatable {
  /// As many as the server takes.
  case any
  case atMost(Int)
  /// Alone, and after all that can be sent without it: it failed alone.
  case last

  /// How many a request with it may hold.
  var capacity: Int {
    switch self {
    case .any: .max
    case .atMost(let count): max(1, count)
    case .last: 1
    }
  }

  /// What an entry may share a request with from now on, after one of so many broke the server.
  static func broken(in count: Int) -> BatchShare {
    count > 1 ? .atMost(count / 2) : .last
  }

  /// The same, after a server wouldn't take a batch of so many.
  static func refused(in count: Int) -> BatchShare { .atMost(max(1, count / 2)) }
}

/// Which collections may be sent from, while other requests are under way.
///
/// A collection is a lane: its entries go in order, so that none of them is sent before the request
/// with the one before it has ended. Lanes go side by side. A batch that one lane doesn't fill may
/// take from others, which are all busy until it has ended.
struct SendLanes: Sendable, Equatable {
  /// The most requests side by side.
  let limit: Int
  private(set) var underWay: [Int: Set<String>] = [:]

  /// - Parameter limit: the most requests side by side. By default 2.
  init(limit: Int = 2) {
    self.limit = max(1, limit)
  }

  /// The lanes that the next request may take from, in this order; none if it must wait.
  ///
  /// - Parameters:
  ///   - heads: the number of the first entry that is ready, in each lane that has one.
  ///   - isProbing: whether the server was in trouble when it was last heard of: then one request
  ///     at a time shows whether it has recovered.
  func free(heads: [String: Int64], isProbing: Bool) -> [String] {
    guard underWay.count < (isProbing ? 1 : limit) else { return [] }
    let busy = underWay.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    return heads.filter { !busy.contains($0.key) }
      .sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
  }

  /// A request with this number, of its own, has begun, with entries of these lanes.
  mutating func began(_ request: Int, from lanes: Set<String>) {
    underWay[request] = lanes
  }

  mutating func ended(_ request: Int) {
    underWay[request] = nil
  }
}
