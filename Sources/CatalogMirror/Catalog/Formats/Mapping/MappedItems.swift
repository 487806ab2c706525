import SyncText

/// Goes through the items of a document, one after the other.
struct MappedItems {
  let path: JSONPath
  let body: CatalogBody
  let format: CatalogFormatName
  let most: Int

  /// Goes through what the path leads to. `nil` stands for a list that is missing within another.
  func walk(in document: JSONValue, _ onItem: (MappedPlace?) -> Void) throws(CatalogError) {
    var left = most
    try walk(path.stepsToItems[...], from: MappedPlace(document: document)) {
      (place) throws(CatalogError) in
      left -= 1
      if left < 0 { throw tooMany }
      onItem(place)
    }
  }

  private typealias Taking = (MappedPlace?) throws(CatalogError) -> Void

  private var tooMany: CatalogError { .limit(url: body.url.redacted, .entries, most: most) }

  /// The document has no list at the path, which leads no farther than to this value.
  private func noList(after steps: Int, _ value: JSONValue) -> CatalogError {
    let way = path.steps.prefix(steps)
    let there = way.isEmpty ? "the document" : "'\(JSONPath.text(of: way))'"
    return body.unreadable(
      expected: .format(format),
      found: .unmapped(field: "items", path: path.text, instead: "\(there) \(value.shape)"))
  }

  private func walk(
    _ steps: ArraySlice<JSONPath.Step>, from place: MappedPlace, isInside: Bool = false,
    _ take: Taking
  ) throws(CatalogError) {
    guard let step = steps.first else { return try take(place) }
    guard let inner = try inner(step, of: place.item) else {
      // Of one list of several, the others are good; a document without any is another one.
      guard isInside else { throw noList(after: steps.startIndex, place.item) }
      return try take(nil)
    }
    let isInside = isInside || step.isMany
    for place in place.places(of: inner) {
      try walk(steps.dropFirst(), from: place, isInside: isInside, take)
    }
  }

  /// Where a step leads; `nil` where there is no such thing.
  private func inner(
    _ step: JSONPath.Step, of value: JSONValue
  ) throws(CatalogError) -> [(name: [UInt8]?, value: JSONValue)]? {
    if step.isMany, value.holds(moreThan: most) { throw tooMany }
    switch step {
    case .member(let name): return JSONPath.member(name, of: value).map { [(nil, $0)] }
    case .members: return value.members?.map { ($0.name, $0.value) }
    case .elements: return value.elements?.map { (nil, $0) }
    case .matching(let name, let wanted):
      return value.elements?.filter { JSONPath.matches($0, name, wanted) }.map { (nil, $0) }
    }
  }
}

extension JSONPath.Step {
  fileprivate var isMany: Bool { if case .member = self { false } else { true } }
}

/// An item in a document, with all that stands around it.
struct MappedPlace {
  let item: JSONValue
  /// The names of the members that a step `*` went through, the last one last.
  let names: [[UInt8]]
  /// The objects and arrays on the way to it, the document first.
  private let around: [MappedSurrounding]

  init(document: JSONValue) {
    (item, names, around) = (document, [], [])
  }

  private init(_ item: JSONValue, _ names: [[UInt8]], _ around: [MappedSurrounding]) {
    (self.item, self.names, self.around) = (item, names, around)
  }

  /// The value that a path leads to. Where the item lacks its first member, the objects around it
  /// are asked, from the inside out.
  func value(_ path: JSONPath) -> JSONValue? {
    guard case .member(let first)? = path.steps.first,
      JSONPath.member(first, of: item) == nil
    else { return path.value(from: item) }
    let found = around.reversed().lazy.compactMap { $0.member(first) }.first
    return found.flatMap { path.value(from: $0, afterSteps: 1) }
  }

  func places(
    of inner: [(name: [UInt8]?, value: JSONValue)]
  ) -> some Sequence<MappedPlace> {
    let around = around + [MappedSurrounding(item)]
    return inner.lazy.map { name, value in
      MappedPlace(value, name.map { names + [$0] } ?? names, around)
    }
  }
}

/// What stands around items, and remembers what they asked it for: to look for a member is to step
/// over all others, and among them are the items themselves.
private final class MappedSurrounding {
  private let value: JSONValue
  private var found: [[UInt8]: JSONValue?] = [:]

  init(_ value: JSONValue) {
    self.value = value
  }

  /// The member of an object; `nil` where there is none.
  func member(_ name: [UInt8]) -> JSONValue? {
    if let known = found[name] { return known }
    let member = value[name]
    found[name] = .some(member)
    return member
  }
}

/// One byte of a mapping's text: a mark of its syntax, or a letter of a name. A mark after a
/// backslash is a letter.
enum MappingSign: Hashable, Sendable {
  case mark(UInt8)
  case letter(UInt8)

  var byte: UInt8 {
    switch self {
    case .mark(let byte), .letter(let byte): byte
    }
  }

  static func of(_ mark: Unicode.Scalar) -> MappingSign { .mark(UInt8(ascii: mark)) }

  private static let marks = Set(",=.[]{}*?|@".utf8)

  static func signs(of text: String) -> [MappingSign] {
    var signs: [MappingSign] = []
    var isEscaped = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\\"), !isEscaped {
        isEscaped = true
        continue
      }
      signs.append(marks.contains(byte) && !isEscaped ? .mark(byte) : .letter(byte))
      isEscaped = false
    }
    return signs
  }
}

extension Sequence<MappingSign> {
  var bytes: [UInt8] { map(\.byte) }
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
