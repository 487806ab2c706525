import Foundation
import SyncDatabase

/// The files of a set of records: what contenders are given, and the database that they find or
/// have to come to.
struct RecordFiles {
  let folder: URL
  let set: RecordSet

  /// An array of objects.
  var json: URL { folder.appending(path: "\(set.name).json") }
  /// One object a line.
  var lines: URL { folder.appending(path: "\(set.name).ndjson") }
  /// The cells with tabs between them, a row a line: for who doesn't read JSON.
  var cells: URL { folder.appending(path: "\(set.name).tsv") }
  /// All rows.
  var whole: URL { folder.appending(path: "\(set.name).sqlite") }
  /// The tables, of which only that of labels has rows.
  var empty: URL { folder.appending(path: "\(set.name)-empty.sqlite") }
  /// No tables.
  var blank: URL { folder.appending(path: "blank.sqlite") }

  /// Bytes of the array.
  var size: Int {
    get throws { try json.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
  }

  /// Writes all of them.
  func write() throws {
    try writeObjects(to: json, between: ",\n", around: ("[\n", "\n]\n"))
    try writeObjects(to: lines, between: "\n", around: ("", "\n"))
    if set.shape == .flat { try writeCells() }
    try makeDatabase(at: blank, tables: []) { _ in false }
    try makeDatabase(at: empty, tables: set.tables) { $0.name == "labels" }
    try makeDatabase(at: whole, tables: set.tables) { _ in true }
  }

  private func writeObjects(
    to file: URL, between: String, around: (before: String, behind: String)
  ) throws {
    let output = try Self.output(file)
    defer { try? output.close() }
    var text = around.before
    for number in 1...set.count {
      if number > 1 { text += between }
      set.write(number, to: &text)
      guard text.utf8.count > 1 << 20 || number == set.count else { continue }
      try output.write(contentsOf: Data(text.utf8))
      text = ""
    }
    try output.write(contentsOf: Data(around.behind.utf8))
  }

  private func writeCells() throws {
    let output = try Self.output(cells)
    defer { try? output.close() }
    var text = ""
    for number in 1...set.count {
      text += set.cells(of: number).map(\.plain).joined(separator: "\t") + "\n"
    }
    try output.write(contentsOf: Data(text.utf8))
  }

  private static func output(_ file: URL) throws -> FileHandle {
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    return try FileHandle(forWritingTo: file)
  }

  /// With a write-ahead log, which a database is asked for once and then keeps.
  private func makeDatabase(
    at file: URL, tables: [RecordTable], filling isFilled: (RecordTable) -> Bool
  ) throws {
    for suffix in ["", "-wal", "-shm"] { unlink(file.path + suffix) }
    let connection = try Connection(path: file.path)
    // An empty file would forget the kind of its journal.
    try connection.execute("CREATE TABLE made (id INTEGER); DROP TABLE made")
    try connection.transaction {
      for table in tables {
        try connection.run(SQL(written: table.statement, values: []))
        if let index = table.index {
          let sql = "CREATE INDEX \(table.name)_\(index) ON \(table.name) (\(index))"
          try connection.run(SQL(written: sql, values: []))
        }
        if isFilled(table) { try fill(table, on: connection) }
      }
    }
  }

  private func fill(_ table: RecordTable, on connection: Connection) throws {
    let holes = table.columns.map { _ in "?" }.joined(separator: ", ")
    let insert = SQL(written: "INSERT INTO \(table.name) VALUES (\(holes))", values: [])
    try set.forEachRow(of: table) { cells in
      try connection.run(insert, values: cells.map(\.stored))
    }
  }
}

extension RecordTable {
  /// What makes it.
  fileprivate var statement: String {
    "CREATE TABLE \(name) (\(declaration))" + (keyWidth > 1 ? " WITHOUT ROWID" : "")
  }
}

extension RecordSet {
  /// An object as JSON, with what is nested in it.
  fileprivate func write(_ number: Int, to text: inout String) {
    Self.write(cells(of: number), as: tables[0].columns, to: &text)
    switch shape {
    case .flat, .long: break
    case .family, .graph: writeChildren(of: number, to: &text)
    case .users:
      Self.write(orders(of: number), under: "orders", as: ["id", "total", "state"], to: &text)
      Self.write(addresses(of: number), under: "addresses", as: ["id", "city", "zip"], to: &text)
      Self.write(tags(of: number), under: "tags", as: ["id", "label"], to: &text)
    }
    text += "}"
  }

  private func writeChildren(of number: Int, to text: inout String) {
    text += #","children":["#
    for child in children(of: number) {
      if child % width != 1 { text += "," }
      Self.write(cells(ofChild: child), as: ["id", "name", "age"], to: &text)
      if shape == .graph { text += #","label_ids":\#(labels(ofChild: child))"# }
      text += "}"
    }
    text += "]"
  }

  private static func write(
    _ objects: [[Cell]], under name: String, as names: [String], to text: inout String
  ) {
    text += ",\"\(name)\":["
    for (place, cells) in objects.enumerated() {
      if place > 0 { text += "," }
      write(cells, as: names, to: &text)
      text += "}"
    }
    text += "]"
  }

  /// Members without the closing brace.
  private static func write(_ cells: [Cell], as names: [String], to text: inout String) {
    for (place, name) in names.enumerated() {
      text += (place == 0 ? "{\"" : ",\"") + name + "\":"
      // None of the texts has anything to be escaped.
      if case .text(let value) = cells[place] {
        text += "\"\(value)\""
      } else {
        text += cells[place].plain
      }
    }
  }
}

extension RecordSet.Cell {
  fileprivate var plain: String {
    switch self {
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .truth(let truth): "\(truth)"
    }
  }

  fileprivate var stored: StoredValue {
    switch self {
    case .integer(let number): .integer(Int64(number))
    case .real(let number): .real(number)
    case .text(let text): .text(text)
    case .truth(let truth): .integer(truth ? 1 : 0)
    }
  }
}
