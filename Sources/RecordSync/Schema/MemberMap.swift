package struct MemberMap: Sendable, Equatable {
  /// What one name means. A value may mean several things at once: a declared path `company.name`
  /// fills a column from the object that is a relation besides; and where a foreign key's column
  /// has the name of its to-one, a plain value is the column's, and an object or an array the
  /// relation's.
  package struct Meaning: Sendable, Equatable {
    /// The column that takes the value; of the table itself, or of one that it extends.
    package var column: ColumnPlace?
    package var relation: RelationPlace?
    /// What the members of the value mean, if it is an object.
    package var inside: MemberMap?
    /// Why the name means nothing yet, which is an error where a payload has it.
    package var problem: SchemaProblem?
    /// Whether the name is a reserved word for the column, which an object that has the column's
    /// own name besides means otherwise.
    package var isReservedWord = false
  }

  package struct ColumnPlace: Sendable, Hashable {
    package var table: Int
    package var column: Int
  }

  package struct RelationPlace: Sendable, Hashable {
    package var table: Int
    package var relation: Int
    /// Whether the name says that keys come (`tag_ids`).
    package var isKeys: Bool
  }

  package var exact: [[UInt8]: Meaning] = [:]
  /// By the names in one spelling: see ``Spelling/canonical(_:)``.
  package var spelled: [[UInt8]: Meaning] = [:]

  /// What a name means: as it was declared, or literally, or else in any spelling.
  package func meaning(of name: [UInt8], _ spelling: Spelling) -> Meaning? {
    exact[name] ?? spelled[spelling.canonical(name)]
  }

  mutating func addExact(_ name: String, _ meaning: Meaning) {
    let name = Array(name.utf8)
    if exact[name] == nil { exact[name] = meaning }
  }

  mutating func addSpelled(_ name: String, _ meaning: Meaning, _ spelling: Spelling) {
    let name = spelling.canonical(Array(name.utf8))
    if spelled[name] == nil { spelled[name] = meaning }
  }

  /// Gives a name, and all spellings of it, another meaning where they have this one.
  mutating func set(
    _ name: String, _ meaning: Meaning, _ spelling: Spelling, replacing old: Meaning
  ) {
    let canonical = spelling.canonical(Array(name.utf8))
    if spelled[canonical] == old { spelled[canonical] = meaning }
    for (other, known) in exact where known == old && spelling.canonical(other) == canonical {
      exact[other] = meaning
    }
  }

  /// Adds what stands at the end of a path through objects; names on the way keep their meaning.
  mutating func add(_ path: ArraySlice<String>, _ meaning: Meaning, _ spelling: Spelling) {
    guard let first = path.first else { return }
    let name = Array(first.utf8)
    guard path.count > 1 else {
      addExact(first, meaning)
      return addSpelled(first, meaning, spelling)
    }
    let canonical = spelling.canonical(name)
    let (own, all) = (exact[name], spelled[canonical])
    // In this spelling it may mean something else than in all others.
    let isOne = own.map { all?.isSame(as: $0) ?? true } ?? true
    var way = (isOne ? all : own) ?? own ?? Meaning()
    var inside = way.inside ?? MemberMap()
    inside.add(path.dropFirst(), meaning, spelling)
    way.inside = inside
    way.problem = nil
    if isOne { spelled[canonical] = way }
    if own != nil { exact[name] = way }
  }

  /// Adds the two spellings in which payloads mostly come, so that they are found at first look.
  mutating func addSpellings(_ spelling: Spelling) {
    for (name, meaning) in exact {
      // A path through another spelling of it leads into it, too.
      guard let all = spelled[spelling.canonical(name)], all.inside != nil, all.isSame(as: meaning)
      else { continue }
      exact[name] = all
    }
    for (name, meaning) in spelled {
      let snake = String(decoding: name, as: UTF8.self)
      for other in [snake, spelling.camel(snake)] {
        let other = Array(other.utf8)
        if spelling.canonical(other) == name, exact[other] == nil { exact[other] = meaning }
      }
    }
  }
}

extension MemberMap.Meaning {
  /// Whether both mean the same column and relation, whatever the paths are that lead into them.
  func isSame(as other: Self) -> Bool {
    column == other.column && relation == other.relation
  }
}

extension RecordSchema {
  /// What a name means to a table, or to an object on the way of a declared path.
  package func meaning(of name: [UInt8], in map: MemberMap) -> MemberMap.Meaning? {
    map.meaning(of: name, spelling)
  }
}
