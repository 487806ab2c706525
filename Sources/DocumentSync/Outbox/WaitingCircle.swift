/// Documents each of which goes after the next one, and the last after the first: none of them could
/// ever be sent.
struct WaitingCircle: Error, Sendable, Equatable {
  /// The way round, beginning and ending with the document that would close it.
  let way: [DocumentID]

  /// The circle that a document would close if it went after these others, too; `nil` if none.
  ///
  /// The same for the same documents: of several circles, the one whose ids come first.
  ///
  /// - Parameter awaited: the documents that the entry of a document waits for; none, if it has none.
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
