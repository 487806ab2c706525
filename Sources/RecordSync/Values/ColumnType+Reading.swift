package import SyncDatabase
package import SyncText

extension ColumnType {
  /// What a value of JSON becomes in a column of this type: what SQLite will hold after it was
  /// stored, so that it can be compared with what is there.
  package func stored(
    _ node: JSONTape.Node, in tape: borrowing JSONTape
  ) -> Conversion {
    if tape.kind(of: node) == .null { return .stored(nil, isCoerced: false) }
    let conversion = meaning(node, in: tape)
    guard case .stored(let value?, let isCoerced) = conversion else { return conversion }
    switch (affinity, value) {
    case (.text, .text), (.integer, .integer), (.numeric, .integer), (.blob, _):
      return conversion
    default: return .stored(affinity.kept(value), isCoerced: isCoerced)
    }
  }

  /// What a value of JSON is as a key of this type; `nil` for null, for an array or an object, and
  /// for what the column can't hold.
  package func key(
    _ node: JSONTape.Node, in tape: borrowing JSONTape
  ) -> (value: StoredValue, isCoerced: Bool)? {
    switch tape.kind(of: node) {
    case .null, .array, .object: return nil
    case .false, .true, .number, .string: break
    }
    guard case .stored(let value?, let isCoerced) = stored(node, in: tape) else { return nil }
    return (value, isCoerced)
  }

  /// Before SQLite's affinity has its say.
  private func meaning(_ node: JSONTape.Node, in tape: borrowing JSONTape) -> Conversion {
    switch kind {
    case .text: .text(node, in: tape)
    case .integer: .integer(node, in: tape)
    case .real: .real(node, in: tape)
    case .decimal: .decimal(node, in: tape, isExact: affinity == .text)
    case .boolean: .boolean(node, in: tape)
    case .date(let storage): .date(node, in: tape, as: storage, isReal: affinity == .real)
    case .uuid: .uuid(node, in: tape)
    case .url: .url(node, in: tape)
    case .json: .json(node, in: tape, hasNumbers: affinity != .text && affinity != .blob)
    case .blob: .blob(node, in: tape, onlyBytes: isStrict)
    case .any: .any(node, in: tape)
    }
  }
}
