/// Asks whoever wants to know before a row is inserted, once for each row.
///
/// It is asked where it is known that there is no such row, so with the values of the columns: of
/// the object nothing else is left there. Rows that have to wait are tried more than once; the
/// answer is kept.
struct InsertionHook {
  var schema: RecordSchema
  private let scope: RecordInsertion.Parent?
  private let ask: @Sendable (inout RecordInsertion) throws -> Void

  init(
    _ ask: @escaping @Sendable (inout RecordInsertion) throws -> Void, _ schema: RecordSchema,
    parent: RecordScope.Parent?
  ) {
    self.ask = ask
    self.schema = schema
    scope = parent.map { parent in
      let key = schema.place(of: parent.table).flatMap {
        schema.tables[$0].recordKey(parent.key)
      }
      return RecordInsertion.Parent(table: parent.table, key: key, relation: "")
    }
  }

  /// What was answered for the rows of one window.
  struct Answers {
    /// By places in the draft: values in place of the payload's, or why the row is refused.
    fileprivate var answers: [Int: Answer] = [:]
    /// The row under which each stands, and that which stands for it where it is a part.
    fileprivate var parents: [Int: RecordInsertion.Parent] = [:]
    fileprivate var wholes: [Int: Int] = [:]

    func refusal(of place: Int) -> String? {
      if case .refuse(let reason)? = answers[place] { reason } else { nil }
    }
  }

  fileprivate enum Answer {
    case insert([Int: DraftRow.Given])
    case refuse(String)
  }

  /// Changes what a new row is given. Gives why it is refused instead.
  func change(
    _ values: inout [DraftRow.Given], of place: Int, in window: WindowRows
  ) throws -> String? {
    if window.insertions == nil { window.insertions = answers(for: window.draft) }
    let whole = window.insertions?.wholes[place] ?? place
    if window.insertions?.answers[whole] == nil { try askFor(whole, in: window) }
    if case .insert(let changes)? = window.insertions?.answers[place] {
      for (column, given) in changes { values[column] = given }
    }
    return window.insertions?.refusal(of: place)
  }

  /// Where rows stand: the last that names a child has it, and goes before who only refers to it.
  private func answers(for draft: Draft) -> Answers {
    var answers = Answers()
    var children: Set<Int> = []
    for (place, row) in draft.rows.enumerated() {
      if let base = row.base { answers.wholes[base] = place }
      for claim in row.claims {
        let relation = schema.tables[row.table].relations[claim.relation]
        for case .row(let member) in claim.members {
          guard relation.kind.hasChildren || !draft.rows[member].isTop && !children.contains(member)
          else { continue }
          if relation.kind.hasChildren { children.insert(member) }
          answers.parents[member] = RecordInsertion.Parent(
            table: schema.tables[row.table].name, key: row.key, relation: relation.name)
        }
      }
    }
    // A part of a part belongs to the whole.
    for (part, var whole) in answers.wholes {
      while let next = answers.wholes[whole] { whole = next }
      answers.wholes[part] = whole
    }
    return answers
  }

  private func askFor(_ whole: Int, in window: WindowRows) throws {
    let row = window.draft.rows[whole]
    var parts = [whole]
    while let base = window.draft.rows[parts[parts.count - 1]].base { parts.append(base) }
    let parent = window.insertions?.parents[whole] ?? (row.isTop ? scope : nil)
    let given = values(of: parts, in: window.draft)
    var insertion = RecordInsertion(
      table: schema.tables[row.table].name, parent: parent, values: given)
    try ask(&insertion)
    var refusal = insertion.refusal
    var changes: [Int: [Int: DraftRow.Given]] = [:]
    if refusal == nil {
      changes = self.changes(
        from: given, to: insertion.values, of: parts, in: window.draft, unless: &refusal)
    }
    for part in parts {
      window.insertions?.answers[part] =
        refusal.map { .refuse($0) } ?? .insert(changes[part] ?? [:])
    }
  }

  private func values(of parts: [Int], in draft: Draft) -> [String: RecordValue] {
    var values: [String: RecordValue] = [:]
    for part in parts {
      let row = draft.rows[part]
      for (column, given) in zip(schema.tables[row.table].columns, row.values) {
        guard case .value(let value) = given, values[column.name] == nil else { continue }
        values[column.name] = RecordValue(value)
      }
    }
    return values
  }

  /// - Parameter refusal: Set where it can't be written as it was answered.
  private func changes(
    from old: [String: RecordValue], to new: [String: RecordValue], of parts: [Int],
    in draft: Draft, unless refusal: inout String?
  ) -> [Int: [Int: DraftRow.Given]] {
    var changes: [Int: [Int: DraftRow.Given]] = [:]
    for name in Set(old.keys).union(new.keys) where old[name] != new[name] {
      guard
        let part = parts.first(where: {
          schema.tables[draft.rows[$0].table].place(ofColumn: name) != nil
        }),
        let column = schema.tables[draft.rows[part].table].place(ofColumn: name)
      else {
        refusal = "the program gave a value for \(name.quoted), which isn't there"
        return [:]
      }
      let table = schema.tables[draft.rows[part].table]
      guard draft.rows[part].key == nil || !table.key.columns.contains(column) else {
        refusal = "the program gave it another key"
        return [:]
      }
      let affinity = table.columns[column].type.affinity
      changes[part, default: [:]][column] =
        new[name].map { .value($0.stored.map { affinity.kept($0) }) } ?? .absent
    }
    return changes
  }
}

extension RowLinker {
  /// Whether a new row may be inserted, by whoever is asked, who may change what it is given.
  func isAccepted(
    _ place: Int, _ values: inout [DraftRow.Given], in window: WindowRows
  ) throws -> Bool {
    guard let insertionHook, window.draft.rows[place].rights.contains(.insert),
      let reason = try insertionHook.change(&values, of: place, in: window)
    else { return true }
    window.rows[place].refuse(.other(reason))
    return false
  }
}

/// A row that is about to be inserted, as its object was mapped to columns, to be changed or
/// refused.
public struct RecordInsertion: Sendable, Equatable {
  /// The table; of tables that extend each other, the one for which the object stands.
  public let table: String
  /// The row under which the object stands in the payload; `nil` at the top.
  public let parent: Parent?
  /// What the columns are given, by their names, those of tables that it extends too: values as
  /// they are stored. What is taken out gets its default. A key that the object has can't be
  /// changed; one that it lacks can be given.
  public var values: [String: RecordValue]
  private(set) var refusal: String?

  /// A row of the payload, and how it names the one that is about to be inserted.
  public struct Parent: Sendable, Equatable {
    /// Its table.
    public let table: String
    /// Its key; `nil` for an object without one.
    public let key: RecordKey?
    /// The name of the relation; empty for the parent to which the whole payload belongs.
    public let relation: String
  }

  /// Refuses the row: it stands in the report with this reason, and counts as present. What hangs
  /// on it isn't inserted either.
  public mutating func refuse(_ reason: String) { refusal = reason }
}
