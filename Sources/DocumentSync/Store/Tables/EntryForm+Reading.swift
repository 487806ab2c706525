extension EntryForm {
  /// Details that aren't what this program writes.
  struct Unknown: Error {}

  /// Completes an entry by its details.
  ///
  /// - Parameters:
  ///   - phase: the name of where it is.
  ///   - form: the form in which the details are written.
  static func complete(
    _ entry: inout OutboxEntry, phase: String, form: Int64, details: DocumentValue?
  ) {
    var read = entry
    do {
      guard form == current else { throw Unknown() }
      let details = details ?? [:]
      read.phase = try self.phase(phase, details)
      read.unanswered = try details["unanswered"]?.elements?.map(order) ?? []
      read.lastOrder = try details["last"].map(order)
      if let burial = details["burial"] {
        read.burial = .at(burial.string.map { DocumentVersion($0) })
      }
      read.tries = try count(details["tries"]) ?? 0
      read.rounds = try count(details["rounds"]) ?? 0
      read.company = try company(details)
      entry = read
    } catch {
      entry.phase = .setAside(.unknownForm(form))
    }
  }

  static func name(of phase: OutboxEntry.Phase) -> String {
    switch phase {
    case .waiting: "waiting"
    case .sending: "sending"
    case .contested: "contested"
    case .parked: "parked"
    case .setAside: "setAside"
    }
  }

  /// With how many others an entry is sent.
  static func company(form: Int64, _ details: DocumentValue?) -> Company {
    guard form == current, let details else { return .any }
    return (try? company(details)) ?? .any
  }

  private static func company(_ details: DocumentValue) throws(Unknown) -> Company {
    guard let company = details["company"] else { return .any }
    return try company.string == "last" ? .last : .atMost(count(company) ?? 1)
  }

  private static func phase(
    _ name: String, _ details: DocumentValue
  ) throws(Unknown) -> OutboxEntry.Phase {
    switch name {
    case "waiting": return .waiting
    case "parked": return .parked
    case "sending": if let sending = details["sending"] { return .sending(try order(sending)) }
    case "contested": return .contested(try details["refusal"].map(refusal))
    case "setAside":
      if let words = details["refusal"] { return .setAside(.refused(try refusal(words))) }
      if let key = details["madeAs"]?.string { return .setAside(.madeAs(DocumentID(key))) }
      if let rounds = try count(details["outrun"]) { return .setAside(.outrun(rounds: rounds)) }
      if let form = details["form"]?.integer { return .setAside(.unknownForm(form)) }
    default: break
    }
    throw Unknown()
  }

  private static func order(_ value: DocumentValue) throws(Unknown) -> SendOrder {
    guard let revision = value["revision"]?.integer else { throw Unknown() }
    let base = value["base"]?.string.map { DocumentVersion($0) }
    let kind: SendOrder.Kind
    switch (value["kind"]?.string, base) {
    case ("create", nil): kind = .create
    case ("update", let base?): kind = .update(base)
    case ("delete", let base?): kind = .delete(base)
    case ("look", nil): kind = .look
    default: throw Unknown()
    }
    return SendOrder(revision: Revision(revision), kind: kind)
  }

  private static func refusal(_ value: DocumentValue) throws(Unknown) -> Refusal {
    guard let status = try count(value["status"]), let words = value["words"]?.string else {
      throw Unknown()
    }
    return Refusal(status: status, words: words)
  }

  private static func count(_ value: DocumentValue?) throws(Unknown) -> Int? {
    guard let value else { return nil }
    guard let count = value.integer.flatMap({ Int(exactly: $0) }) else { throw Unknown() }
    return count
  }
}
