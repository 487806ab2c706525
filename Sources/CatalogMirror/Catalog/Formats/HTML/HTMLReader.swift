private import CSyncXML
private import SyncSystem
import SyncText

/// Pages in HTML, read by libxml2's forgiving parser.
enum HTMLReader {
  enum Charset: String {
    /// Each byte is one. For servers that name no charset, or cut a shown name inside a character:
    /// nothing is dropped, and what matters there is ASCII.
    case bytes = "ISO-8859-1"
    case utf8 = "UTF-8"

    /// UTF-8, where these bytes can be.
    init(of bytes: some Collection<UInt8>) {
      let isUTF8 = bytes.withContiguousStorageIfAvailable {
        UTF8Fault.first(in: UnsafeRawBufferPointer($0)) == nil
      }
      self = isUTF8 ?? false ? .utf8 : .bytes
    }
  }

  /// Reads a page. Where its title or its base comes after the first part of a list, the page is
  /// read once more, with both known from the start.
  ///
  /// - Returns: What is known of the page, and the reader that took its lists; `nil` where the
  ///   bytes are no page at all, something in it is too large or too deep, or the task is
  ///   cancelled. With a NUL they are none: the parser would take it for the end.
  static func read<Reader: HTMLListReader>(
    _ bytes: some Collection<UInt8>, in charset: Charset = .bytes, by reader: Reader
  ) -> (page: HTMLPage, reader: Reader)? {
    // The places in a tree are numbers of 32 bits, and a byte may become two.
    guard bytes.count <= Int32.max, !bytes.contains(0) else { return nil }
    let page = bytes.withContiguousStorageIfAvailable { buffer -> HTMLPage? in
      let bytes = UnsafeRawBufferPointer(buffer)
      let page = HTMLParser(bytes, HTMLPage(reader)).read(in: charset)
      guard let page, page.wasGuessed else { return page }
      return HTMLParser(bytes, HTMLPage(reader, knowing: page.facts)).read(in: charset)
    }
    guard let page = page.flatMap(\.self), let reader = page.reader as? Reader else { return nil }
    return (page, reader)
  }
}

/// Reads a page once, from its first byte on, by libxml2's parser of events. One thread's, and for
/// one reading.
///
/// libxml2's own tree would take sixty times the bytes of a page of short tags.
private final class HTMLParser {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  private var gate = MarkupGate(PieceLimits(), .html)
  private let page: HTMLPage

  init(_ bytes: UnsafeRawBufferPointer, _ page: HTMLPage) {
    self.bytes = bytes
    self.page = page
  }

  func read(in charset: HTMLReader.Charset) -> HTMLPage? {
    guard let parser = htmlNewParserCtxt() else { return nil }
    defer { xmlFreeParserCtxt(parser) }
    let own = Unmanaged.passUnretained(self).toOpaque()
    parser.pointee.sax?.pointee = Self.handler
    parser.pointee.userData = own
    let options =
      CSYNC_HTML_PARSE_RECOVER | CSYNC_HTML_PARSE_NOERROR | CSYNC_HTML_PARSE_NOWARNING
      | CSYNC_HTML_PARSE_NONET
    withExtendedLifetime(self) {
      htmlCtxtReadIO(parser, fill, nil, own, nil, charset.rawValue, Int32(options))
        .map { xmlFreeDoc($0) }
    }
    return page.finish() && place == bytes.count ? page : nil
  }

  private static var handler: _xmlSAXHandler {
    var handler = _xmlSAXHandler()
    handler.startElement = { context, name, attributes in
      parser(context)?.begin(name, attributes)
    }
    handler.endElement = { context, _ in parser(context)?.page.end() }
    handler.characters = { context, text, count in parser(context)?.add(.text, text, count) }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = { context, text, count in parser(context)?.add(.unshown, text, count) }
    handler.comment = { context, _ in parser(context)?.add(.unshown, nil, 0) }
    handler.processingInstruction = { context, _, _ in parser(context)?.add(.unshown, nil, 0) }
    return handler
  }

  private func begin(
    _ name: UnsafePointer<UInt8>?, _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  ) {
    guard let name else { return }
    page.begin(HTMLName(named: String(cString: name)))
    // Each attribute is a name and a value, which may be missing.
    var next = attributes
    while let pair = next, let name = pair[0] {
      if let attribute = HTMLAttribute(rawValue: String(cString: name)) {
        page.add(attribute, pair[1].map { UnsafeBufferPointer(start: $0, count: strlen($0)) })
      }
      next = pair + 2
    }
    page.endTag()
  }

  private func add(_ kind: HTMLTree.Kind, _ text: UnsafePointer<UInt8>?, _ count: Int32) {
    page.add(kind, UnsafeBufferPointer(start: text, count: Int(count)))
  }

  /// Puts the next bytes into a buffer, and says how many: none past a tag or a text that is too
  /// large, nor for a task that is cancelled.
  func copy(to buffer: UnsafeMutableRawBufferPointer) -> Int {
    let piece = UnsafeRawBufferPointer(
      rebasing: bytes[place..<min(place + buffer.count, bytes.count)])
    guard !Task.isCancelled, !page.isTooDeep, (try? gate.take(piece)) != nil else { return 0 }
    buffer.copyMemory(from: piece)
    place += piece.count
    return piece.count
  }
}

private func parser(_ context: UnsafeMutableRawPointer?) -> HTMLParser? {
  context.map { Unmanaged<HTMLParser>.fromOpaque($0).takeUnretainedValue() }
}

/// Gives libxml2 the next bytes of a page, as few at once as its reader of XML gets.
private func fill(
  _ context: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32
) -> Int32 {
  guard let buffer, size > 0, let parser = parser(context) else { return 0 }
  return Int32(
    parser.copy(to: UnsafeMutableRawBufferPointer(start: buffer, count: min(Int(size), 250))))
}
