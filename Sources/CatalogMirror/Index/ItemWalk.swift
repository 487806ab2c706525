import SyncDatabase
import SyncText

/// A walk through all items in the order of their keys, which reads no more of each than is asked
/// of every one.
struct ItemWalk {
  enum Question {
    /// Anything: each row is checked, as `Row.requireSoundItem()` does.
    case all
    case allButLines
    /// Only what isn't held as listed.
    case lacks
    case keys
  }

  var question = Question.all
  /// Whether what a scope asks of an entry beside its key is wanted.
  var givesExtent = false

  /// The key, marks, the line and further digests; and the extent, if it is wanted.
  ///
  /// The marks are one number, as each column of a row takes its time.
  var statement: SQL {
    let lacks: SQL = "2 * lacks_content + 4 * lacks_preview"
    let sound: SQL = "(row_checksum(\(ItemTable.summed)) IS checksum) + 16 * (checks IS NOT NULL)"
    let asked: SQL =
      switch question {
      case .all: "\(sound) + \(lacks) + 8 * (line IS NOT NULL), line, checks"
      case .allButLines: "\(sound) + \(lacks), NULL, checks"
      case .lacks: "1 + \(lacks), NULL, NULL"
      case .keys: "1, NULL, NULL"
      }
    let extent: SQL = givesExtent ? ", size, estimated_size, modified" : ""
    return "SELECT key, \(asked)\(extent) FROM items ORDER BY key"
  }

  /// What the statement says of an item in one number.
  struct Marks: OptionSet {
    let rawValue: Int64

    /// The row is as it was written, by its checksum.
    static let isSound = Marks(rawValue: 1)
    static let lacksContent = Marks(rawValue: 2)
    static let lacksPreview = Marks(rawValue: 4)
    static let hasLine = Marks(rawValue: 8)
    static let hasChecks = Marks(rawValue: 16)
  }
}

extension IndexAccess {
  /// Hands what is asked of every item to `body`, in the order of their keys: the key, which lies
  /// there until it returns; what isn't held as listed; and the row, for ``extent(of:in:)``.
  /// - Throws: `.damaged` for an item that isn't as it was recorded.
  func walkItems(
    _ walk: ItemWalk,
    _ body: (UnsafeRawBufferPointer, _ lacks: ItemWalk.Marks, borrowing Cursor) throws -> Void
  ) throws {
    try connection.withCursor(walk.statement) { cursor in
      while try cursor.step() {
        let marks = ItemWalk.Marks(rawValue: cursor.integer(at: 1) ?? 0)
        guard marks.contains(.isSound), let key = cursor.blob(at: 0) else {
          throw damage("a row isn't what was written")
        }
        if marks.contains(.hasLine) { _ = try lineDigest(at: 2, of: cursor) }
        if marks.contains(.hasChecks) { try requireChecks(cursor.value(at: 3), of: key) }
        try body(key, marks, cursor)
      }
    }
  }

  /// As ``walkItems(_:_:)``, for who wants most of the items: `body` is given each row whole.
  ///
  /// - Parameter wereChecked: Whether all were found right a moment ago.
  func walkRows(
    wereChecked: Bool,
    _ body: (CatalogKey, _ lacks: ItemWalk.Marks, borrowing Row) throws -> Void
  ) throws {
    try connection.query(ItemTable.all) { row in
      if !wereChecked { try row.requireSoundItem() }
      var marks = ItemWalk.Marks.isSound
      if try row.flag("lacks_content") { marks.insert(.lacksContent) }
      if try row.flag("lacks_preview") { marks.insert(.lacksPreview) }
      try body(try row.byteString("key"), marks, row)
    }
  }

  /// An item's entry as far as a scope asks for it.
  func extent(of key: CatalogKey, in cursor: borrowing Cursor) -> CatalogEntry {
    var entry = CatalogEntry(key: key, locators: [])
    entry.size = cursor.integer(at: 4)
    entry.estimatedSize = cursor.integer(at: 5)
    entry.modified = cursor.real(at: 6)
    return entry
  }

  /// Makes sure that further digests are as they were written.
  private func requireChecks(_ stored: StoredValue?, of key: UnsafeRawBufferPointer) throws {
    guard case .blob(let bytes) = stored,
      StoredChecks.checks(in: bytes, of: CatalogKey(bytes: Array(key))) != nil
    else { throw damage("further digests aren't as they were written") }
  }
}
