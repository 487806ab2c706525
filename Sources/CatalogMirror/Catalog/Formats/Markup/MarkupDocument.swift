/// A document of XML that is read element by element, so that not all of it is in memory.
struct MarkupDocument {
  private let body: CatalogBody
  private let format: CatalogFormatName
  private let source: MarkupSource
  /// The outermost element, and nothing of what is in it.
  let root: MarkupElement

  fileprivate init(_ body: CatalogBody, _ format: CatalogFormatName) throws(CatalogError) {
    self.body = body
    self.format = format
    guard let opening = MarkupOpening(body.bytes), !opening.declares,
      let source = MarkupSource(body.bytes, encoding: opening.encoding)
    else { throw Self.unreadable(body, format) }
    self.source = source
    var root: MarkupElement?
    let ending = MarkupParser(source, .root) { element in
      root = element
      return false
    }.read()
    guard let root else { throw Self.unreadable(body, format, ending) }
    self.root = root
  }

  /// Gives each element directly in the outermost one, whole, one after the other.
  ///
  /// What was given counts only when this returns: what comes later may not be well-formed.
  ///
  /// - Parameters:
  ///   - inner: Gives those directly in the first element of this name in their place.
  ///   - take: Gets them; what it throws ends the reading.
  /// - Returns: Whether there is such an inner element; true where none is asked for.
  @discardableResult
  func forEach(
    inFirst inner: String? = nil, _ take: (MarkupElement) throws(CatalogError) -> Void
  ) throws(CatalogError) -> Bool {
    try withoutActuallyEscaping(take) { take throws(CatalogError) in
      var failure: CatalogError?
      let selection = inner.map { MarkupParser.Selection.inFirst($0) } ?? .inRoot
      let parser = MarkupParser(source, selection) { element in
        do throws(CatalogError) {
          try take(element)
          return true
        } catch {
          failure = error
          return false
        }
      }
      let ending = parser.read()
      if let failure { throw failure }
      guard ending == .atEnd else { throw Self.unreadable(body, format, ending) }
      return inner == nil || parser.hasEntered
    }
  }

  private static func unreadable(
    _ body: CatalogBody, _ format: CatalogFormatName, _ ending: MarkupParser.Ending = .broken
  ) -> CatalogError {
    guard body.opening.first == UInt8(ascii: "<"), body.kind == .xml else {
      return body.unreadable(expected: .format(format))
    }
    if ending == .atDeclaration || body.markup?.declares == true {
      return body.unreadable(expected: .format(format), found: .declarations)
    }
    let found: CatalogError.Finding =
      switch ending {
      case .atEntity: .unknownEntity
      case .atTooMuch: .hugeElement
      case .atDeclaration, .atEnd, .broken, .stopped: .brokenXML
      }
    return body.unreadable(expected: .format(format), found: found)
  }
}

extension CatalogBody {
  /// The body as a document of XML.
  /// - Throws: ``CatalogError/unreadable(url:expected:found:)`` for any other, or one with
  ///   declarations of its own.
  func xml(expected format: CatalogFormatName) throws(CatalogError) -> MarkupDocument {
    try MarkupDocument(self, format)
  }
}
