import SyncText

/// How what is seldom to be said of an entry is written.
///
/// The form has a number. An entry in a form that isn't known here isn't dropped: it's set aside,
/// and says so.
enum EntryForm {
  /// The form that is written.
  static let current: Int64 = 1

  /// The details of an entry; `nil` if there is nothing to be said.
  static func details(of entry: OutboxEntry) -> DocumentValue? {
    var members: [(String, DocumentValue)] = []
    switch entry.phase {
    case .waiting, .parked, .contested(nil): break
    case .sending(let order): members.append(("sending", written(order)))
    case .contested(let refusal?): members.append(("refusal", written(refusal)))
    case .setAside(.refused(let refusal)): members.append(("refusal", written(refusal)))
    case .setAside(.madeAs(let key)): members.append(("madeAs", DocumentValue(key.text)))
    case .setAside(.outrun(let rounds)): members.append(("outrun", DocumentValue(rounds)))
    case .setAside(.unknownForm(let form)): members.append(("form", DocumentValue(form)))
    }
    if !entry.unanswered.isEmpty {
      let orders = DocumentValue(joining: entry.unanswered.map(written))
      members.append(("unanswered", orders))
    }
    if let order = entry.lastOrder { members.append(("last", written(order))) }
    switch entry.burial {
    case .none: break
    case .at(let version):
      members.append(("burial", version.map { DocumentValue($0.text) } ?? .null))
    }
    if entry.tries != 0 { members.append(("tries", DocumentValue(entry.tries))) }
    if entry.rounds != 0 { members.append(("rounds", DocumentValue(entry.rounds))) }
    switch entry.company {
    case .any: break
    case .atMost(let count): members.append(("company", DocumentValue(count)))
    case .last: members.append(("company", DocumentValue("last")))
    }
    return members.isEmpty ? nil : object(members)
  }

  private static func written(_ order: SendOrder) -> DocumentValue {
    let (kind, base): (String, DocumentVersion?) =
      switch order.kind {
      case .create: ("create", nil)
      case .update(let base): ("update", base)
      case .delete(let base): ("delete", base)
      case .look: ("look", nil)
      }
    let members = [("revision", DocumentValue(order.revision.number)), ("kind", .init(kind))]
    return object(members + (base.map { [("base", DocumentValue($0.text))] } ?? []))
  }

  private static func written(_ refusal: Refusal) -> DocumentValue {
    object([("status", DocumentValue(refusal.status)), ("words", DocumentValue(refusal.words))])
  }

  private static func object(_ members: [(String, DocumentValue)]) -> DocumentValue {
    DocumentValue(joining: members.map { ObjectMember(name: .init($0), value: $1) })
  }
}
