import SyncDatabase
import SyncText

/// Inserts the new elements of a window with their children, all or none: without its parent no
/// child may stay, and of one that is refused the general way has to tell.
struct TapeInsertion {
  let comparison: TapeComparison
  let connection: Connection

  /// `false` if nothing was inserted.
  func run(_ compared: inout ComparedWindow, _ window: PayloadWindow) throws -> Bool {
    guard compared.fates.contains(.new) else { return true }
    let isDone = try connection.savepoint(keeping: \.self) {
      try window.tape.bytes.withUnsafeBufferPointer { text in
        let elements = compared.newElements(text)
        guard try insert(elements, nil, &compared, window.tape, text) else { return false }
        return try comparison.relations.indices.allSatisfy { relation in
          let children = compared.children(relation, of: .new)
          return try insert(children, relation, &compared, window.tape, text)
        }
      }
    }
    if !isDone { compared.refuseNew() }
    return isDone
  }

  /// `false` for a row that breaks a rule of its table, or of whose values there is more to tell.
  ///
  /// - Parameter relation: That of children; `nil` for the elements themselves.
  private func insert(
    _ places: [Int], _ relation: Int?, _ compared: inout ComparedWindow, _ tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    let family = relation.map { comparison.relations[$0] }
    let access = family?.access ?? comparison.access
    let table = family?.table ?? comparison.table
    var rest = places[...]
    while let first = rest.first {
      let columns = compared.columns(of: first, relation)
      let all = columns + (family?.column.map { [$0] } ?? [])
      let isDone = try connection.withCursor(access.insert(all)) { cursor in
        // All that give the same columns go through one statement.
        while let place = rest.first {
          let row = relation.map { compared.children[$0][place] } ?? compared.parents[place]
          let members = compared.members[row.members]
          guard members.give(columns) else { return true }
          guard try members.bind(to: cursor, in: tape, text) else { return false }
          if family != nil {
            try compared.parents[row.element].key.bind(to: cursor, at: all.count, text)
          }
          guard try cursor.runUnlessRefused() else { return false }
          compared.setRow(number(of: row.key, table), of: place, relation)
          rest = rest.dropFirst()
        }
        return true
      }
      guard isDone else { return false }
    }
    return true
  }

  private func number(of key: FlatKey, _ table: FlatTable) -> Int64 {
    if case .number(let number) = key, table.isKeyRowNumber { return number }
    return connection.lastInsertedRow
  }
}

extension ComparedWindow {
  fileprivate func columns(of place: Int, _ relation: Int?) -> [Int] {
    let row = relation.map { children[$0][place] } ?? parents[place]
    return members[row.members].map(\.column)
  }

  fileprivate mutating func setRow(_ row: Int64, of place: Int, _ relation: Int?) {
    if let relation {
      setRow(row, of: place, in: relation)
    } else {
      setRow(row, of: place)
    }
  }
}
