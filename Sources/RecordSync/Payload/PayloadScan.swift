private import SyncText

/// How far a payload was read, and what may come next. Takes the text piece by piece, cut anywhere.
///
/// Elements are read as a whole. Everything around them is read token by token, so that it may be
/// as long as it likes, but for what is short: that goes through a tape, too.
struct PayloadScan: Sendable {
  private(set) var count = 0
  private let form: PayloadForm
  private let bounds: PayloadBounds
  var expected = Expected.start
  /// The arrays and objects that are open, but for those within elements.
  var levels: [PayloadLevel] = []
  /// Whether another value may follow on the first one.
  private(set) var takesMore: Bool
  /// Whether its only element is an object that stands in no array, once the first window is there.
  private(set) var isAlone = false
  /// Whether it is one array behind another, as programs write that fetch page by page.
  private(set) var isJoined = false
  var notes = BodyNotes()
  /// Whether something stood at the path's end.
  var isReached = false
  /// The name of the member that comes next, where it stands beside the way to the elements.
  private var beside: [UInt8]?
  /// The names on the way to the element that comes next, where the path takes any.
  private var keptNames: [Int: [UInt8]] = [:]

  enum Outcome: Equatable {
    /// The window holds elements.
    case filled
    /// There are no more elements, and all of the payload is well-formed.
    case finished
    /// More text is wanted, behind what isn't read yet; the window is empty.
    case starved
  }

  enum Expected: Equatable {
    /// The first byte of all; then the first that is no blank.
    case start, root
    case value(PayloadLevel.Role)
    /// What follows on a bracket or a brace; on the comma in an object; on a name; on a value.
    case firstElement, firstName, name, colon(PayloadLevel.Role), afterValue
  }

  init(form: PayloadForm, bounds: PayloadBounds) {
    self.form = form
    self.bounds = bounds
    takesMore = form.isOfLines
  }

  var path: PayloadPath? {
    if case .items(let path) = form { path } else { nil }
  }

  /// Reads on until the window is full, or the text is at its end. Text that was read isn't wanted
  /// again; what is left comes once more, with more behind it, after ``Outcome/starved``.
  mutating func scan(
    _ text: inout PayloadText, into window: inout PayloadWindow
  ) throws(PayloadProblem) -> Outcome {
    window.begin(text, first: count + 1)
    if expected == .start, !(try begin(&text)) { return .starved }
    let start = text.position
    while window.elements.isEmpty || count == 1 && mayBeAlone
      || text.position - start < bounds.window && window.tape.count < bounds.nodes
    {
      text.skipBlanks()
      guard let byte = text.next else {
        guard text.isLast else {
          // Only what follows tells whether the first object stands alone.
          if count == 1, mayBeAlone, !window.elements.isEmpty { goBack(to: start, in: &text) }
          return window.elements.isEmpty || count == 0 ? .starved : .filled
        }
        try checkEnd(text)
        if window.elements.isEmpty { return .finished }
        isAlone = isAlone || count == 1 && mayBeAlone
        return .filled
      }
      guard try step(byte, &text, &window) else {
        return window.elements.isEmpty ? .starved : .filled
      }
    }
    return .filled
  }

  /// Whether the payload began with an object, and neither its name nor a path says what it is.
  private var mayBeAlone: Bool { form == .automatic && takesMore }

  /// The first object is read once more, when more text has come.
  private mutating func goBack(to start: Int, in text: inout PayloadText) {
    text.position = start
    count = 0
    (expected, takesMore) = (.root, false)
  }

  func place(in text: PayloadText) -> PayloadProblem.Place {
    PayloadProblem.Place(
      offset: text.offset + text.position,
      element: expected == .value(.element) ? count + 1 : nil)
  }

  /// Reads what stands next. `false` when more text is wanted for it.
  private mutating func step(
    _ byte: UInt8, _ text: inout PayloadText, _ window: inout PayloadWindow
  ) throws(PayloadProblem) -> Bool {
    switch expected {
    case .start, .root:
      guard byte != UInt8(ascii: "<") else { throw .markup }
      expected = .value(form.isOfLines ? .element : .step(0))
    case .value(.element): return try element(&text, &window)
    case .value(.passedOver): return try passOver(byte, &text)
    case .value(.step(let step)):
      guard path?.leadsThroughArray(behind: step) ?? false else {
        return try take(step, byte, &text, &window)
      }
      return try goThrough(step, byte, &text)
    case .value(.each(let step)): return try take(step, byte, &text, &window)
    case .firstElement, .firstName:
      guard !(try close(byte, &text)) else { return true }
      expected = expected == .firstName ? .name : .value(levels.last?.role ?? .passedOver)
    case .name: return try name(byte, &text)
    case .colon(let role):
      guard byte == UInt8(ascii: ":") else { throw refuse("no colon after a member name", text) }
      text.position += 1
      expected = .value(role)
    case .afterValue: try follow(byte, &text)
    }
    return true
  }
}

// MARK: - Values

