/// What is known of a document that another one goes after.
public enum Predecessor: Sendable, Hashable {
  /// Nobody has heard of it; it may come yet, by a save or a pull.
  case unknown
  /// It waits for its turn, or isn't to be sent at all so far.
  case unsent
  /// Its own change was set aside.
  case setAside
  /// Its own change is in conflict.
  case inConflict
  /// The server has it.
  case synced
  /// It's gone, here or at the server.
  case deleted
}

extension OutboxEntry {
  /// What those that go after this document know of it.
  var asPredecessor: Predecessor {
    if change.isDeletion { return .deleted }
    switch phase {
    case .waiting, .sending, .contested: return .unsent
    case .parked: return .inConflict
    case .setAside: return .setAside
    }
  }
}

/// Whether an entry can be sent, as far as it goes after others.
///
/// It waits for the success of each, not for its turn. A success counts for good: those that had
/// theirs are taken out of the entry, and a later change of one of them holds up nothing.
struct Readiness: Sendable, Equatable {
  /// Those it still waits for, and what they wait for themselves.
  private(set) var waitsFor: [DocumentID: Predecessor] = [:]
  /// Those that had their success.
  private(set) var satisfied: Set<DocumentID> = []
  /// Those that will never have one, since they were deleted: the entry goes without them, and says
  /// so.
  private(set) var released: Set<DocumentID> = []

  /// Looks at each of the documents that an entry waits for.
  init<Failure>(
    awaiting ids: Set<DocumentID>,
    known: (DocumentID) throws(Failure) -> Predecessor
  ) throws(Failure) {
    for id in ids {
      let predecessor = try known(id)
      switch predecessor {
      case .unknown, .unsent, .setAside, .inConflict: waitsFor[id] = predecessor
      case .synced: satisfied.insert(id)
      case .deleted: released.insert(id)
      }
    }
  }
}
