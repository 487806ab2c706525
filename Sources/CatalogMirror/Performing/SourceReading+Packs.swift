import SyncLock
import SyncText

/// Where what the folder has lost lies in packs.
///
/// Neither the index nor the lines that are known from last time tell it, since a place is only a
/// hint. The catalog does: it is read once more, whole, where that costs less than a request for
/// each file.
extension SourceReading {
  /// Of fewer files it isn't worth it; nor where there are fewer than one for so many items, since
  /// a catalog has 100 to 200 bytes for each.
  private static let worthReading = (files: 64, ofItems: 100)

  /// Rows of what an unchanged catalog lists and the folder lacks, with their places; and packs.
  func located(
    _ rows: [CatalogKey: IndexedItem], in listing: Listing
  ) async throws -> ([CatalogKey: IndexedItem], ListedPacks) {
    guard isWorthReading(rows.values, of: listing.unchangedCount),
      try await context.target.index?.read({ try $0.value(.namesPacks) }) != nil,
      let listing = try await read()
    else { return (rows, ListedPacks()) }
    return (Self.adding(listing.entries, to: rows), listing.packs)
  }

  /// The same of a comparison: of the lines that were known and whose files the folder lacks.
  func located(_ comparison: ListingComparison) async throws -> ListingComparison {
    let rows = comparison.incomplete.lazy.compactMap { comparison.rows[$0.key] }
    guard !comparison.listing.packs.isEmpty, isWorthReading(rows, of: comparison.count),
      let listing = try await read()
    else { return comparison }
    var located = comparison
    located.rows = Self.adding(listing.entries, to: comparison.rows)
    // An id is never given again, whatever was published meanwhile.
    located.listing.packs.add(listing.packs)
    return located
  }

  private func isWorthReading(_ rows: some Sequence<IndexedItem>, of count: Int) -> Bool {
    guard context.options.mayUsePacks else { return false }
    let (findings, wants) = (pass.withLock { $0.view.findings }, context.options.wants)
    var files = 0
    for row in rows {
      let (entry, preview) = (row.entry, row.entry.preview)
      let lacksContent = row.content == nil || findings?.damaged.contains(row.key) ?? false
      if wants.contents, lacksContent, Self.isSmall(entry.size, entry.sha256) { files += 1 }
      let lacksPreview = row.preview == nil || findings?.damagedPreviews[row.key] != nil
      if wants.previews, lacksPreview, Self.isSmall(preview?.size, preview?.sha256) { files += 1 }
    }
    return files >= Self.worthReading.files && files * Self.worthReading.ofItems >= count
  }

  /// Whether it may lie in a pack: something small that has a digest.
  private static func isSmall(_ size: Int64?, _ digest: SHA256Digest?) -> Bool {
    guard let size, digest != nil else { return false }
    return size > 0 && size <= PackPlan.largest
  }

  /// The catalog as it is now; `nil` where it can't be had, since packs are only a hint.
  private func read() async throws -> Listing? {
    var before = CatalogSource.Before()
    before.tellsLines = false
    do {
      return try await context.catalog.fetch(before).listing
    } catch is CatalogError {
      return nil
    }
  }

  /// Of another state of an item, a place tells nothing.
  private static func adding(
    _ entries: UsableEntries, to rows: [CatalogKey: IndexedItem]
  ) -> [CatalogKey: IndexedItem] {
    var rows = rows
    for entry in entries {
      let listed = entry.listed
      guard listed.pack != nil || listed.preview?.hint.place != nil, var row = rows[entry.key]
      else { continue }
      if listed.sha256 == row.entry.sha256 { row.entry.pack = listed.pack }
      if let preview = listed.preview, preview.sha256 == row.entry.preview?.sha256 {
        row.entry.preview?.hint = preview.hint
      }
      rows[entry.key] = row
    }
    return rows
  }
}
