private import CSyncXML
import SyncText

/// Pages in HTML, read by libxml2's forgiving parser.
enum HTMLReader {
  /// What a page's bytes are characters of.
  enum Charset: String {
    /// Each byte is one. For servers that name no charset, or cut a shown name inside a character:
    /// nothing is dropped, and what matters there is ASCII.
    case bytes = "ISO-8859-1"
    /// UTF-8.
    case utf8 = "UTF-8"

    /// UTF-8, where these bytes can be.
    init(of bytes: some Collection<UInt8>) {
      let isUTF8 = bytes.withContiguousStorageIfAvailable {
        UTF8Fault.first(in: UnsafeRawBufferPointer($0)) == nil
      }
      self = isUTF8 ?? false ? .utf8 : .bytes
    }
  }

  /// Reads a page; its nodes are there as long as `read` runs.
  ///
  /// - Returns: What `read` does; `nil` also where the bytes are no page at all, something in it is
  ///   too large, or the task is cancelled. With a NUL they are none: the parser would take it for
  ///   the end.
  static func read<Value>(
    _ bytes: some Collection<UInt8>, in charset: Charset = .bytes,
    _ read: (HTMLNode) -> Value?
  ) -> Value? {
    guard !bytes.contains(0) else { return nil }
    let options =
      CSYNC_HTML_PARSE_RECOVER | CSYNC_HTML_PARSE_NOERROR | CSYNC_HTML_PARSE_NOWARNING
      | CSYNC_HTML_PARSE_NONET
    let parsed = bytes.withContiguousStorageIfAvailable { buffer in
      let source = HTMLSource(UnsafeRawBufferPointer(buffer))
      let document = withExtendedLifetime(source) {
        let itself = Unmanaged.passUnretained(source).toOpaque()
        return htmlReadIO(fill, nil, itself, nil, charset.rawValue, Int32(options))
      }
      guard source.isAtEnd else {
        document.map { xmlFreeDoc($0) }
        return xmlDocPtr?.none
      }
      return document
    }
    guard let document = parsed ?? nil else { return nil }
    defer { xmlFreeDoc(document) }
    return xmlDocGetRootElement(document).flatMap { read(HTMLNode($0)) }
  }
}

/// The bytes of a page, handed out piece by piece: up to a tag or a text that is too large, and for
/// as long as the task isn't cancelled.
private final class HTMLSource {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  private var gate = MarkupGate(CatalogLimits(), .html)

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Whether all of it was handed out.
  var isAtEnd: Bool { place == bytes.count }

  /// Puts the next bytes into a buffer, and says how many.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let piece = UnsafeRawBufferPointer(
      rebasing: bytes[place..<min(place + buffer.count, bytes.count)])
    guard !Task.isCancelled, (try? gate.take(piece)) != nil else { return 0 }
    buffer.copyMemory(from: piece)
    place += piece.count
    return piece.count
  }
}

/// Gives libxml2 the next bytes of a page, as few at once as its reader of XML gets.
private func fill(
  _ context: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32
) -> Int32 {
  guard let context, let buffer, size > 0 else { return 0 }
  let source = Unmanaged<HTMLSource>.fromOpaque(context).takeUnretainedValue()
  return Int32(
    source.fill(UnsafeMutableRawBufferPointer(start: buffer, count: min(Int(size), 250))))
}

/// A node of a page that is being read: an element, a text, or something else.
struct HTMLNode {
  private let node: xmlNodePtr

  fileprivate init(_ node: xmlNodePtr) {
    self.node = node
  }

  /// An element's name, in small letters.
  var name: String? {
    guard node.pointee.type == CSYNC_XML_ELEMENT_NODE, let name = node.pointee.name else {
      return nil
    }
    return String(cString: name)
  }

  /// Whether it is a text.
  var isText: Bool { node.pointee.type == CSYNC_XML_TEXT_NODE }

  /// All text in it; of a task that is cancelled, none.
  var text: String {
    guard !Task.isCancelled, let content = xmlNodeGetContent(node) else { return "" }
    defer { csync_xml_free(content) }
    return String(cString: content)
  }

  /// The node after it.
  var next: HTMLNode? { node.pointee.next.map { HTMLNode($0) } }

  /// What is in it, one level down.
  var children: some Sequence<HTMLNode> {
    sequence(state: node.pointee.children) { place in
      guard let node = place, !Task.isCancelled else { return HTMLNode?.none }
      place = node.pointee.next
      return HTMLNode(node)
    }
  }

  /// The elements in it, one level down.
  var elements: [HTMLNode] { children.filter { $0.name != nil } }

  /// The first element of a name in it, one level down.
  func first(_ name: String) -> HTMLNode? { children.first { $0.name == name } }

  /// The value of an attribute; to a task that is cancelled, none has one.
  func attribute(_ name: String) -> String? {
    guard !Task.isCancelled, let value = xmlGetProp(node, name) else { return nil }
    defer { csync_xml_free(value) }
    return String(cString: value)
  }

  /// The value of an attribute of the first element of a name below it that has one, without a list
  /// of all others.
  func firstAttribute(_ attribute: String, of name: String) -> String? {
    var place = node.pointee.children
    while let current = place {
      let found = HTMLNode(current)
      if current.pointee.type == CSYNC_XML_ELEMENT_NODE,
        current.pointee.name?.pointee == name.utf8.first, found.name == name,
        let value = found.attribute(attribute)
      {
        return value
      }
      place = current.pointee.children
      var above = current
      while place == nil, above != node {
        place = above.pointee.next
        guard place == nil, let parent = above.pointee.parent else { break }
        above = parent
      }
    }
    return nil
  }

  /// The elements of a name in it, at whatever depth, in their order; not those in one another.
  func all(_ name: String) -> [HTMLNode] {
    var found: [HTMLNode] = []
    // No recursion: a page may be as deep as it likes.
    var waiting = [self]
    while !Task.isCancelled, let node = waiting.popLast() {
      if node.name == name {
        found.append(node)
      } else {
        waiting += node.elements.reversed()
      }
    }
    return found
  }
}

extension HTMLNode {
  /// The text of the page's title.
  var title: String? { first("head")?.first("title")?.text }
}
