import SyncText

/// When each member of a document was changed last, in milliseconds since 1970 began.
///
/// A document carries them in one reserved member: `"_times": {"title": 1730000000000}`. A member
/// that was removed keeps its time there, so that a removal wins or loses as any change does.
package struct MemberTimes: Sendable, Hashable {
  package static let name = MemberNames.times
  static let path = MemberPath(name)
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

  /// The document with the times that it and `other` carry, of each member the later one; as it is
  /// where `other` carries none.
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
