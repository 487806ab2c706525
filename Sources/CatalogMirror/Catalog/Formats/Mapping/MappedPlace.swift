import SyncText

/// An item in a document, with all that stands around it.
struct MappedPlace {
  /// The objects and arrays on the way to it, the document first, the item last.
  var values: [JSONValue]
  /// The names of the members that a step `*` went through, the last one last.
  var names: [[UInt8]] = []

  /// The value that a path leads to. Where the item lacks its first member, what stands around it
  /// is asked, from the inside out.
  func value(_ path: JSONPath) -> JSONValue? {
    guard case .member(let first)? = path.steps.first else {
      return values.last.flatMap { path.value(from: $0) }
    }
    let start = values.last { JSONPath.member(first, of: $0) != nil }
    return start.flatMap { path.value(from: $0) }
  }

  /// The same further inside.
  func entering(_ value: JSONValue, named name: [UInt8]? = nil) -> MappedPlace {
    var place = self
    place.values.append(value)
    if let name { place.names.append(name) }
    return place
  }
}
