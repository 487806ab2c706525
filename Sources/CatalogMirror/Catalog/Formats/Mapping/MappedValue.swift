import SyncText

/// What a mapping takes a value from: a path, or a text with paths in braces.
struct MappedValue: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case text([UInt8])
    case path(JSONPath)
    /// The last component of the address that stands there, decoded.
    case file(JSONPath)
    case memberName
    /// A component of the path of the catalog's address, counted from 1.
    case address(Int)
  }

  let pieces: [Piece]

  /// Reads a path or a template; `nil` for what is neither.
  init?(_ signs: ArraySlice<MappingSign>) {
    guard signs.contains(.of("{")) || signs.contains(.of("}")) else {
      guard let piece = Self.piece(signs) else { return nil }
      pieces = [piece]
      return
    }
    var pieces: [Piece] = []
    var rest = signs
    while !rest.isEmpty {
      let text = rest.prefix { $0 != .of("{") && $0 != .of("}") }
      if !text.isEmpty { pieces.append(.text(text.bytes)) }
      rest = rest[text.endIndex...]
      guard let open = rest.popFirst() else { break }
      guard open == .of("{"), let close = rest.firstIndex(of: .of("}")),
        let piece = Self.piece(rest[..<close])
      else { return nil }
      pieces.append(piece)
      rest = rest[(close + 1)...]
    }
    self.pieces = pieces
  }

  private static func piece(_ signs: ArraySlice<MappingSign>) -> Piece? {
    if signs.first == .of("@") {
      if signs.text == "@key" { return .memberName }
      let position = signs.text.split(separator: ".")
      guard position.count == 2, position[0] == "@address", let number = Int(position[1]),
        number > 0
      else { return nil }
      return .address(number)
    }
    let parts = signs.split(separator: .of("|"), omittingEmptySubsequences: false)
    guard let path = parts.first.flatMap(JSONPath.init), path.isSingle else { return nil }
    guard parts.count > 1 else { return .path(path) }
    return parts.count == 2 && parts[1].text == "file" ? .file(path) : nil
  }

  /// The first piece that gives nothing; `nil` where each gives something.
  func gap(at place: MappedPlace, of catalog: URLReference) -> Piece? {
    pieces.first { piece in
      if case .text = piece { return false }
      return Self.bytes(of: piece, at: place, catalog)?.isEmpty ?? true
    }
  }

  /// The bytes that it gives; `nil` where one of its values is missing, empty, or no plain value.
  ///
  /// - Parameters:
  ///   - place: The item.
  ///   - catalog: The catalog's address.
  ///   - isAddress: Whether values are percent-encoded that stand behind others.
  func bytes(at place: MappedPlace, of catalog: URLReference, isAddress: Bool = false) -> [UInt8]? {
    var bytes: [UInt8] = []
    for (index, piece) in pieces.enumerated() {
      if case .text(let text) = piece {
        bytes += text
        continue
      }
      guard let value = Self.bytes(of: piece, at: place, catalog), !value.isEmpty else {
        return nil
      }
      bytes += isAddress && index > 0 ? Array(PercentEncoding.encode(path: value).utf8) : value
    }
    return bytes
  }

  func text(at place: MappedPlace, of catalog: URLReference, isAddress: Bool = false) -> String? {
    bytes(at: place, of: catalog, isAddress: isAddress).flatMap {
      String(validating: $0, as: UTF8.self)
    }
  }

  private static func bytes(
    of piece: Piece, at place: MappedPlace, _ catalog: URLReference
  ) -> [UInt8]? {
    switch piece {
    case .text(let text): return text
    case .path(let path): return place.value(path)?.plainBytes
    case .memberName: return place.names.last
    case .file(let path):
      guard let text = place.value(path)?.string, let url = URLReference(text) else { return nil }
      return url.path.split(separator: "/").last.flatMap { PercentEncoding.decode($0) }
    case .address(let number):
      let parts = catalog.path.split(separator: "/")
      return parts.count < number ? nil : PercentEncoding.decode(parts[number - 1])
    }
  }

  var text: String {
    if pieces.count == 1 { return pieces[0].text }
    return pieces.map(Self.part).joined()
  }

  private static func part(_ piece: Piece) -> String {
    if case .text = piece { piece.text } else { "{\(piece.text)}" }
  }
}

extension MappedValue.Piece {
  var text: String {
    switch self {
    case .text(let bytes): ByteString.escape(bytes)
    case .path(let path): path.text
    case .file(let path): path.text + "|file"
    case .memberName: "@key"
    case .address(let number): "@address.\(number)"
    }
  }
}
