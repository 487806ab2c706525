private import CSyncXML
import SyncText

/// An element of an XML document: its name, its attributes, its text, and the elements in it.
struct XMLElement {
  /// The name without its prefix.
  let name: String
  /// The namespace, empty for none.
  let namespace: String
  /// The text of the element and of all in it, one after the other.
  let text: String
  /// The elements in it, in their order.
  let children: [XMLElement]
  private let attributes: [String: String]

  /// An attribute without a namespace.
  subscript(attribute name: String) -> String? { attributes[name] }

  /// The elements directly in it of this name and its own namespace.
  func children(named name: String) -> [XMLElement] {
    children.filter { $0.name == name && $0.namespace == namespace }
  }

  /// The root of a document; `nil` when it isn't well-formed, nests deeper, or has a document type,
  /// which could define what its text stands for.
  init?(document bytes: ArraySlice<UInt8>, attributes names: [String], nesting: Int) {
    guard let size = Int32(exactly: bytes.count), !Self.definesType(bytes) else { return nil }
    let options = CSYNC_HTML_PARSE_NOERROR | CSYNC_HTML_PARSE_NOWARNING | CSYNC_HTML_PARSE_NONET
    let document = bytes.withUnsafeBytes { buffer in
      xmlReadMemory(
        buffer.bindMemory(to: CChar.self).baseAddress, size, nil, nil, Int32(options))
    }
    guard let document else { return nil }
    defer { xmlFreeDoc(document) }
    guard let root = xmlDocGetRootElement(document) else { return nil }
    self.init(root, names, nesting: nesting)
  }

  private init?(_ node: xmlNodePtr, _ names: [String], nesting: Int) {
    guard nesting > 0, let name = node.pointee.name else { return nil }
    self.name = String(cString: name)
    namespace = node.pointee.ns?.pointee.href.map { String(cString: $0) } ?? ""
    var attributes: [String: String] = [:]
    for name in names { attributes[name] = Self.take(xmlGetNoNsProp(node, name)) }
    self.attributes = attributes
    text = Self.take(xmlNodeGetContent(node)) ?? ""
    var children: [XMLElement] = []
    var next = node.pointee.children
    while let child = next {
      next = child.pointee.next
      guard child.pointee.type == CSYNC_XML_ELEMENT_NODE else { continue }
      guard let element = XMLElement(child, names, nesting: nesting - 1) else { return nil }
      children.append(element)
    }
    self.children = children
  }

  /// A document type stands before the root, and is written in ASCII whatever the encoding, but for
  /// UTF-16 and its kin, which aren't read at all.
  private static func definesType(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.prefix(4).contains(0) || bytes.starts(with: [0xFE, 0xFF])
      || bytes.starts(with: [0xFF, 0xFE]) || bytes.firstRange(of: "<!DOCTYPE".utf8) != nil
  }

  private static func take(_ text: UnsafeMutablePointer<UInt8>?) -> String? {
    guard let text else { return nil }
    defer { csync_xml_free(text) }
    return String(cString: text)
  }
}
