import SyncText

/// Catalog format 1: NDJSON (a header line, then an entry a line), one object with `items`, or a
/// bare array of entries.
///
/// Whole by its own word only if the header has `complete`; a matching `count` does as well,
/// which the ``ListingAssembly`` counts. A bare array and NDJSON without a header line are of
/// unknown origin. A NDJSON page without `count` whose last line lacks its newline may have been
/// cut there, and makes no claim.
struct OwnFormat: CatalogFormat {
  let name = CatalogFormatName.catalog
  /// Whether an entry without a digest can't be used, as in a catalog that is believed by its
  /// signature.
  var requiresDigests = false
  let noun = "a catalog of format 1"

  func recognises(_ body: CatalogBody) -> Bool {
    let opening = body.opening
    guard opening.first == UInt8(ascii: "{") || opening.first == UInt8(ascii: "[") else {
      return false
    }
    let isEmptyArray = opening.prefix { !JSONValue.isBlank($0) }.elementsEqual("[]".utf8)
    return isEmptyArray || opening.holds("\"catalog\"") || opening.holds("\"key\"")
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    try CatalogReader(body: body, limits: limits, requiresDigests: requiresDigests).read()
  }
}

/// A JSON object of key → URL or key → entry: of unknown origin, and read only when it is named,
/// since nothing in it tells it from the error message of some API.
struct MappingFormat: CatalogFormat {
  let name = CatalogFormatName.mapping
  let noun = "a JSON object of keys with their URLs or entries"

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    try CatalogReader(body: body, limits: limits).readMapping()
  }
}

extension ArraySlice<UInt8> {
  fileprivate func holds(_ text: String) -> Bool {
    let pattern = Array(text.utf8)
    return indices.contains { self[$0...].starts(with: pattern) }
  }
}

private struct CatalogReader {
  let body: CatalogBody
  let limits: CatalogLimits
  var requiresDigests = false

  func read() throws(CatalogError) -> CatalogPage {
    try checkEncoding()
    if let page = try readLines() { return page }
    let value = try parse(body.start..<body.bytes.count)
    guard value.isArray else { return try readObject(value) }
    var page = CatalogPage(format: .catalog, claim: .unvouched)
    try take(elementsOf: value, base: body.url, into: &page)
    return page
  }

  func readMapping() throws(CatalogError) -> CatalogPage {
    try checkEncoding()
    guard let members = try members(of: try parse(body.start..<body.bytes.count)) else {
      throw body.unreadable(expected: .format(.mapping))
    }
    var page = CatalogPage(format: .mapping, claim: .unvouchable)
    take(members, base: body.url, into: &page)
    return page
  }

  private func checkEncoding() throws(CatalogError) {
    guard body.bytes.withUnsafeBytes({ UTF8Fault.first(in: $0) }) != nil else { return }
    throw body.unreadable(expected: .utf8, found: body.kind == .utf16 ? .utf16 : .notUTF8)
  }

  private func parse(
    _ range: Range<Int>, position: Int? = nil
  ) throws(CatalogError) -> JSONValue {
    do throws(JSONProblem) {
      return try JSONValue(
        body.bytes, in: range, nesting: limits.nesting, endsWhenCancelled: true)
    } catch {
      throw body.unreadable(
        expected: .format(.catalog),
        found: body.kind(despite: error, in: position))
    }
  }

  private func readObject(_ value: JSONValue) throws(CatalogError) -> CatalogPage {
    let members = value.members ?? []
    let header = try HeaderReader(body: body).read(members)
    var page = header.page
    guard let items = members.first(where: { $0.name.elementsEqual("items".utf8) })?.value,
      try take(items, base: header.base, into: &page), header.isFormat1 || !page.entries.isEmpty
    else { throw body.unreadable(expected: .items) }
    return page
  }

  /// Reads an array of entries or an object of them; says whether it is one.
  private func take(
    _ items: JSONValue, base: URLReference, into page: inout CatalogPage
  ) throws(CatalogError) -> Bool {
    if items.isArray {
      try take(elementsOf: items, base: base, into: &page)
      return true
    }
    guard let members = try members(of: items) else { return false }
    take(members, base: base, into: &page)
    return true
  }

  private func take(
    _ members: [JSONValue.Member], base: URLReference, into page: inout CatalogPage
  ) {
    let reader = EntryReader(
      base: base, catalog: body.url, requiresDigests: requiresDigests)
    for (index, member) in members.enumerated() where !Task.isCancelled {
      page.take(reader.read(mapped: member, position: index + 1), at: index + 1)
    }
  }

