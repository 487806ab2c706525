import SyncDatabase
import SyncText

/// What takes a sync back. It can be kept, in a file for one, for as long as the tables stay what
/// they are.
public struct RecordUndo: Sendable, Equatable {
  let changes: Changeset
  /// What was made for the payload.
  let made: MadeParts
  /// The columns of tables whose rows it may have changed, in their order; `nil` where that wasn't
  /// kept yet.
  let columns: [String: [String]]?

  init(_ changes: Changeset) {
    (self.changes, made, columns) = (changes, MadeParts(), nil)
  }

  /// What a sync did.
  init(_ changes: Changeset, _ made: MadeParts, in schema: RecordSchema) {
    var columns: [String: [String]] = [:]
    for table in schema.tables { columns[table.name] = table.columns.map(\.name) }
    (self.made, self.columns) = (made, columns)
    var changes = changes
    if !changes.isEmpty || !made.isEmpty {
      changes.note = UndoNote(entries: made.entries + columns.map { ["columns", $0] + $1 }).bytes
    }
    self.changes = changes
  }

  /// One that was kept: what ``bytes`` gave. Anything else is refused.
  public init(bytes: [UInt8]) throws {
    do {
      changes = try Changeset(kept: bytes)
    } catch is DatabaseError {
      throw RecordError.undo(.unreadable)
    }
    let note = try UndoNote(bytes: changes.note)
    made = MadeParts(note.entries)
    let columns = note.entries.filter { $0[0] == "columns" && $0.count > 1 }
      .map { ($0[1], Array($0[2...])) }
    self.columns = columns.isEmpty ? nil : Dictionary(columns) { first, _ in first }
  }

  /// The bytes to be kept, of which there are some even if nothing was changed: a file that was
  /// emptied is no undo.
  public var bytes: [UInt8] { changes.kept }

  /// Whether the sync changed nothing that could be taken back.
  public var isEmpty: Bool { changes.isEmpty && made.isEmpty }
}

/// Lists of words, each of which begins with what it says, as JSON.
private struct UndoNote {
  var entries: [[String]]

  init(entries: [[String]]) { self.entries = entries.sorted { $0.lexicographicallyPrecedes($1) } }

  init(bytes: [UInt8]) throws {
    entries = []
    guard !bytes.isEmpty else { return }
    let lists = try? JSONValue(bytes, in: bytes.indices, nesting: 3).elements
    entries = (lists ?? []).map { ($0.elements ?? []).compactMap(\.string) }
    guard !entries.contains([]) else { throw RecordError.undo(.unreadable) }
  }

  var bytes: [UInt8] {
    var output = [UInt8(ascii: "[")]
    for (number, entry) in entries.enumerated() {
      output += number == 0 ? "[".utf8 : ",[".utf8
      for (place, word) in entry.enumerated() {
        if place > 0 { output.append(UInt8(ascii: ",")) }
        word.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    }
    output.append(UInt8(ascii: "]"))
    return output
  }
}

/// What a sync made for its payload.
struct MadeParts: Sendable, Equatable {
  var tables: [String] = []
  var columns: [Column] = []
  /// The indexes of the tables.
  var indexes: [String] = []
  /// What is other than it was, and stays so: a column with another type, a table of links in the
  /// place of a column, each as words.
  var changed: [[String]] = []

  struct Column: Sendable, Equatable {
    var table: String
    var name: String
    var index: String?
  }

  init() {}

  init(_ changes: [SchemaChange]) {
    let taking = changes.compactMap { change in
      if case .relation(let relation) = change { relation.taken?.table } else { nil }
    }
    changed = taking.map { [$0] }
    for change in changes {
      switch change {
      case .table(let table) where taking.contains(table.name): break
      case .table(let table):
        tables.append(table.name)
        indexes += table.columns.compactMap(\.reference?.index)
      case .column(let column, let table):
        columns.append(.init(table: table, name: column.name, index: column.reference?.index))
      case .widened(let column, let table, _, _): changed.append([table, column])
      case .relation, .filled: break
      }
    }
  }

  var isEmpty: Bool { tables.isEmpty && columns.isEmpty && changed.isEmpty }
}

extension MadeParts {
  fileprivate init(_ entries: [[String]]) {
    for entry in entries {
      switch (entry[0], entry.count) {
      case ("table", 2): tables.append(entry[1])
      case ("index", 2): indexes.append(entry[1])
      case ("column", 3...4):
        columns.append(
          .init(table: entry[1], name: entry[2], index: entry.count == 4 ? entry[3] : nil))
      case ("changed", 2...3): changed.append(Array(entry[1...]))
      default: break
      }
    }
  }

  fileprivate var entries: [[String]] {
    tables.map { ["table", $0] } + indexes.map { ["index", $0] } + changed.map { ["changed"] + $0 }
      + columns.map { ["column", $0.table, $0.name] + [$0.index].compactMap { $0 } }
  }
}
