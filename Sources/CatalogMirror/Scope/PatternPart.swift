/// One part of a pattern, between two slashes.
enum PatternPart: Hashable, Sendable {
  /// Any number of directories, also none.
  case anyDepth
  case name([Element])

  /// A piece of a name.
  enum Element: Hashable, Sendable {
    case byte(UInt8)
    case oneOf(ByteSet)
    /// Any bytes, also none.
    case run
  }

  static let anyName = PatternPart.name([.run])

  init(_ written: ArraySlice<UInt8>) throws(PatternProblem) {
    if written.count > 1, written.allSatisfy({ $0 == UInt8(ascii: "*") }) {
      self = .anyDepth
      return
    }
    var elements: [Element] = []
    var rest = written
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"):
        if elements.last != .run { elements.append(.run) }
      case UInt8(ascii: "?"): elements.append(.oneOf(.all))
      case UInt8(ascii: "["): elements.append(.oneOf(try ByteSet(readingFrom: &rest)))
      case UInt8(ascii: "\\"):
        guard let meant = rest.popFirst() else { throw .backslashAtTheEnd }
        elements.append(.byte(meant))
      default: elements.append(.byte(byte))
      }
    }
    self = .name(elements)
  }

  /// Whether a name fits. Takes at most as many steps as the lengths of the two multiplied.
  static func fits(_ elements: [Element], _ name: ArraySlice<UInt8>) -> Bool {
    var (element, byte) = (elements.startIndex, name.startIndex)
    // Where the last run began, and how far it has been taken to reach.
    var resume: (element: Int, byte: Int)?
    while byte < name.endIndex {
      if element < elements.endIndex {
        if elements[element] == .run {
          element += 1
          resume = (element, byte)
          continue
        }
        if elements[element].fits(name[byte]) {
          (element, byte) = (element + 1, byte + 1)
          continue
        }
      }
      guard let last = resume else { return false }
      resume = (last.element, last.byte + 1)
      (element, byte) = (last.element, last.byte + 1)
    }
    return elements[element...].allSatisfy { $0 == .run }
  }
}

extension PatternPart.Element {
  fileprivate func fits(_ byte: UInt8) -> Bool {
    switch self {
    case .byte(let wanted): byte == wanted
    case .oneOf(let set): set.contains(byte)
    case .run: true
    }
  }
}
