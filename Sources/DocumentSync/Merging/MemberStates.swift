import SyncText

/// What a document says of each of its top-level members, and since when.
///
/// A member has the time that the document carries for it, or else the time of the document's
/// version. Where the base is known, it says more, since not everybody who writes knows of times:
/// - a member without a time that is as it was in the base has its time there;
/// - a time that came with the base's value doesn't belong to another one, which somebody put there
///   who doesn't know of times: that has the version's time;
/// - a member of the base that is gone without a time was removed at the version's time. Without a
///   base, a member that isn't there and has no time says nothing.
struct MemberStates {
  /// A member at one side.
  struct State: Hashable {
    let time: Int64
    /// `nil` where it was removed.
    let value: DocumentValue?
  }

  /// The members in their order, then those that were removed.
  let names: [ByteString]
  private let states: [ByteString: State]

  init(_ document: TimedDocument, since base: TimedDocument?) {
    let (times, members) = (MemberTimes(of: document.value), MemberTable(document.value))
    let (oldTimes, old) = (MemberTimes(of: base?.value), MemberTable(base?.value))
    // Long ago, but after nothing at all.
    let (versionTime, oldVersionTime) = (document.time ?? 0, base?.time ?? 0)

    func state(_ name: ByteString) -> State? {
      let (value, before) = (members[name], old[name])
      if let time = times[name] {
        let isOfTheBase = value != before && oldTimes[name] == time
        return State(time: isOfTheBase ? versionTime : time, value: value)
      }
      if let value, value == before {
        return State(time: oldTimes[name] ?? oldVersionTime, value: value)
      }
      return value == nil && before == nil ? nil : State(time: versionTime, value: value)
    }

    let present = members.members.map(\.name)
    let gone = times.names.union(old.members.map(\.name)).subtracting(present).sorted()
    names = (present + gone).filter { $0 != MemberTimes.nameBytes }
    states = Dictionary(
      names.compactMap { name in state(name).map { (name, $0) } }, uniquingKeysWith: { $1 })
  }

  /// What is known of that member; `nil` where nothing is.
  subscript(name: ByteString) -> State? { states[name] }

  /// The side whose state stays; the server's where both are the same.
  static func winner(_ here: State?, _ there: State?) -> MergeSide {
    guard let here else { return .there }
    guard let there else { return .here }
    if here.time != there.time { return here.time > there.time ? .here : .there }
    guard let ours = here.value else { return .there }
    guard let theirs = there.value else { return .here }
    let (mine, other) = (ours.json.canonicalBytes, theirs.json.canonicalBytes)
    return other.lexicographicallyPrecedes(mine) ? .here : .there
  }
}
