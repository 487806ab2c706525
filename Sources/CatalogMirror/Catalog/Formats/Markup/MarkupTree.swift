private import CSyncXML
import SyncText

/// A document of XML, read by libxml2.
///
/// One thread's at a time; the elements keep it alive.
final class MarkupTree {
  private let document: xmlDocPtr

  /// A document of XML 1.0 in UTF-8 or ISO 8859-1, which must be well-formed; `nil` for any other,
  /// and for one with declarations of its own. Nothing is fetched for it.
  init?(xml bytes: [UInt8]) {
    guard let opening = MarkupOpening(bytes), !opening.declares else { return nil }
    let isLatin = ["iso-8859-1", "latin1"].contains(opening.encoding)
    // What libxml2 can't decode it complains of on standard error, whatever it is told.
    guard
      isLatin
        || ["utf-8", "utf8", "us-ascii", nil].contains(opening.encoding)
          && String(validating: bytes, as: UTF8.self) != nil
    else { return nil }
    let options =
      CSYNC_XML_PARSE_NOERROR | CSYNC_XML_PARSE_NOWARNING | CSYNC_XML_PARSE_NONET
    let document = Self.read(bytes, isLatin: isLatin) { start, size, encoding in
      xmlReadMemory(start, size, nil, encoding, Int32(options))
    }
    guard let document else { return nil }
    guard csync_xml_declares(document) == 0 else {
      xmlFreeDoc(document)
      return nil
    }
    self.document = document
  }

  private static func read(
    _ bytes: [UInt8], isLatin: Bool,
    _ parse: (UnsafePointer<CChar>?, Int32, String) -> xmlDocPtr?
  ) -> xmlDocPtr? {
    guard let size = Int32(exactly: bytes.count) else { return nil }
    return bytes.withUnsafeBytes { buffer in
      parse(
        buffer.bindMemory(to: CChar.self).baseAddress, size, isLatin ? "ISO-8859-1" : "UTF-8")
    }
  }

  deinit { xmlFreeDoc(document) }

  /// The outermost element.
  var root: MarkupElement? {
    xmlDocGetRootElement(document).map { MarkupElement(self, $0) }
  }
}

/// An element of a document.
struct MarkupElement {
  private let tree: MarkupTree
  private let node: xmlNodePtr

  fileprivate init(_ tree: MarkupTree, _ node: xmlNodePtr) {
    self.tree = tree
    self.node = node
  }

  /// Its name without a prefix.
  var name: String { node.pointee.name.map { String(cString: $0) } ?? "" }

  /// The address of its namespace; empty where it is in none.
  var namespace: String {
    node.pointee.ns.flatMap { $0.pointee.href }.map { String(cString: $0) } ?? ""
  }

  /// The elements directly in it.
  var children: [MarkupElement] {
    var children: [MarkupElement] = []
    var next = node.pointee.children
    while let child = next {
      if child.pointee.type == CSYNC_XML_ELEMENT_NODE {
        children.append(MarkupElement(tree, child))
      }
      next = child.pointee.next
    }
    return children
  }

  /// All text in it, as it stands there.
  var content: String {
    guard let content = xmlNodeGetContent(node) else { return "" }
    defer { csync_xml_free(content) }
    return String(cString: content)
  }

  /// All text in it, without blanks around.
  var text: String { content.withoutOuterWhitespace }

  /// Whether it has this name in this namespace.
  func isCalled(_ name: String, in namespace: String) -> Bool {
    self.name == name && self.namespace == namespace
  }

  /// The value of an attribute without a namespace, or with this one.
  func attribute(_ name: String, in namespace: String? = nil) -> String? {
    let value =
      namespace.map { xmlGetNsProp(node, name, $0) } ?? xmlGetNoNsProp(node, name)
    guard let value else { return nil }
    defer { csync_xml_free(value) }
    return String(cString: value)
  }

  /// The elements directly in it of that name and namespace.
  func all(_ name: String, in namespace: String = "") -> [MarkupElement] {
    children.filter { $0.isCalled(name, in: namespace) }
  }

  /// The first of them.
  func first(_ name: String, in namespace: String = "") -> MarkupElement? {
    all(name, in: namespace).first
  }
}
