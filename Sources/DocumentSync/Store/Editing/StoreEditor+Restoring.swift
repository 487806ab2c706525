/// Giving up a change, and taking back one that was lost.
extension StoreEditor {
  @discardableResult
  package func resign(_ id: DocumentID) throws -> Bool {
    try change(id, in: nil) { document, counter in
      guard document.entry?.underWay == nil else { throw DocumentError.isUnderWay(id) }
      return document.resigned(&counter)
    } ?? false
  }

  @discardableResult
  package func restore(
    _ number: Int64, as newID: DocumentID? = nil, stamps: Bool = false
  ) throws -> DocumentID {
    guard let (lost, scope) = try reader.lost(number) else {
      throw DocumentError.notLost(number)
    }
    let (loss, id) = (lost.loss, newID ?? lost.id)
    guard !id.text.isEmpty else { throw DocumentError.noID }
    let present = try reader.stored(lost.id)?.body?.withoutTimes
    let content = try content(of: lost, in: present, isNew: newID != nil)
    let taken = present.flatMap { $0.taken(at: loss.path) }
    _ = try change(id, in: scope) { document, counter in
      guard newID == nil || document.body == nil else { throw DocumentError.isThere(id) }
      let edit = stamps ? content?.stamped(over: document.body, at: session.now) : content
      return document.restored(edit, at: taken, &counter)
    }
    return id
  }

  /// Where the document is at home of which something was lost; `nil` if it isn't kept any more.
  package func home(ofLost number: Int64) throws -> DocumentScope? {
    try reader.lost(number)?.1
  }

  /// What the document is to say; `nil` if it's to be deleted.
  private func content(
    of lost: LostChange, in present: DocumentValue?, isNew: Bool
  ) throws -> DocumentValue? {
    let loss = lost.loss
    if loss.path == .whole, let value = loss.value { return value }
    if loss.path == .whole, !isNew { return nil }
    guard let present, loss.path != .whole else {
      throw DocumentError.noDocument(lost.id)
    }
    return try present.setting(loss.path, to: loss.value)
  }
}