extension PayloadScan {
  private mutating func element(
    _ text: inout PayloadText, _ window: inout PayloadWindow
  ) throws(PayloadProblem) -> Bool {
    guard let root = try text.read(onto: &window.tape, element: count + 1) else { return false }
    window.elements.append(root)
    if let path, !path.isPlain, !path.keptNames.isEmpty {
      window.keptNames.append(path.keptNames.map { keptNames[$0.place] ?? [] })
    }
    count += 1
    expected = .afterValue
    return true
  }

  /// Reads a value at a step of the path, whose last is the elements' own.
  private mutating func take(
    _ step: Int, _ byte: UInt8, _ text: inout PayloadText, _ window: inout PayloadWindow
  ) throws(PayloadProblem) -> Bool {
    let isLast = step == path?.names.count ?? 0
    if byte == UInt8(ascii: "["), let path, isBareValue(step) {
      throw .items(path: path.text, .arrayUnderName)
    }
    isReached = isReached || isLast && byte != UInt8(ascii: "n")
    switch byte {
    case UInt8(ascii: "{") where isLast:
      takesMore = path == nil
      isAlone = path?.isPlain ?? false
      expected = .value(.element)
      return true
    case UInt8(ascii: "{"):
      open(PayloadLevel(isObject: true, role: .step(step)), &text)
    case UInt8(ascii: "[") where isLast:
      open(PayloadLevel(isObject: false, role: .element), &text)
    case UInt8(ascii: "["):
      throw fault(step)
    default:
      guard let scalar = try scalar(text) else { return false }
      if scalar == .null, isWithinArray { return try passNull(&text) }
      guard isLast else { throw fault(step) }
      guard let path else { throw .scalar(scalar) }
      throw .items(path: path.text, .scalar(scalar))
    }
    return true
  }

  /// Checks a value that nobody asked for. What is long is opened and checked part by part; nobody
  /// looks for names that stand twice in it, since they would all have to be held.
  private mutating func passOver(
    _ byte: UInt8, _ text: inout PayloadText
  ) throws(PayloadProblem) -> Bool {
    let isObject = byte == UInt8(ascii: "{")
    let isOpen = isObject || byte == UInt8(ascii: "[")
    let isLong = isOpen && text.left > bounds.passedOver
    var tape = text.tape(nesting: PayloadWindow.nesting)
    let end = isLong ? text.position + bounds.passedOver : nil
    if let value = try text.read(onto: &tape, before: end) {
      if let beside { notes.take(beside, value, in: tape) }
      beside = nil
      expected = .afterValue
      return true
    }
    guard isLong else { return false }
    if let beside { notes.take(beside, nil, in: tape) }
    beside = nil
    guard levels.count < PayloadWindow.nesting else {
      throw refuse("more than \(PayloadWindow.nesting) levels of nesting", text)
    }
    open(PayloadLevel(isObject: isObject, role: .passedOver), &text)
    return true
  }
}

// MARK: - Between values

extension PayloadScan {
  mutating func open(_ level: PayloadLevel, _ text: inout PayloadText) {
    levels.append(level)
    text.position += 1
    expected = level.isObject ? .firstName : .firstElement
  }

  /// Closes the array or object that is open, if that is what stands there.
  private mutating func close(
    _ byte: UInt8, _ text: inout PayloadText
  ) throws(PayloadProblem) -> Bool {
    guard let level = levels.last,
      byte == (level.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    else { return false }
    if case .step(let step) = level.role, let path, !path.takesAny(at: step),
      !level.names.contains(path.names[step])
    {
      guard isWithinArray else {
        throw .items(path: path.text, .absent(path.text(through: step)))
      }
      notes.lacking += 1
    }
    levels.removeLast()
    text.position += 1
    expected = .afterValue
    return true
  }

  private mutating func name(
    _ byte: UInt8, _ text: inout PayloadText
  ) throws(PayloadProblem) -> Bool {
    guard byte == UInt8(ascii: "\"") else { throw refuse("no member name in quotes", text) }
    var tape = text.tape(nesting: 0)
    guard let name = try text.read(onto: &tape) else { return false }
    let bytes = tape.stringBytes(name) ?? []
    let level = levels.count - 1
    guard let role = levels[level].take(bytes, path) else {
      throw refuse("a member name that stands twice in one object", text)
    }
    if case .step(let step) = levels[level].role {
      if role == .passedOver, !isWithinArray { beside = bytes }
      if path?.takesAny(at: step) == true { keptNames[step] = bytes }
    }
    expected = .colon(role)
    return true
  }

  private mutating func follow(
    _ byte: UInt8, _ text: inout PayloadText
  ) throws(PayloadProblem) {
    guard let level = levels.last else {
      if takesMore {
        expected = .value(.element)
      } else if form == .automatic, byte == UInt8(ascii: "[") {
        (isJoined, expected) = (true, .value(.step(0)))
      } else {
        throw refuse("more after its end", text)
      }
      return
    }
    guard !(try close(byte, &text)) else { return }
    guard byte == UInt8(ascii: ",") else {
      throw refuse("an \(level.isObject ? "object" : "array") that isn't closed", text)
    }
    text.position += 1
    expected = level.isObject ? .name : .value(level.role)
  }

  private func refuse(_ reason: String, _ text: PayloadText) -> PayloadProblem {
    .notJSON(reason: reason, place(in: text))
  }
}
