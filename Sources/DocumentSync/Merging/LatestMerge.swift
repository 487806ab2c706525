import SyncText

/// A document with its ``MemberTimes`` and the time of its version, as one replica has it.
package struct TimedDocument: Sendable, Hashable {
  /// The document, with the times that it carries.
  package let value: DocumentValue
  /// When this version came to be, in milliseconds since 1970 began, for members whose time isn't
  /// known; `nil` counts as long ago.
  package let time: Int64?

  package init(value: DocumentValue, time: Int64?) {
    self.value = value
    self.time = time
  }
}

/// Two states of one document united: of each top-level member the one that was changed last.
///
/// Of changes at the same time the value whose canonical bytes are greater stays, and a removal
/// gives way, on every replica the same. So it doesn't matter in which order, or how often, states
/// are united: the outcome is the same everywhere.
package struct LatestMerge: Sendable, Hashable {
  /// A member that gave way to another value.
  package struct Overruled: Sendable, Hashable {
    package let name: String
    /// The side that gave way.
    package let side: MergeSide
    /// What it had; `nil` where it had removed the member.
    package let value: DocumentValue?
  }

  /// What came of it, with a time for each member, also for those that were removed.
  package let value: DocumentValue
  /// What gave way, in the order of the members.
  package let overruled: [Overruled]

  /// - Parameter base: What both sides started from, if that is known. It tells which members a
  ///   program changed that knows nothing of times; see ``MemberStates``.
  package init(base: TimedDocument? = nil, here: TimedDocument, there: TimedDocument) {
    let ours = MemberStates(here, since: base)
    let theirs = MemberStates(there, since: base)
    var members: [ObjectMember] = []
    var times = MemberTimes(of: nil)
    var overruled: [Overruled] = []
    for name in theirs.names + ours.names.filter({ theirs[$0] == nil }) {
      let (mine, other) = (ours[name], theirs[name])
      let winner = MemberStates.winner(mine, other)
      guard let state = winner == .here ? mine : other else { continue }
      let member = ObjectMember(name: name, value: state.value ?? .null)
      if state.value != nil { members.append(member) }
      times[name] = state.time
      guard let loser = winner == .here ? other : mine, loser.value != state.value else { continue }
      overruled.append(Overruled(name: member.text, side: winner.other, value: loser.value))
    }
    members.append(ObjectMember(name: MemberTimes.nameBytes, value: times.value))
    value = DocumentValue(joining: members)
    self.overruled = overruled
  }

  /// The side that changed that member last; the server's where both are the same.
  package static func winner(
    of name: String, base: TimedDocument?, here: TimedDocument, there: TimedDocument
  ) -> MergeSide {
    let name = ByteString(name)
    return MemberStates.winner(
      MemberStates(here, since: base)[name], MemberStates(there, since: base)[name])
  }
}
