import SyncText

/// Two changes of one document united, member by member.
///
/// A member that one side changed is taken from it. Objects are merged by their members, at any
/// depth; arrays and all else are values as a whole. Where both sides changed a member to different
/// values, or one changed what the other removed, they clash, unless a merger finds a value that
/// holds both changes. Members stand in the order of the server's, new ones of ours behind them.
package struct ThreeWayMerge: Sendable, Hashable {
  /// What came of it; the server's value as it is written, if it means the same.
  package let value: DocumentValue
  /// The members that clashed, in the order in which they were come upon.
  package let clashes: [MemberClash]

  /// - Parameters:
  ///   - base: What both sides started from; `nil` when both made the document anew.
  ///   - winner: Whose value is taken where both clash.
  package init(
    base: DocumentValue?, here: DocumentValue, there: DocumentValue,
    mergers: [DocumentPath: MemberMerger] = [:],
    winner: @escaping (MemberClash) -> MergeSide
  ) {
    var index = ValueIndex()
    let (older, ours, theirs) = (base.map { index.add($0) }, index.add(here), index.add(there))
    var walk = MemberWalk(mergers: mergers, winner: winner)
    // Since both sides are there, something comes of them.
    let merged = walk.merge(base: older, here: ours, there: theirs, at: .whole) ?? there
    value = merged == there ? there : merged
    clashes = walk.clashes
  }
}

private struct MemberWalk {
  let mergers: [DocumentPath: MemberMerger]
  let winner: (MemberClash) -> MergeSide
  var clashes: [MemberClash] = []

  /// What becomes of one member.
  mutating func merge(
    base: IndexedValue?, here: IndexedValue?, there: IndexedValue?,
    at path: @autoclosure () -> DocumentPath
  ) -> DocumentValue? {
    if here?.identity == base?.identity { return there?.value }
    if there?.identity == base?.identity {
      // What wasn't changed inside stays as the server wrote it, and where.
      guard let ours = here?.members, let theirs = there?.members else { return here?.value }
      return mergeMembers(base?.members ?? [], ours, theirs, at: path())
    }
    let path = path()
    if let here, let there {
      if let merged = mergeValues(base, here, there, at: path) { return merged }
    } else if here == nil, there == nil {
      return nil
    }
    let clash = MemberClash(
      path: path, base: base?.value, here: here?.value, there: there?.value)
    clashes.append(clash)
    return clash.value(winner(clash))
  }

  /// Both sides made something else of it; `nil` where only one of the two can stay.
  private mutating func mergeValues(
    _ base: IndexedValue?, _ here: IndexedValue, _ there: IndexedValue, at path: DocumentPath
  ) -> DocumentValue? {
    if let merger = mergers[path],
      let merged = merger.merge(base?.value, here.value, there.value),
      path.steps.count + merged.depth <= DocumentValue.deepestNesting
    {
      return merged
    }
    let isSame = here.identity == there.identity
    // What both made the same of is the same inside, too, unless a merger there sees it otherwise.
    if isSame, !mergers.reach(below: path) { return there.value }
    if let ours = here.members, let theirs = there.members {
      return mergeMembers(base?.members ?? [], ours, theirs, at: path)
    }
    return isSame ? there.value : nil
  }

  private mutating func mergeMembers(
    _ base: [IndexedValue.Member], _ here: [IndexedValue.Member], _ there: [IndexedValue.Member],
    at path: DocumentPath
  ) -> DocumentValue {
    let (older, ours, theirs) = (Self.table(base), Self.table(here), Self.table(there))
    var merged: [ObjectMember] = []
    for member in there + here.filter({ theirs[$0.name] == nil }) {
      let name = member.name
      let value =
        path == .whole && name == MemberTimes.nameBytes
        ? MemberTimes.joined(ours[name]?.value, theirs[name]?.value)
        : merge(
          base: older[name], here: ours[name], there: theirs[name],
          at: path.appending(String(decoding: name.bytes, as: UTF8.self)))
      if let value { merged.append(ObjectMember(member, value: value)) }
    }
    return DocumentValue(joining: merged)
  }

  private static func table(_ members: [IndexedValue.Member]) -> [ByteString: IndexedValue] {
    Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}

/// A member that both sides changed to something else, so that one of them has to give way.
package struct MemberClash: Sendable, Hashable {
  /// Where the member stands.
  package let path: DocumentPath
  /// What both started from; `nil` where there was no such member.
  package let base: DocumentValue?
  /// What it was changed to here; `nil` where it was removed.
  package let here: DocumentValue?
  /// What it was changed to at the server; `nil` where it was removed.
  package let there: DocumentValue?

  package func value(_ side: MergeSide) -> DocumentValue? {
    switch side {
    case .here: here
    case .there: there
    }
  }
}

/// One of the two that meet: the copy that is edited here, or the server's.
public enum MergeSide: Sendable, Hashable, CaseIterable {
  /// What was edited here.
  case here
  /// What the server has.
  case there

  /// The one that it isn't.
  package var other: MergeSide {
    switch self {
    case .here: .there
    case .there: .here
    }
  }
}

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

extension DocumentValue {
  /// The document as a program's own value is to change it; what the type doesn't know stays.
  ///
  /// The type is asked what it makes of this document: it is read as one, and written again. What
  /// `value` says otherwise than that was changed, and only that changes here, at any depth of
  /// objects: a member that the type knew and `value` lacks goes, and what both say alike stays as
  /// it is written here, even where the type would write it in another way, or with fewer digits.
  /// An array that was changed is taken as a whole.
  /// - Throws: What reading and writing the type throws; a document that can't be read as one isn't
  ///   changed by guess.
  package func updating<Value: Codable>(with value: Value) throws -> DocumentValue {
    let known = try DocumentValue.encode(try decode(Value.self))
    let changed = try DocumentValue.encode(value)
    return ThreeWayMerge(base: known, here: changed, there: self) { _ in .here }.value
  }
}
