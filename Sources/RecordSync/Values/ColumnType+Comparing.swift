package import SyncDatabase
private import SyncText

extension ColumnType {
  /// Whether a column already holds what is to be stored in it, so that nothing need be written.
  ///
  /// To the byte, but for values that mean the same in another form, whoever put them there: JSON
  /// with its members in another order, the same moment, truth value or UUID, bytes that were stored
  /// as text. What JSON can't tell from another value, since both are exported alike, is the same.
  /// - Parameter new: As ``stored(_:in:)`` gives it.
  package func isSame(_ stored: StoredValue?, _ new: StoredValue?) -> Bool {
    guard let stored, let new else { return stored == nil && new == nil }
    return stored.isIdentical(to: new) || isAlike(stored, new)
  }

  private func isAlike(_ stored: StoredValue, _ new: StoredValue) -> Bool {
    switch kind {
    case .json:
      guard let one = stored.json, let two = new.json else { return false }
      return one.means(theSameAs: two)
    case .date(let storage):
      guard let one = stored.moment(as: storage), let two = new.moment(as: storage)
      else { return false }
      // Whole seconds are all that this column is given.
      if storage == .seconds, affinity != .real { return one.seconds == two.seconds }
      return one == two
    case .boolean:
      guard let one = stored.truth, let two = new.truth else { return false }
      return one == two
    case .uuid:
      guard case (.text(let one), .text(let two)) = (stored, new), let one = UUIDText(one),
        let two = UUIDText(two)
      else { return false }
      return one == two
    case .blob:
      guard let one = stored.bytes, let two = new.bytes else { return false }
      return one == two
    case .text, .integer, .real, .decimal, .url, .any:
      // A blob here is exported as base64, which comes back as text.
      guard case (.blob(let bytes), .text(let text)) = (stored, new) else { return false }
      return Base64.text(of: bytes).utf8.elementsEqual(text.utf8)
    }
  }
}
