package import DocumentSync

/// What it tells of a collection.
///
/// Lists go by the moments of the changes, upwards: what changes while pages are asked for moves to
/// the end of the list, and comes with a later page.
extension ServerState {
  package func changes(
    in collection: String, from place: ChangesPlace, _ part: ListPart = ListPart()
  ) -> ChangesAnswer {
    switch place {
    case .beginning: return .page(page(of: everything(in: collection), in: collection, part))
    case .page(let mark):
      guard let reading = ListReading(mark), reading.life == life else { return .forgot }
      return .page(page(of: reading, in: collection, part))
    case .since(let checkpoint):
      guard manners.capabilities.has(.changes) else {
        return .page(page(of: everything(in: collection), in: collection, part))
      }
      guard let known = ServerCheckpoint(checkpoint), known.life == life else { return .forgot }
      // Several changes may have the very moment of the checkpoint: those are told again.
      let place = ChangeStamp(time: known.time, number: manners.stamps == .rising ? .max : 0)
      let reading = ListReading(life: life, extent: .changes, after: place, began: place)
      let page = page(of: reading, in: collection, part)
      // Else what a filter hides would be news for ever.
      let isBehind = part.filter != nil && known.time < lastTime(in: collection) ?? .min
      let saysNothing = page.documents.isEmpty && page.unreadable.isEmpty && !isBehind
      return saysNothing ? .unchanged : .page(page)
    }
  }

  private func everything(in collection: String) -> ListReading {
    ListReading(
      life: life, extent: .everything, after: ChangeStamp(time: .min, number: 0),
      began: ChangeStamp(time: lastTime(in: collection) ?? .min, number: .max))
  }

  private func page(
    of reading: ListReading, in collection: String, _ part: ListPart
  ) -> ChangePage {
    let rest = (collections[collection] ?? [:])
      .filter { $0.value.place > reading.after && isTold($0.value, in: reading) }
      .filter { part.lets($0.value) }
      .sorted { $0.value.place < $1.value.place }
    let rows = rest.prefix(manners.pageSize)
    var page = ChangePage(extent: reading.extent, documents: [])
    for (place, (id, document)) in rows.enumerated() {
      if part.isOfIDs {
        page.named.append(id)
      } else if let state = document.state(tellingRevivals: tellsRevivals) {
        page.documents.append(DocumentChange(id: id, state: state))
      } else {
        page.unreadable.append(
          UnreadableEntry(id: id, place: place, reason: "at byte 0 stands what isn't UTF-8"))
      }
    }
    let last = rows.last?.value.place ?? reading.after
    if manners.capabilities.has(.changes), !part.isOfIDs {
      let isEnd = rest.count <= rows.count
      let seen = part.filter != nil && isEnd ? lastTime(in: collection) ?? .min : .min
      page.checkpoint = ServerCheckpoint(life: life, time: max(0, last.time, seen)).written
    }
    if rest.count > rows.count {
      page.next =
        ListReading(
          life: life, extent: reading.extent, after: last, began: reading.began
        ).written
    }
    return page
  }

  /// A list of all documents tells a deletion only if it came after the list's beginning: the
  /// document may have been told of before.
  private func isTold(_ document: ServerDocument, in reading: ListReading) -> Bool {
    if document.isThere { return true }
    guard manners.capabilities.has(.tombstones) else { return false }
    return reading.extent == .changes || document.place > reading.began
  }
}

/// Which documents a list is of, and how much it tells of them.
package struct ListPart: Sendable, Hashable {
  /// Members that they have, by name; as text, or as what is written there in JSON.
  package var filter: CollectionFilter?
  package var isOfIDs = false

  /// All documents, and what they say.
  package init() {}

  /// Whether it's told. Filters hide deletions.
  func lets(_ document: ServerDocument) -> Bool {
    guard let filter else { return true }
    guard case .value(let value) = document.content else { return false }
    return filter.conditions.allSatisfy { condition in
      let member = value[condition.name]
      return member?.string == condition.value || member?.text == condition.value
    }
  }
}

struct ServerCheckpoint: Hashable {
  let life: Int
  /// The moment of the last change that was told.
  let time: Int64

  var written: String { "\(life)/\(time)" }
}

extension ServerCheckpoint {
  /// Reads one; `nil` if it is none of ours.
  init?(_ checkpoint: String) {
    let parts = checkpoint.split(separator: "/")
    guard parts.count == 2, let life = Int(parts[0]), let time = Int64(parts[1]) else { return nil }
    self.init(life: life, time: time)
  }
}

/// A list of which some pages were told: what the marks of this server say.
struct ListReading: Hashable {
  let life: Int
  let extent: ChangePage.Extent
  let after: ChangeStamp
  let began: ChangeStamp

  var written: String {
    "\(life)/\(extent == .everything ? "all" : "new")/\(after.time)/\(after.number)"
      + "/\(began.time)/\(began.number)"
  }
}

extension ListReading {
  /// Reads one; `nil` if it is none of ours.
  init?(_ mark: String) {
    let parts = mark.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 6, let life = Int(parts[0]), let time = Int64(parts[2]),
      let number = Int(parts[3]), let began = Int64(parts[4]), let beganNumber = Int(parts[5])
    else { return nil }
    self.init(
      life: life, extent: parts[1] == "all" ? .everything : .changes,
      after: ChangeStamp(time: time, number: number),
      began: ChangeStamp(time: began, number: beganNumber))
  }
}

extension ServerDocument {
  /// What is told of it; `nil` where it can't be read.
  func state(tellingRevivals tells: Bool) -> DocumentState? {
    switch content {
    case .value(let value):
      let copy = ServerCopy(value: value, version: version, time: place.time)
      return isRevived && tells ? .revived(copy) : .present(copy)
    case .scrambled: return nil
    case .gone: return .deleted(version)
    }
  }
}
