import SyncText

/// What was seen of the values under one name: which kinds, and how many that aren't null.
struct ValueFacts: Sendable, Equatable {
  private(set) var kinds: Kinds = []
  /// How many values came that aren't null.
  private(set) var values = 0
  private(set) var objects = 0
  private(set) var arrays = 0
  /// How many of the arrays hold nothing.
  private(set) var emptyArrays = 0

  /// Whether anything came but nulls and empty arrays.
  var hasContent: Bool { values > emptyArrays }

  /// Kinds of values, as far as columns can tell them apart.
  struct Kinds: OptionSet, Sendable {
    let rawValue: UInt16
    init(rawValue: UInt16) { self.rawValue = rawValue }

    static let truth = Kinds(rawValue: 1)
    /// An integer that is exact as a double, too.
    static let integer = Kinds(rawValue: 2)
    /// An integer of 64 bits that no double holds.
    static let wideInteger = Kinds(rawValue: 4)
    /// Another number that reads back from a double as what it was.
    static let real = Kinds(rawValue: 8)
    /// A number with more digits than a double has, which is less than one part in 10^15 away from
    /// the nearest.
    static let digits = Kinds(rawValue: 256)
    /// A number from which no double is that near: one beyond all of them, or next to zero.
    static let decimal = Kinds(rawValue: 16)
    static let text = Kinds(rawValue: 32)
    /// A string that says an integer that is exact as a double: `"7"`.
    static let integerText = Kinds(rawValue: 512)
    /// A string that says another number as a double is printed: `"2.75"`.
    static let realText = Kinds(rawValue: 1_024)
    /// A string that says a number as none is printed: `"1.10"`.
    static let spelling = Kinds(rawValue: 4_096)
    /// `"true"` or `"false"`.
    static let truthText = Kinds(rawValue: 2_048)
    /// A string that is no Unicode, which only JSON can say.
    static let oddText = Kinds(rawValue: 64)
    /// An array or an object.
    static let nested = Kinds(rawValue: 128)

    static let numbers: Kinds = [.integer, .wideInteger, .real, .digits, .decimal]
    static let texts: Kinds = [.text, .integerText, .realText, .truthText, .spelling]

    /// Strings that say what the other values are, as these are printed, count as these; beside
    /// anything else, as text.
    ///
    /// - Parameter isExact: Whether the digits count, too.
    func readingTexts(isExact: Bool) -> Kinds {
      let others = subtracting([.integerText, .realText, .truthText, .spelling])
      guard others != self else { return self }
      if others == .truth, subtracting(others) == .truthText { return .truth }
      guard !others.isEmpty, others.isSubset(of: .numbers), !contains(.truthText),
        isExact || !contains(.spelling)
      else { return others.union(.text) }
      let fraction: Kinds = isExact ? .decimal : .real
      return others.union(isDisjoint(with: [.realText, .spelling]) ? .integer : fraction)
    }
  }

  mutating func add(_ value: JSONTape.Node, in tape: borrowing JSONTape) {
    switch tape.kind(of: value) {
    case .null: return
    case .true, .false: kinds.insert(.truth)
    case .number: kinds.insert(Self.kind(ofNumber: value, in: tape))
    case .string:
      // The bytes of a plain one were never looked at as text.
      kinds.insert(tape.isUnicode(value) ? Self.kind(ofText: value, in: tape) : .oddText)
    case .object:
      kinds.insert(.nested)
      objects += 1
    case .array:
      kinds.insert(.nested)
      arrays += 1
      if tape.inside(value) == tape.end(of: value) { emptyArrays += 1 }
    }
    values += 1
  }

  /// Takes what was seen elsewhere.
  mutating func add(_ other: ValueFacts) {
    kinds.formUnion(other.kinds)
    values += other.values
    objects += other.objects
    arrays += other.arrays
    emptyArrays += other.emptyArrays
  }

  private static func kind(ofText value: JSONTape.Node, in tape: borrowing JSONTape) -> Kinds {
    let range = tape.range(of: value)
    guard range.count > 2, range.count < 26 else { return .text }
    switch tape.bytes[range.lowerBound + 1] {
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      let isTruth = tape.isString(value, Array("true".utf8))
      return isTruth || tape.isString(value, Array("false".utf8)) ? .truthText : .text
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      if tape.isShortNumber(range.dropFirst().dropLast(), hasDot: false) { return .integerText }
      guard let text = tape.string(value), let number = JSONNumber(text),
        let double = number.double, JSONNumber(double) == number
      else { return .text }
      guard text.isPrintedNumber else { return .spelling }
      guard Int64(text) != nil else { return .realText }
      return double.magnitude <= 0x1p53 ? .integerText : .text
    default: return .text
    }
  }

  private static func kind(
    ofNumber value: JSONTape.Node, in tape: borrowing JSONTape
  ) -> Kinds {
    if let integer = tape.integer(value) {
      return integer.magnitude <= 1 << 53 ? .integer : .wideInteger
    }
    if tape.isShortNumber(tape.range(of: value), hasDot: true) { return .real }
    guard let number = tape.number(value), let double = number.double else { return .decimal }
    if let again = JSONNumber(double), again == number { return .real }
    // Of a normal double, the next is never farther than one part in 2^52.
    return double.isNormal ? .digits : .decimal
  }
}

extension String {
  /// Whether a number of a text is printed so again.
  var isPrintedNumber: Bool {
    Int64(self)?.description == self || Double(self)?.description == self
  }
}

extension JSONTape {
  /// Whether a part of the text is a number above 1 of so few digits that a double has all of them
  /// (IEEE 754: any 15), as most are: a fraction where it has a dot, or else an integer as one is
  /// printed.
  fileprivate func isShortNumber(_ range: Range<Int>, hasDot: Bool) -> Bool {
    guard range.count <= 15, bytes[range.lowerBound] != UInt8(ascii: "0") else { return false }
    return bytes.withUnsafeBufferPointer { text in
      var dots = 0
      for byte in UnsafeBufferPointer(rebasing: text[range]) {
        if byte == UInt8(ascii: ".") { dots += 1 } else if !byte.isDigit { return false }
      }
      return dots == (hasDot ? 1 : 0)
    }
  }

  /// Whether a string can be text.
  fileprivate func isUnicode(_ node: Node) -> Bool {
    guard isPlain(node) else { return string(node) != nil }
    let range = range(of: node)
    return bytes.withUnsafeBufferPointer { text in
      let inside = UnsafeBufferPointer(rebasing: text[range])
      return inside.allSatisfy { $0 < 0x80 } || string(node) != nil
    }
  }
}
