import SyncDatabase
import SyncFiles

extension IndexWriter {
  /// Records changes in their order. What a change says must be true and durable on disk already.
  package func record(_ changes: some Sequence<IndexChange>) throws {
    for change in changes {
      switch change {
      case .entry(let entry):
        try upsert(entry)
      case .content(let entry, let content):
        try connection.run(
          ItemTable.writeEntryAndContent, values: try entry.storedValues(and: content))
      case .touched(let key, let stamp):
        try connection.run(
          ItemTable.writeStamp, key, stamp.size, stamp.modifiedNanoseconds,
          stamp.inode.map { Int64(bitPattern: $0) })
      case .preview(let entry, let preview):
        try upsert(entry)
        try set(preview, of: entry.key)
      case .contentLost(let key):
        try set(nil as IndexedContent?, of: key)
      case .previewLost(let key):
        try set(nil as IndexedPreview?, of: key)
      case .forgotten(let key):
        try connection.run(ItemTable.delete, key)
      }
    }
  }

  func upsert(_ entry: CatalogEntry) throws {
    try connection.run(ItemTable.writeEntry, values: try entry.storedValues())
  }

  func set(_ content: IndexedContent?, of key: CatalogKey) throws {
    let values = content?.storedValues ?? nulls(ItemTable.content)
    try connection.run(ItemTable.writeContent, values: [key.storedValue] + values)
  }

  private func set(_ preview: IndexedPreview?, of key: CatalogKey) throws {
    let values = preview?.storedValues ?? nulls(ItemTable.preview)
    try connection.run(ItemTable.writePreview, values: [key.storedValue] + values)
  }

  private func nulls(_ columns: [Identifier]) -> [StoredValue?] {
    Array(repeating: nil, count: columns.count)
  }
}
