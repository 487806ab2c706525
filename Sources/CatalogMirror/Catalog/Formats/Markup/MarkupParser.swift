private import CSyncXML

/// Reads a document of XML once, from its first byte on, by libxml2's parser of events.
///
/// Of the document nothing is kept but the element that is being read. Nothing is fetched for it,
/// and what it declares itself isn't read. One thread's, and for one reading.
final class MarkupParser {
  enum Ending {
    case atEnd
    case stopped
    /// At something that isn't well-formed, or before the document's end.
    case broken
    case atDeclaration
    /// At an entity that is none of XML's own.
    case atEntity
    /// In an element that holds more than is read at once, or too deep; or at a tag or a text that
    /// is too large.
    case atTooMuch
  }

  enum Selection {
    /// The outermost, as it begins: nothing is in it.
    case root
    /// Those directly in the outermost.
    case inRoot
    /// Those directly in the first one of a name, without a namespace, that is directly in the
    /// outermost.
    case inFirst(String)
  }

  private let selection: Selection
  private let take: (MarkupElement) -> Bool
  fileprivate var source: MarkupSource
  private var parser: xmlParserCtxtPtr?
  private var ending: Ending?
  private var depth = 0
  private var builder: MarkupBuilder?
  private(set) var hasEntered = false
  private var isInside = false
  /// The addresses of namespaces by where libxml2 keeps them.
  private var namespaces: [UnsafePointer<UInt8>: String] = [:]

  /// Elements may nest so deep, in whichever version of libxml2.
  private static let mostDepth = 256

  /// - Parameters:
  ///   - source: The document.
  ///   - selection: Which elements are given.
  ///   - take: Gets them one after the other; false stops the reading.
  init(_ source: MarkupSource, _ selection: Selection, _ take: @escaping (MarkupElement) -> Bool) {
    self.source = source
    self.selection = selection
    self.take = take
  }

  /// Reads the document; of a task that is cancelled, no more.
  func read() -> Ending {
    var handler = Self.handler
    let own = Unmanaged.passUnretained(self).toOpaque()
    let parser = xmlCreateIOParserCtxt(&handler, own, fill, nil, own, 0)
    guard let parser else { return .broken }
    defer {
      // It makes a document for entities, even for who wants none.
      if let document = parser.pointee.myDoc { xmlFreeDoc(document) }
      xmlFreeParserCtxt(parser)
    }
    // Entities are those of XML itself; in attributes they are resolved by that word only.
    let options =
      CSYNC_XML_PARSE_NOERROR | CSYNC_XML_PARSE_NOWARNING | CSYNC_XML_PARSE_NONET
      | CSYNC_XML_PARSE_IGNORE_ENC | CSYNC_XML_PARSE_NOENT
    xmlCtxtUseOptions(parser, Int32(options))
    self.parser = parser
    defer { self.parser = nil }
    let isWellFormed = xmlParseDocument(parser) == 0
    if let ending { return ending }
    guard !source.hasTooMuch else { return .atTooMuch }
    return isWellFormed ? .atEnd : .broken
  }

  // MARK: - What is met

  private static var handler: _xmlSAXHandler {
    var handler = _xmlSAXHandler()
    handler.initialized = UInt32(CSYNC_XML_SAX2_MAGIC)
    handler.entityDecl = { context, _, _, _, _, _ in reader(context)?.stop(.atDeclaration) }
    // What a document type elsewhere declares isn't read, and libxml2 would leave it out.
    handler.getEntity = { context, _ in
      reader(context)?.stop(.atEntity)
      return nil
    }
    handler.startElementNs = { context, name, prefix, space, _, _, count, defaulted, attributes in
      // An attribute that the tag doesn't have was declared.
      guard defaulted == 0, let name else { return reader(context)?.stop(.atDeclaration) ?? () }
      reader(context)?.begin(name, prefix, space, attributes, Int(count))
    }
    handler.endElementNs = { context, _, _, _ in reader(context)?.end() }
    handler.characters = { context, text, count in reader(context)?.add(text, count) }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    return handler
  }

