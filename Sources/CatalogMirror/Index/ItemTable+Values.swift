import SyncDatabase
private import SyncEssentials
import SyncFiles

extension CatalogEntry {
  /// What is stored of it, in the order of ``ItemTable/entry``, and of its content.
  ///
  /// - Parameter content: Default: only the entry's values are given.
  func storedValues(and content: IndexedContent? = nil) throws -> [StoredValue?] {
    // Not a number says as little as no date, and SQLite has no place for it.
    let date = modified.flatMap { $0.isNaN ? nil : $0 }
    // Once, as each is put together anew.
    let locators = locators
    var values: [StoredValue?] = []
    values.reserveCapacity(ItemTable.entry.count + ItemTable.content.count)
    values.append(key.storedValue)
    values.append(version.storedValue)
    values.append(size?.storedValue)
    values.append(estimatedSize?.storedValue)
    values.append(sha256?.storedValue)
    values.append(date?.storedValue)
    values.append(order.storedValue)
    values.append(locators.first?.storedValue)
    values.append(try Self.others(of: locators)?.storedValue)
    values.append(title?.storedValue)
    values.append(preview?.locator.storedValue)
    values.append(preview?.version.storedValue)
    values.append(preview?.size?.storedValue)
    values.append(preview?.sha256?.storedValue)
    values.append(extra?.storedValue)
    values.append(line?.storedValue)
    values.append(StoredChecks(checks, of: key)?.storedValue)
    content?.store(in: &values)
    return values
  }

  private static func others(of locators: [String]) throws -> String? {
    guard locators.count > 1 else { return nil }
    let json = try JSONEncoder().encode(Array(locators.dropFirst()))
    return String(decoding: json, as: UTF8.self)
  }

  /// Reads what was stored.
  init(_ row: borrowing Row) throws {
    self.init(
      key: try row.byteString("key"), locators: try Self.locators(row),
      version: try row.version("version"))
    size = try row.optionalInteger("size")
    estimatedSize = try row.optionalInteger("estimated_size")
    sha256 = try row.optionalDigest("sha256")
    modified = try row.optionalReal("modified")
    order = Int(try row.integer("download_order"))
    title = try row.optionalText("title")
    if let locator = try row.optionalText("preview_locator") {
      var preview = Preview(locator: locator, version: try row.version("preview_version"))
      preview.size = try row.optionalInteger("preview_size")
      preview.sha256 = try row.optionalDigest("preview_sha256")
      self.preview = preview
    }
    extra = try row.optionalText("extra")
    line = try row.optionalLine("line")
    checks = try row.checks(of: key)
  }

  private static func locators(_ row: borrowing Row) throws -> [String] {
    guard let first = try row.optionalText("locator") else { return [] }
    guard let others = try row.optionalText("other_locators") else { return [first] }
    do {
      return [first] + (try JSONDecoder().decode([String].self, from: Data(others.utf8)))
    } catch is DecodingError {
      throw row.wrongType("other_locators", "not a JSON array of texts")
    }
  }
}

extension IndexedContent {
  /// What is stored of it, in the order of ``ItemTable/content``.
  var storedValues: [StoredValue?] {
    var values: [StoredValue?] = []
    values.reserveCapacity(ItemTable.content.count)
    store(in: &values)
    return values
  }

  fileprivate func store(in values: inout [StoredValue?]) {
    values.append(version.storedValue)
    values.append(size.storedValue)
    values.append(modifiedNanoseconds.storedValue)
    values.append(Int64(bitPattern: inode).storedValue)
    values.append(sha256?.storedValue)
    values.append(etag?.storedValue)
    values.append(lastModified?.storedValue)
  }

  /// Reads what was stored; `nil` when nothing was.
  init?(_ row: borrowing Row) throws {
    guard try !row.isNull("content_version") else { return nil }
    self.init(
      version: try row.version("content_version"), size: try row.integer("content_size"),
      modifiedNanoseconds: try row.integer("content_modified"),
      inode: UInt64(bitPattern: try row.integer("content_inode")),
      sha256: try row.optionalDigest("content_sha256"),
      etag: try row.optionalText("content_etag"),
      lastModified: try row.optionalText("content_last_modified"))
  }
}

extension IndexedPreview {
  /// What is stored of it, in the order of ``ItemTable/preview``.
  var storedValues: [StoredValue?] {
    [
      version.storedValue, name.storedValue, size.storedValue, modifiedNanoseconds.storedValue,
      sha256.storedValue,
    ]
  }

  /// Reads what was stored; `nil` when nothing was.
  init?(_ row: borrowing Row) throws {
    guard try !row.isNull("held_preview_version") else { return nil }
    self.init(
      version: try row.version("held_preview_version"), name: try row.text("held_preview_name"),
      size: try row.integer("held_preview_size"),
      modifiedNanoseconds: try row.integer("held_preview_modified"),
      sha256: try row.digest("held_preview_sha256"))
  }
}

extension IndexedItem {
  /// Reads a row whose checksum is right.
  init(_ row: borrowing Row) throws {
    self.init(entry: try CatalogEntry(row))
    content = try IndexedContent(row)
    preview = try IndexedPreview(row)
    if let name = try row.optionalText("removing_to") { state = .removing(to: name) }
  }
}

extension ExpectedFiles {
  /// Reads a row whose checksum is right.
  init(_ row: borrowing Row) throws {
    self.init(
      key: try row.byteString("key"), lacksContent: try row.flag("lacks_content"),
      lacksPreview: try row.flag("lacks_preview"))
    if try !row.isNull("content_version") {
      content = FileStamp(
        size: try row.integer("content_size"),
        modifiedNanoseconds: try row.integer("content_modified"),
        inode: UInt64(bitPattern: try row.integer("content_inode")))
      sha256 = try row.optionalDigest("content_sha256")
    }
    if try !row.isNull("held_preview_version") {
      preview = Preview(
        name: try row.text("held_preview_name"),
        stamp: FileStamp(
          size: try row.integer("held_preview_size"),
          modifiedNanoseconds: try row.integer("held_preview_modified"), inode: nil),
        sha256: try row.digest("held_preview_sha256"))
    }
  }
}
