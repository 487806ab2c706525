import SyncText

/// A document with its ``MemberTimes`` and the time of its version, as one replica has it.
package struct TimedDocument: Sendable, Hashable {
  /// The document, with the times that it carries.
  package let value: DocumentValue
  /// When this version came to be, in milliseconds since 1970 began, for members whose time isn't
  /// known; `nil` counts as long ago.
  package let time: Int64?
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

/// When each member of a document was changed last, in milliseconds since 1970 began.
///
/// A document carries them in one reserved member: `"_times": {"title": 1730000000000}`. A member
/// that was removed keeps its time there, so that a removal wins or loses as any change does.
package struct MemberTimes: Sendable, Hashable {
  package static let name = MemberNames.times
  static let nameBytes = ByteString(name)

  private var times: [ByteString: Int64] = [:]

  /// The times that a document carries. What isn't a whole number of 64 bits is passed over.
  init(of value: DocumentValue?) {
    for member in value?[Self.name]?.objectMembers ?? [] {
      times[member.name] = member.value.integer
    }
  }

  var names: Set<ByteString> { Set(times.keys) }

  subscript(name: ByteString) -> Int64? {
    get { times[name] }
    set { times[name] = newValue }
  }

  /// The object that carries them, sorted by name.
  var value: DocumentValue {
    DocumentValue(
      joining: times.sorted { $0.key < $1.key }
        .map { ObjectMember(name: $0.key, value: DocumentValue($0.value)) })
  }

  /// Of each member the later time of two objects of them; `nil` if there is neither. A time never
  /// goes back.
  static func joined(_ one: DocumentValue?, _ other: DocumentValue?) -> DocumentValue? {
    guard one != nil || other != nil else { return nil }
    var times = MemberTimes()
    for member in (one?.objectMembers ?? []) + (other?.objectMembers ?? []) {
      guard let time = member.value.integer else { continue }
      times[member.name] = max(time, times[member.name] ?? time)
    }
    return times.value
  }

  private init() {}
}

extension DocumentValue {
  /// The document without the times of its members, which people and programs never see.
  package var withoutTimes: DocumentValue {
    replacing(MemberTimes.nameBytes, with: nil)
  }

  /// Whether both are equal but for the times of their members.
  package func hasSameContent(as other: DocumentValue) -> Bool {
    if self == other { return true }
    guard self[MemberTimes.name] != nil || other[MemberTimes.name] != nil else { return false }
    return withoutTimes == other.withoutTimes
  }

  func joiningTimes(of other: DocumentValue) -> DocumentValue {
    guard let theirs = other[MemberTimes.name] else { return self }
    let joined = MemberTimes.joined(self[MemberTimes.name], theirs)
    return replacing(MemberTimes.nameBytes, with: joined)
  }

  /// The document with the times of its members, as a person changed it.
  ///
  /// What differs from `previous` was changed at `time`, or a millisecond after it was changed
  /// last, if that is later: no clock that goes back makes a change older than what it changed.
  /// All else keeps its time.
  /// - Parameter previous: The local document before, with its times; `nil` for a new one.
  package func stamped(over previous: DocumentValue?, at time: Int64) -> DocumentValue {
    var times = MemberTimes(of: previous)
    let (old, new) = (MemberTable(previous), MemberTable(self))
    for name in Set((old.members + new.members).map(\.name)) where old[name] != new[name] {
      guard name != MemberTimes.nameBytes else { continue }
      let last = times[name] ?? .min
      times[name] = last < time ? time : last == .max ? last : last + 1
    }
    return replacing(MemberTimes.nameBytes, with: times.value)
  }
}
