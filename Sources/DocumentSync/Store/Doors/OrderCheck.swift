/// Looks at what a document is to go after.
struct OrderCheck {
  let shelf: DocumentShelf

  /// Those of the others that it must wait for: those that the server has, and those that are gone,
  /// it needn't. A circle is an error.
  func others(
    of id: DocumentID, after others: Set<DocumentID>
  ) throws -> Set<DocumentID> {
    guard !others.isEmpty else { return [] }
    let awaited = AwaitedTable(session: shelf.session)
    let circle = try WaitingCircle(of: id, after: others) { try awaited.awaited(by: $0) }
    if let circle {
      throw DocumentStoreProblem.circle(circle.way)
    }
    let readiness = try Readiness(awaiting: others) { try shelf.predecessor($0) }
    return Set(readiness.waitsFor.keys)
  }
}
