import SyncText

/// A way through a JSON document: names of members and positions in arrays with dots between,
/// `*` for each member of an object, `[]` for each element of an array, and `[name=value]` for
/// those whose member has that value. `.` alone stays where it is.
///
/// The answer to a failed request is an object, too: what goes through lists goes through none.
struct JSONPath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    /// Into the member of that name; of an array, into the element at that position, from 0.
    case member([UInt8])
    case members
    case elements
    /// Into the elements of an array whose member has that value.
    case matching(name: [UInt8], value: [UInt8])
  }

  private(set) var steps: [Step] = []

  init?(_ signs: some Collection<MappingSign>) {
    var rest = Array(signs)[...]
    guard !rest.isEmpty else { return nil }
    if rest.elementsEqual([.of(".")]) { return }
    while let sign = rest.first {
      if sign == .of(".") {
        rest.removeFirst()
        guard !steps.isEmpty, let next = rest.first, next != .of("[") else { return nil }
      }
      guard let step = Self.take(&rest) else { return nil }
      steps.append(step)
      guard rest.first.map({ $0 == .of(".") || $0 == .of("[") }) ?? true else { return nil }
    }
  }

  private static func take(_ rest: inout ArraySlice<MappingSign>) -> Step? {
    if rest.first == .of("*") {
      rest.removeFirst()
      return .members
    }
    guard rest.first == .of("[") else {
      let name = rest.prefix { if case .letter = $0 { true } else { false } }
      rest = rest.dropFirst(name.count)
      return name.isEmpty ? nil : .member(name.bytes)
    }
    guard let close = rest.firstIndex(of: .of("]")) else { return nil }
    let inside = rest[(rest.startIndex + 1)..<close]
    rest = rest[(close + 1)...]
    guard !inside.isEmpty else { return .elements }
    let parts = inside.split(
      separator: .of("="), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    return .matching(name: parts[0].bytes, value: parts[1].bytes)
  }

  var isSingle: Bool { !steps.contains(.members) && !steps.contains(.elements) }

  var stepsToItems: [Step] {
    switch steps.last {
    case .members, .elements, .matching: steps
    case .member, nil: steps + [.elements]
    }
  }

  /// The value that it leads to from another, where it is a single one.
  ///
  /// - Parameter count: How many of its steps led to that other one.
  func value(from start: JSONValue, afterSteps count: Int = 0) -> JSONValue? {
    var value = start
    for step in steps.dropFirst(count) {
      guard let next = Self.value(of: step, in: value) else { return nil }
      value = next
    }
    return value
  }

  private static func value(of step: Step, in value: JSONValue) -> JSONValue? {
    switch step {
    case .member(let name): member(name, of: value)
    case .matching(let name, let wanted):
      value.elements?.first { matches($0, name, wanted) }
    case .members, .elements: nil
    }
  }

  static func member(_ name: [UInt8], of value: JSONValue) -> JSONValue? {
    guard value.isArray else { return value[name] }
    guard let index = Int(String(decoding: name, as: UTF8.self)), index >= 0,
      let elements = value.elements, index < elements.count
    else { return nil }
    return elements[index]
  }

  static func matches(_ element: JSONValue, _ name: [UInt8], _ wanted: [UInt8]) -> Bool {
    element[name]?.plainBytes.map { $0 == wanted } ?? false
  }

  /// As a person writes it, for messages; without the backslashes.
  var text: String { Self.text(of: steps) }

  /// The same of some of its steps; `.` for none.
  static func text(of steps: some Sequence<Step>) -> String {
    let text = steps.reduce(into: "") { text, step in
      if !text.isEmpty, !step.isInBrackets { text += "." }
      text += step.text
    }
    return text.isEmpty ? "." : text
  }
}

extension JSONPath.Step {
  fileprivate var isInBrackets: Bool {
    switch self {
    case .elements, .matching: true
    case .member, .members: false
    }
  }

  fileprivate var text: String {
    switch self {
    case .member(let name): ByteString.escape(name)
    case .members: "*"
    case .elements: "[]"
    case .matching(let name, let value):
      "[\(ByteString.escape(name))=\(ByteString.escape(value))]"
    }
  }
}

extension JSONValue {
  /// What it is, as the end of a sentence; of an object, with the names of its first members.
  var shape: String {
    if isArray { return "is a list" }
    guard isObject else { return isNull ? "is null" : "is a single value" }
    let names = (members ?? []).prefix(8).map { ByteString.escape($0.name.prefix(60)) }
    return names.isEmpty ? "is an empty object" : "has \(names.joined(separator: ", "))"
  }

  /// The bytes of a string, or the text of a number, `true` or `false`.
  var plainBytes: [UInt8]? {
    if let bytes = stringBytes { return bytes }
    return isNull || isArray || isObject ? nil : Array(written)
  }
}
