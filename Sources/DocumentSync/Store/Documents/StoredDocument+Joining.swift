import SyncText

/// What is changed here goes on with what the server has beside it.
extension StoredDocument {
  /// The edit since goes on with what the server has beside what was sent before it: an update
  /// without that would take it out again. What the sent change took out doesn't come back so.
  mutating func join(
    _ copy: DocumentValue, madeOf sent: DocumentValue?, _ counter: inout RevisionCounter
  ) {
    guard let body else { return }
    let known = [sent, body, base?.value].compactMap(\.self)
    let added = copy.withoutTimes.objectMembers.filter { member in
      sent != nil && body.isObject && known.allSatisfy { $0[member.text] == nil }
    }
    if !added.isEmpty {
      // Under its old number the server may have been sent it without them.
      let fresh = counter.fresh()
      _ = change { $0.renamed(as: fresh) }
    }
    self.body = added.reduce(body.joiningTimes(of: copy)) { joined, member in
      joined.replacing(member.name, with: member.value)
    }
  }

  /// An edit together with what a look before it shows beside all that was known: where whole
  /// documents give way, members that were added are no reason for that, since some services show
  /// more of a single row than of those in lists. They aren't written over either. `nil` where the
  /// policies decide.
  func joined(_ verdict: SendVerdict, _ rules: MeetingRules) -> Decision? {
    guard entry?.change.isUpdate ?? false, let base, var body,
      case .shown(.present(let copy), _) = verdict,
      rules.givesWayWhole,
      copy.value.isMade(of: base.value, rules),
      !copy.value.hasSameContent(as: base.value)
    else { return nil }
    body = body.taking(rules.serverOwned, of: copy.value)
    for member in copy.value.withoutTimes.objectMembers where base.value[member.text] == nil {
      // Both added it.
      guard (body[member.text] ?? member.value) == member.value else { return nil }
      body = body.replacing(member.name, with: member.value)
    }
    return Decision(.rebase(base: copy, body: body), by: .onlyOneSide)
  }
}

extension Meeting.Here {
  /// With what the server has of the members that it writes itself: nobody edited those.
  func taking(_ names: Set<String>, of copy: DocumentValue) -> Self {
    func renewed(_ base: ServerCopy) -> ServerCopy {
      ServerCopy(
        value: base.value.taking(names, of: copy), version: base.version, time: base.time)
    }
    switch self {
    case .nothing, .synced: return self
    case .created(let body, let sent):
      return .created(body: body.taking(names, of: copy), sent: sent)
    case .edited(let base, let body, let sent):
      return .edited(base: renewed(base), body: body.taking(names, of: copy), sent: sent)
    case .deleted(let base, let sent): return .deleted(base: base.map(renewed), sent: sent)
    }
  }
}

extension DocumentValue {
  /// The document with these members of another one, and without those that it lacks. What is no
  /// object stays as it is.
  func taking(_ names: Set<String>, of other: DocumentValue) -> DocumentValue {
    guard other.isObject else { return self }
    return names.sorted().reduce(self) { $0.replacing(ByteString($1), with: other[$1]) }
  }
}
