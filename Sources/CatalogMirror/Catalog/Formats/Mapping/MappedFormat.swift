import SyncText

/// Any JSON document, read by a ``JSONMapping``. Only by name: nothing in it tells it from others.
///
/// Of unknown origin, and whole only by a person's word, or where the mapping names a count that
/// agrees. A document without the list that the mapping names is an error; a list that is missing
/// within another is an item that nobody knows the key of.
package struct MappedFormat: CatalogFormat {
  package let name: CatalogFormatName
  package let noun: String
  private let mapping: JSONMapping

  package init(name: CatalogFormatName, noun: String, _ mapping: JSONMapping) {
    (self.name, self.noun, self.mapping) = (name, noun, mapping)
  }

  /// What reads by a mapping that a person gave.
  package init(_ mapping: JSONMapping) {
    self.init(name: .mapped, noun: Self.noun, mapping)
  }

  /// What a person's mapping reads.
  static let noun = "JSON that the mapping fits"

  package func page(
    _ body: CatalogBody, within limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    let document = try body.json(expected: name, limits)
    let count = try count(in: document, body)
    var page = CatalogPage(format: name, claim: count == nil ? .unvouchable : .unvouched)
    page.header.count = count
    try read(document, into: &page, body, limits)
    page.next = try mapping.next.flatMap { next throws(CatalogError) in
      try next.request(after: document, body, isEmpty: page.count == 0)
    }
    return page
  }

  private func read(
    _ document: JSONValue, into page: inout CatalogPage, _ body: CatalogBody,
    _ limits: CatalogLimits
  ) throws(CatalogError) {
    let reader = MappedEntry(mapping, body)
    var position = 0
    do {
      try MappedItems(most: limits.entries).walk(mapping.items, in: document) { place in
        position += 1
        guard !Task.isCancelled else { return }
        page.take(reader.read(place, position: position), at: position)
      }
    } catch is MappedItems.TooMany {
      throw .limit(url: body.url.redacted, .entries, most: limits.entries)
    } catch let error as MappedItems.NoList {
      let (path, way) = (mapping.items, mapping.items.steps.prefix(error.steps))
      let there = way.isEmpty ? "the document" : "'\(JSONPath.text(of: way))'"
      throw body.unreadable(
        expected: .format(name),
        found: .unmapped(
          field: "items", path: path.text, instead: "\(there) \(error.value.shape)"))
    } catch {
      throw body.unreadable(expected: .format(name))
    }
  }

  private func count(
    in document: JSONValue, _ body: CatalogBody
  ) throws(CatalogError) -> Int64? {
    guard let mapped = mapping.fields[.count] else { return nil }
    let text = mapped.text(at: MappedPlace(document: document), of: body.url)
    guard let count = text.flatMap({ Int64($0) }), count >= 0 else {
      let instead =
        text.map { "'\(ByteString.escape($0.utf8.prefix(60)))' is there" }
        ?? "the document \(document.shape)"
      throw body.unreadable(
        expected: .format(name),
        found: .unmapped(field: "count", path: mapped.text, instead: instead))
    }
    return count
  }
}

extension CatalogFormatName {
  /// What a person's ``JSONMapping`` reads.
  package static let mapped = Self("map")
}
