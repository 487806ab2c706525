import SyncText

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
