private import SyncText

extension DocumentValue {
  /// The object with another value at a path; the others stay as they are written. Objects on the
  /// way that aren't there are made, and what is no object gives way to one.
  /// - Parameter value: `nil` takes the member out, if it's there.
  /// - Throws: ``DocumentProblem/notAnObject`` and ``DocumentProblem/tooDeep``.
  package func setting(
    _ path: MemberPath, to value: DocumentValue?
  ) throws(DocumentProblem) -> DocumentValue {
    guard let name = path.names.first else {
      guard let value else { throw .notAnObject }
      return value
    }
    guard path.names.count > 1 else { return try setting(name, to: value) }
    let below = MemberPath(names: Array(path.names.dropFirst()))
    let inside = self[name].flatMap { $0.isObject ? $0 : nil }
    if value == nil, inside == nil { return self }
    return try setting(name, to: try (inside ?? [:]).setting(below, to: value))
  }

  /// The place at which ``setting(_:to:)-(MemberPath,_)`` puts another value in the place of one:
  /// that of the member, or of what is no object on the way to it; `nil` if nothing is there.
  package func taken(at path: MemberPath) -> MemberPath? {
    var (value, way) = (self, MemberPath.whole)
    for name in path.names {
      guard value.isObject else { return way }
      guard let next = value[name] else { return nil }
      (value, way) = (next, way.appending(name))
    }
    return way
  }
}