  fileprivate func stop(_ ending: Ending) {
    if self.ending == nil { self.ending = ending }
    parser.map { xmlStopParser($0) }
  }

  fileprivate typealias Text = UnsafePointer<UInt8>

  fileprivate func begin(
    _ name: Text, _ prefix: Text?, _ space: Text?,
    _ attributes: UnsafeMutablePointer<Text?>?, _ count: Int
  ) {
    defer { depth += 1 }
    guard ending == nil else { return }
    guard depth < Self.mostDepth else { return stop(.atTooMuch) }
    if builder == nil {
      guard isSelected(name, prefix, space) else { return }
      builder = MarkupBuilder()
    }
    var own: [MarkupTree.Attribute] = []
    for index in 0..<count {
      guard let attributes, let local = attributes[5 * index],
        let start = attributes[5 * index + 3], let end = attributes[5 * index + 4]
      else { continue }
      let value = UnsafeBufferPointer(start: start, count: end - start)
      own.append(
        .init(
          name: self.name(local, attributes[5 * index + 1], attributes[5 * index + 2]),
          value: String(decoding: value, as: UTF8.self)))
    }
    builder?.begin(self.name(name, prefix, space), own)
    if builder?.isTooBig ?? false { return stop(.atTooMuch) }
    if case .root = selection { give() }
  }

  /// Whether an element that begins outside of any that is given is one.
  private func isSelected(_ name: Text, _ prefix: Text?, _ space: Text?) -> Bool {
    switch selection {
    case .root: return depth == 0
    case .inRoot: return depth == 1
    case .inFirst(let outer):
      if depth == 1, !hasEntered {
        let found = self.name(name, prefix, space)
        hasEntered = found.local == outer && found.namespace.isEmpty
        isInside = hasEntered
      }
      return depth == 2 && isInside
    }
  }

  fileprivate func add(_ text: Text?, _ count: Int32) {
    guard ending == nil, builder != nil else { return }
    builder?.add(UnsafeBufferPointer(start: text, count: Int(count)))
    if builder?.isTooBig ?? false { stop(.atTooMuch) }
  }

  fileprivate func end() {
    depth -= 1
    guard ending == nil else { return }
    if depth == 1 { isInside = false }
    builder?.end()
    if builder?.isWhole ?? false { give() }
  }

  private func give() {
    guard let element = builder?.element() else { return }
    builder = nil
    if !take(element) { stop(.stopped) }
  }

  /// A prefix that nothing declares is part of the name.
  private func name(_ local: Text, _ prefix: Text?, _ space: Text?) -> MarkupTree.Name {
    let name = String(cString: local)
    guard let space else {
      return .init(local: prefix.map { String(cString: $0) + ":" + name } ?? name, namespace: "")
    }
    if let known = namespaces[space] { return .init(local: name, namespace: known) }
    let namespace = String(cString: space)
    namespaces[space] = namespace
    return .init(local: name, namespace: namespace)
  }
}

private func reader(_ context: UnsafeMutableRawPointer?) -> MarkupParser? {
  context.map { Unmanaged<MarkupParser>.fromOpaque($0).takeUnretainedValue() }
}

/// Gives libxml2 the next bytes of the document.
///
/// It lets go of what it has read only where less than 500 bytes are left to be read, and asks for
/// more below 250: in larger pieces, documents with long tags would pile up to its limit.
private func fill(
  _ context: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32
) -> Int32 {
  guard let buffer, size > 0, let reader = reader(context) else { return 0 }
  return buffer.withMemoryRebound(to: UInt8.self, capacity: Int(size)) { bytes in
    Int32(reader.source.fill(UnsafeMutableBufferPointer(start: bytes, count: min(Int(size), 250))))
  }
}
