private import CSyncXML

/// An element of an XML document, as long as the document is read (see ``read(_:_:)``).
struct XMLElement {
  private let node: xmlNodePtr

  /// Reads a document that is whole and well-formed (Extensible Markup Language 1.0) and declares
  /// no document type: what such a declaration may bring in from elsewhere, none of these formats
  /// has any use for.
  ///
  /// - Parameter body: Is given the root element, which is good until it returns.
  /// - Returns: `nil` when it is no such document.
  static func read<Value>(
    _ bytes: [UInt8], _ body: (XMLElement) throws(CatalogError) -> Value
  ) throws(CatalogError) -> Value? {
    guard let size = Int32(exactly: bytes.count) else { return nil }
    let options = CSYNC_XML_PARSE_NOERROR | CSYNC_XML_PARSE_NOWARNING | CSYNC_XML_PARSE_NONET
    let document = bytes.withUnsafeBytes { buffer in
      xmlReadMemory(
        buffer.bindMemory(to: CChar.self).baseAddress, size, nil, nil, Int32(options))
    }
    guard let document else { return nil }
    defer { xmlFreeDoc(document) }
    guard xmlGetIntSubset(document) == nil, let root = xmlDocGetRootElement(document) else {
      return nil
    }
    return try body(XMLElement(root))
  }

  private init(_ node: xmlNodePtr) {
    self.node = node
  }

  /// The name, without a prefix.
  var name: String { node.pointee.name.map { String(cString: $0) } ?? "" }

  /// The name of the namespace that it is in; `nil` for none.
  var namespace: String? { node.pointee.ns?.pointee.href.map { String(cString: $0) } }

  /// The elements in it, in their order.
  var children: some Sequence<XMLElement> {
    sequence(first: node.pointee.children) { $0?.pointee.next }.lazy
      .prefix { $0 != nil }
      .compactMap { child in
        child.flatMap { child in
          child.pointee.type == CSYNC_XML_ELEMENT_NODE ? XMLElement(child) : nil
        }
      }
  }

  /// All text in it.
  var text: String {
    guard let content = xmlNodeGetContent(node) else { return "" }
    defer { csync_xml_free(content) }
    return String(cString: content)
  }

  /// Whether it has this name in this namespace.
  func isCalled(_ name: String, in namespace: String) -> Bool {
    self.name == name && self.namespace == namespace
  }
}
