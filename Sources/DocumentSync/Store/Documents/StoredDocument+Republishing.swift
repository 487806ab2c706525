/// What is made anew at a server that lost its data.
extension StoredDocument {
  /// Whether it was at the server, and is here as people want it there: neither stashed, nor in
  /// conflict, nor set aside, nor on its way.
  private var isToBeThere: Bool {
    guard body != nil, base != nil, shown == nil else { return false }
    guard let entry else { return isSynced }
    return entry.phase == .waiting
  }

  /// The server has it no more, and knows of no deletion: it's made there again, unless somebody
  /// else has by then. Answers whether it's to be.
  mutating func republished(_ counter: inout RevisionCounter) -> Bool {
    guard isToBeThere else { return false }
    note(.met(DocumentMeetingEnd(step: .madeAgain, basis: .policies([.ask]), version: nil)))
    if entry == nil {
      make(.create, after: [], &counter)
    } else {
      makeAnew(after: .forgotten, &counter)
    }
    base = nil
    return true
  }

  /// The server has an older version of it: what is here is sent in the place of that, which is
  /// told as lost. Answers whether it's to be.
  mutating func republished(over copy: ServerCopy, _ counter: inout RevisionCounter) -> Bool {
    guard isToBeThere, let body else { return false }
    if body.hasSameContent(as: copy.value) {
      becomeSynced(copy)
      return false
    }
    note(
      .met(DocumentMeetingEnd(step: .rebased, basis: .policies([.ask]), version: copy.version)))
    lose([.whole(copy.value, .there, .policy(.localWins))])
    if entry == nil { make(.update(base: copy.version), after: [], &counter) }
    stand(on: copy, with: body, &counter)
    return true
  }
}

extension ServerCopy {
  /// Whether it's of an earlier time than another one of the same document, by the server's times
  /// or, where it tells none, by versions that are numbers. What can't be told isn't.
  func isOlder(than other: ServerCopy) -> Bool {
    if let time, let others = other.time { return time < others }
    guard let own = version.numbers, let others = other.version.numbers else { return false }
    return own.lexicographicallyPrecedes(others)
  }
}

extension DocumentVersion {
  /// The numbers that it consists of, as in `7` and `7.2`; `nil` if it's something else.
  fileprivate var numbers: [UInt64]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt64($0) }
    return parts.contains(nil) ? nil : parts.compactMap(\.self)
  }
}
