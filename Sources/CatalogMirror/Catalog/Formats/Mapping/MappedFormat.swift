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
    let items = MappedItems(path: mapping.items, body: body, format: name, most: limits.entries)
    try items.walk(in: document) { place in
      position += 1
      guard !Task.isCancelled else { return }
      page.take(reader.read(place, position: position), at: position)
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

/// How a mapping comes from one page to the next.
enum MappedNext: Hashable, Sendable {
  /// A member of the document is the address of the next page.
  case address(MappedValue)
  /// A member of the document is what this parameter of the query has to be for the next page.
  case cursor(parameter: [UInt8], MappedValue)
  /// This parameter of the query counts the pages, from 1, until one is empty.
  case number(parameter: [UInt8])

  init?(_ signs: ArraySlice<MappingSign>) {
    guard signs.first == .of("?") else {
      guard let value = MappedValue(signs) else { return nil }
      self = .address(value)
      return
    }
    let parts = signs.dropFirst().split(
      separator: .of("="), maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first?.bytes, !name.isEmpty else { return nil }
    guard parts.count == 2 else {
      self = .number(parameter: name)
      return
    }
    guard let value = MappedValue(parts[1]) else { return nil }
    self = .cursor(parameter: name, value)
  }

  /// What is asked after a page; `nil` after the last one.
  ///
  /// - Parameters:
  ///   - document: The page.
  ///   - body: How it came.
  ///   - isEmpty: Whether it has no items.
  /// - Throws: ``CatalogError/pageLoop(url:)`` for a page that was counted on from, and came again.
  func request(
    after document: JSONValue, _ body: CatalogBody, isEmpty: Bool
  ) throws(CatalogError) -> CatalogRequest? {
    let place = MappedPlace(document: document)
    switch self {
    case .address(let value):
      return value.text(at: place, of: body.url).map { CatalogRequest($0) }
    case .cursor(let parameter, let value):
      return value.bytes(at: place, of: body.url)
        .map { CatalogRequest(body.url.setting(parameter, to: $0)) }
    case .number(let parameter): return try counted(parameter, body, isEmpty: isEmpty)
    }
  }

  private func counted(
    _ parameter: [UInt8], _ body: CatalogBody, isEmpty: Bool
  ) throws(CatalogError) -> CatalogRequest? {
    guard !isEmpty else { return nil }
    // A server that doesn't know the parameter would give its first page for ever.
    let digest = (body.sha256 ?? SHA256Digest(of: body.bytes)).description
    guard body.request.step != digest else { throw .pageLoop(url: body.url.redacted) }
    let number = body.url.value(of: parameter).flatMap { Int64($0) } ?? 1
    let (next, isTooBig) = number.addingReportingOverflow(1)
    guard !isTooBig else { return nil }
    var request = CatalogRequest(body.url.setting(parameter, to: Array(String(next).utf8)))
    request.step = digest
    return request
  }
}

extension URLReference {
  /// The value of a parameter of the query, as it is written.
  fileprivate func value(of parameter: [UInt8]) -> String? {
    let prefix = PercentEncoding.encode(path: parameter) + "="
    let found = query?.split(separator: "&").first { $0.utf8.starts(with: prefix.utf8) }
    return found.map { String($0.dropFirst(prefix.count)) }
  }

  fileprivate func setting(_ parameter: [UInt8], to value: [UInt8]) -> String {
    let name = PercentEncoding.encode(path: parameter) + "="
    let others = (query ?? "").split(separator: "&").filter { !$0.utf8.starts(with: name.utf8) }
    let encoded = PercentEncoding.encode(path: value)
    let all = others.map(String.init) + [name + encoded]
    return withoutQuery.text + "?" + all.joined(separator: "&")
  }
}