  /// Reads the elements of an array one by one, once they were counted.
  private func take(
    elementsOf array: JSONValue, base: URLReference, into page: inout CatalogPage
  ) throws(CatalogError) {
    if array.holds(moreThan: limits.entries) { throw tooMany }
    let reader = EntryReader(
      base: base, catalog: body.url, requiresDigests: requiresDigests)
    var position = 0
    array.forEachElement { element in
      position += 1
      guard !Task.isCancelled else { return }
      page.take(reader.read(element, position: position), at: position)
    }
  }

  /// The members of an object, counted before they are read.
  private func members(of value: JSONValue) throws(CatalogError) -> [JSONValue.Member]? {
    if value.holds(moreThan: limits.entries) { throw tooMany }
    return value.members
  }

  private var tooMany: CatalogError {
    .limit(url: body.url.redacted, .entries, most: limits.entries)
  }

  /// What the first line of an NDJSON body is; `nil` when it isn't a header or an entry by itself.
  func readFirstLine(
    _ line: Range<Int>
  ) throws(CatalogError) -> (page: CatalogPage, lines: CatalogLines)? {
    let read = try? JSONValue(
      body.bytes, in: line, nesting: limits.nesting, endsWhenCancelled: true)
    guard let members = read?.members else { return nil }
    let has = { (name: String) in members.contains { $0.name.elementsEqual(name.utf8) } }
    guard has("catalog") || has("key"), !has("items") else { return nil }
    guard has("catalog") else {
      return (
        CatalogPage(format: .catalog, claim: .unvouched),
        CatalogLines(
          catalog: body.url, base: body.url, beginsWithEntry: true, most: limits.entries)
      )
    }
    let header = try HeaderReader(body: body).read(members)
    var lines = CatalogLines(
      catalog: body.url, base: header.base, beginsWithEntry: false, most: limits.entries)
    lines.requiresDigests = requiresDigests
    return (header.page, lines)
  }

  /// The page of an NDJSON body; `nil` when the first line isn't a header or an entry by itself.
  private func readLines() throws(CatalogError) -> CatalogPage? {
    var ranges = body.lines
    guard let first = ranges.next(), let (opening, lines) = try readFirstLine(first) else {
      return nil
    }
    var page = opening
    let reader = EntryReader(lines)
    var hasher = LineHasher(lines)
    page.lines.known = body.known
    var next = lines.beginsWithEntry ? first : ranges.next()
    var place = 0
    var taken = 0
    while let line = next {
      try body.checkGoesOn()
      place += 1
      let position = body.position(of: place)
      page.take(body.read, from: &taken, before: position)
      var listed = reader.read(try parse(line, position: position), position: position)
      if case .entry(var entry, settled: true) = listed, hasher.tells(entry) {
        entry.line = body.bytes.withUnsafeBytes { bytes in
          hasher.digest(of: UnsafeRawBufferPointer(rebasing: bytes[line]))
        }
        listed = .entry(entry, settled: true)
      }
      page.take(listed, at: position)
      if page.count > limits.entries { throw tooMany }
      next = ranges.next()
    }
    page.take(body.read, from: &taken, before: .max)
    if page.count > limits.entries { throw tooMany }
    page.packRest()  // while nobody else has the list, so that it isn't copied for it
    let endsWithNewline = body.bytes.last == UInt8(ascii: "\n")
    if !endsWithNewline, page.claim == .whole, page.header.count == nil { page.claim = .unvouched }
    return page
  }
}

extension CatalogPage {
  /// Takes the lines that were read while the body came and stand before a position.
  fileprivate mutating func take(
    _ lines: ReadLines, from next: inout Int, before position: Int
  ) {
    while next < lines.entries.count, lines.positions[next] < position {
      take(lines.entries[next], at: Int(lines.positions[next]))
      next += 1
    }
  }
}

extension CatalogFormats {
  /// How the lines after the first are read, if they are entries: what the first line tells.
  ///
  /// - Parameters:
  ///   - body: A body of nothing but the first line.
  ///   - format: The format that was named, or that the first page had.
  func lines(
    of body: CatalogBody, as format: CatalogFormatName?, limits: CatalogLimits
  ) -> CatalogLines? {
    guard (format ?? name(of: body)) == .catalog else { return nil }
    let reader = CatalogReader(
      body: body, limits: limits,
      requiresDigests: (self[name: .catalog] as? OwnFormat)?.requiresDigests ?? false)
    return try? reader.readFirstLine(body.start..<body.bytes.count)?.lines
  }
}

extension CatalogBody {
  /// The ranges of the lines that aren't blank.
  var lines: some IteratorProtocol<Range<Int>> {
    var position = start
    return AnyIterator {
      while position < bytes.count {
        let stop = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let line = position..<stop
        position = stop + 1
        if !bytes[line].allSatisfy(JSONValue.isBlank) { return line }
      }
      return nil
    }
  }
}
