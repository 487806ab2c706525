import SyncDatabase
import SyncText

/// Which columns of a row were edited here and wait to be sent.
struct LocalEdits {
  private enum Columns {
    case none
    case all
    case some(Set<Int>)
  }

  private let columns: Columns

  /// What a row says of itself in the table's ``TableSchema/edits``.
  init(_ row: FoundRow, _ table: TableSchema) {
    guard let edits = table.edits, let value = row.values[edits] else {
      columns = .none
      return
    }
    switch value {
    case .integer(0), .text(""): columns = .none
    case .text(let text):
      let names = Self.names(text)
      let places = names.map { name in
        table.columns.firstIndex { $0.name.asciiLowercased == name.asciiLowercased }
      }
      // A mark that names no columns stands for the whole row.
      columns = places.contains(nil) ? .all : .some(Set(places.compactMap { $0 }))
    case .integer, .real, .blob: columns = .all
    }
  }

  /// Whether anything waits.
  var isEmpty: Bool {
    switch columns {
    case .none: true
    case .all: false
    case .some(let places): places.isEmpty
    }
  }

  func protects(_ column: Int) -> Bool {
    switch columns {
    case .none: false
    case .all: true
    case .some(let places): places.contains(column)
    }
  }

  private static func names(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    if let array = try? JSONValue(bytes, in: 0..<bytes.count, nesting: 1), array.isArray {
      return (array.elements ?? []).map { $0.string ?? "" }
    }
    return text.split(separator: ",").map { String($0.withoutOuterWhitespace) }
  }
}

extension Substring {
  fileprivate var withoutOuterWhitespace: Substring {
    var rest = self
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    return rest
  }
}
