private import SyncText

// The way to the elements: through arrays and values of any name, and where it leads to none.

extension PayloadScan {
  /// Opens the array through which the path leads at a step.
  mutating func goThrough(
    _ step: Int, _ byte: UInt8, _ text: inout PayloadText
  ) throws(PayloadProblem) -> Bool {
    guard byte != UInt8(ascii: "[") else {
      open(PayloadLevel(isObject: false, role: .each(step)), &text)
      return true
    }
    guard byte != UInt8(ascii: "n") || !isWithinArray else { return try passNull(&text) }
    throw .items(path: path?.text ?? "", .noArray(path?.text(through: step - 1) ?? ""))
  }

  /// Whether other elements may have what one lacks: of an array, or of an object with any names.
  var isWithinArray: Bool {
    levels.contains { level in
      switch level.role {
      case .each: true
      case .step(let step): path?.takesAny(at: step) ?? false
      case .element, .passedOver: false
      }
    }
  }

  /// Whether what stands at a step is the value of a name that is kept, and no element of it: rows
  /// of an array there would all have the one name for a key.
  func isBareValue(_ step: Int) -> Bool {
    guard let path, step > 0, step == path.names.count, path.takesAny(at: step - 1) else {
      return false
    }
    return expected == .value(.step(step))
  }

  /// Passes over a null on the way through an array.
  mutating func passNull(_ text: inout PayloadText) throws(PayloadProblem) -> Bool {
    var tape = text.tape(nesting: 0)
    guard try text.read(onto: &tape) != nil else { return false }
    notes.lacking += 1
    expected = .afterValue
    return true
  }

  /// What is wrong where no object stands at a step.
  func fault(_ step: Int) -> PayloadProblem {
    guard let path, step > 0 else { return .items(path: path?.text ?? "", .bodyIsNoObject) }
    return .items(path: path.text, .noObject(path.text(through: step - 1)))
  }

  /// What the value is that is neither an array nor an object; `nil` when more text is wanted.
  func scalar(_ text: PayloadText) throws(PayloadProblem) -> PayloadProblem.Scalar? {
    var text = text
    var tape = text.tape(nesting: 0)
    guard let root = try text.read(onto: &tape) else { return nil }
    switch tape.kind(of: root) {
    case .null: return .null
    case .true, .false: return .boolean
    case .string: return .string
    case .number, .array, .object: return .number
    }
  }
}
