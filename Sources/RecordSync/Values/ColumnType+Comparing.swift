package import SyncDatabase
private import SyncText

extension ColumnType {
  /// Whether a column already holds what is to be stored in it, so that nothing need be written.
  ///
  /// To the byte, but for values that mean the same in another form, whoever put them there: JSON
  /// with its members in another order, the same moment, truth value or UUID, bytes that were
  /// stored as text. A value that isn't of the column's type is the same as what its own export
  /// gives.
  /// - Parameter new: As ``stored(_:in:)`` gives it.
  package func isSame(_ stored: StoredValue?, _ new: StoredValue?) -> Bool {
    guard let stored, let new else { return stored == nil && new == nil }
    if stored.isIdentical(to: new) { return true }
    return isAlike(stored, new) ?? exports(stored, as: new)
  }

  /// Whether two values that differ mean the same; `nil` if one of them isn't of this type.
  private func isAlike(_ stored: StoredValue, _ new: StoredValue) -> Bool? {
    switch kind {
    case .json:
      return compare(stored.json, new.json) { $0.means(theSameAs: $1) }
    case .date(let storage):
      // Whole seconds are all that a column of integers is given.
      let isRounded = storage == .seconds && affinity != .real
      return compare(stored.moment(as: storage), new.moment(as: storage)) {
        isRounded ? $0.seconds == $1.seconds : $0 == $1
      }
    case .boolean:
      return compare(stored.truth, new.truth, by: ==)
    case .uuid:
      return compare(UUIDText(stored), UUIDText(new), by: ==)
    case .blob:
      if stored.bytes == new.bytes { return true }
      guard case (.text, .text) = (stored, new) else { return nil }
      return compare(stored.json, new.json) { $0.means(theSameAs: $1) }
    case .text, .integer, .real, .decimal, .url, .any:
      return stored.hasType(of: new) ? false : nil
    }
  }

  private func compare<Meaning>(
    _ one: Meaning?, _ other: Meaning?, by areEqual: (Meaning, Meaning) -> Bool
  ) -> Bool? {
    guard let one, let other else { return nil }
    return areEqual(one, other)
  }

  /// Whether a value comes back as the other one when its export is read.
  private func exports(_ stored: StoredValue, as new: StoredValue) -> Bool {
    var text: [UInt8] = []
    json(of: stored, to: &text)
    var tape = JSONTape(nesting: 512)
    tape.begin(text)
    guard let (root, _) = try? tape.append(at: 0),
      case .stored(let again?, _) = self.stored(root, in: tape)
    else { return false }
    return again.isIdentical(to: new)
  }
}
