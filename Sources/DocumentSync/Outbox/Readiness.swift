/// What is known of a document that another one goes after.
package enum Predecessor: Sendable, Hashable {
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

/// Documents each of which goes after the next one, and the last after the first: none of them
/// could ever be sent.
struct WaitingCircle: Sendable, Equatable {
  /// The way round, beginning and ending with the document that would close it.
  let way: [DocumentID]

  /// The circle that a document would close if it went after these others, too; `nil` if none.
  ///
  /// The same for the same documents: of several circles, the one whose ids come first.
  ///
  /// - Parameter awaited: the documents that the entry of a document waits for, if it has one.
  init?<Failure>(
    of id: DocumentID, after others: Set<DocumentID>,
    awaited: (DocumentID) throws(Failure) -> Set<DocumentID>
  ) throws(Failure) {
    // The way to the document at hand, beside what is left to be tried at each of its steps.
    var way = [id]
    var left = [others.sorted(by: >)]
    var seen: Set<DocumentID> = []
    while let next = left[left.count - 1].popLast() ?? Self.stepBack(&way, &left) {
      if next == id {
        self.way = way + [id]
        return
      }
      guard seen.insert(next).inserted else { continue }
      way.append(next)
      left.append(try awaited(next).sorted(by: >))
    }
    return nil
  }

  /// Goes back to where something is left to be tried, and takes it; `nil` at the end.
  private static func stepBack(
    _ way: inout [DocumentID], _ left: inout [[DocumentID]]
  ) -> DocumentID? {
    while left.count > 1 {
      left.removeLast()
      way.removeLast()
      if let next = left[left.count - 1].popLast() { return next }
    }
    return nil
  }
}
