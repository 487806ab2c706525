import SyncText

/// What of a payload says that rows are gone: an object that stands for a row which was deleted, or
/// a list of keys beside the objects.
///
/// Such rows are deleted, also for a payload that is a part, within the limit of deletions. Nothing
/// else that such an object says counts. Where one key is deleted and comes as a row besides, the
/// later of both objects counts; a list of keys counts less than an object, wherever it stands.
public enum DeletedMark: Sendable, Hashable {
  /// An object whose member at this path says anything: it isn't absent, null, false, 0 or empty.
  case member(PayloadPath)
  /// An object whose member at this path is this text, or a number or truth value that is written
  /// so.
  case value(PayloadPath, String)
  /// The array at this path of a body: keys, or objects that have them. Where nothing stands,
  /// nothing is deleted.
  case keys(PayloadPath)

  /// What a text says: `deletedAt`, `status=cancelled`, or `deleted[]` for an array beside the
  /// objects; `nil` where it has no path through objects.
  public init?(_ text: String) {
    var isQuoted = false
    let sign = text.utf8.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: "=") && !isQuoted
    }
    let isArray = sign == nil && text.hasSuffix("[]")
    let path = isArray ? text.dropLast(2) : text[..<(sign ?? text.endIndex)]
    guard let path = PayloadPath(String(path)), path.isPlain else { return nil }
    if let sign {
      self = .value(path, String(text[text.index(after: sign)...]))
    } else {
      self = isArray ? .keys(path) : .member(path)
    }
  }

  /// Whether an object stands for a row that is gone.
  func marks(_ element: JSONTape.Node, in tape: borrowing JSONTape) -> Bool {
    switch self {
    case .keys: return false
    case .member(let path):
      return tape.node(at: path.names[...], in: element).map { tape.isAnything($0) } ?? false
    case .value(let path, let value):
      guard let node = tape.node(at: path.names[...], in: element) else { return false }
      switch tape.kind(of: node) {
      case .string: return tape.isString(node, Array(value.utf8))
      case .number, .true, .false, .null:
        return tape.bytes[tape.range(of: node)].elementsEqual(value.utf8)
      case .array, .object: return false
      }
    }
  }
}

extension JSONTape {
  /// The value at the end of a way through objects; `nil` where there is none.
  fileprivate func node(at names: ArraySlice<[UInt8]>, in node: Node) -> Node? {
    guard let first = names.first else { return node }
    guard kind(of: node) == .object else { return nil }
    let end = end(of: node)
    var name = inside(node)
    while name != end {
      let value = after(name)
      if isString(name, first) { return self.node(at: names.dropFirst(), in: value) }
      name = after(value)
    }
    return nil
  }
}
