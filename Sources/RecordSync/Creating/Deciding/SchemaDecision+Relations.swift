private import SyncText

extension SchemaDecision {
  /// Begins a table whose rows go with the one under which they stand, and are told by that and by
  /// a key of their own or their place.
  mutating func beginOwned(_ number: Int) {
    let table = tables[number]
    guard let origin = table.origin, let key = tables[origin.table].key else { return }
    let links = linkNames(to: tables[origin.table].name, from: table.name)
    let link = own(links, of: number)
    tables[number].columns.append(
      self.link(link, to: origin.table, key, .objects(walk.objects(under: walk[origin]))))
    tables[number].keyColumns = [link]
    // By keys of their own, where all have one, and none has one twice.
    let places = table.places.map { walk.outline.places[$0] }
    let isByKey =
      Set(places.map(\.keyName)).count == 1 && places[0].keyName != nil
      && !walk[origin].member.hasTwins && !places.contains(where: \.rule.isAll)
    if isByKey, let member = keyMembers(of: table).first {
      addKey(member, isAlone: false)
    } else {
      tables[number].keyColumns.append(addPosition(to: number))
    }
  }

  /// What a column may be called that refers to a parent: `post_id` for `posts`.
  private func linkNames(to parent: String, from child: String) -> [String] {
    let isOwn = parent == child
    let others = (isOwn ? [child, "child"] : [child]).map(walk.spelled)
    let names = present.schema.spelling.singulars(of: parent)
    return names.filter { !others.contains(walk.spelled($0)) }.map { $0 + "_id" }
      + (isOwn ? ["parent_id"] : ["parent_\(parent)_id"])
  }

  /// A column that refers to a table's rows, with which its own go.
  private func link(
    _ name: String, to table: Int, _ key: DraftTable.Key, _ source: MadeSource
  ) -> MadeColumn {
    let other = MadeColumn.Reference(
      table: tables[table].name, column: key.column, isChild: true, index: nil)
    return MadeColumn(name: name, type: key.type, reference: other, source: source)
  }

  private mutating func addPosition(to number: Int) -> String {
    let position = own(["position"], of: number)
    tables[number].columns.append(.position(named: position))
    return position
  }

  // MARK: - Lists

  mutating func addRelations(of number: Int) {
    for name in tables[number].names where tables[number].policy == .evolve {
      if let relation = walk.outgrown(name) {
        let child = tables.firstIndex { $0.present == relation.kind.table }
        if let child { addThrough(name, to: child, inPlaceOf: relation) }
      }
      switch name.known == nil ? name.form : nil {
      case .rows(let child, true)?:
        let mayGrow = tables[child].present == nil || tables[child].policy == .evolve
        if walk.isSeveral(name) || !mayGrow {
          addThrough(name, to: child)
        } else {
          addChildren(name, to: child)
        }
      case .owned(let child)?: addOwned(name, to: child)
      case .flat?:
        decide(
          name, .flat, name.reason ?? .keyless(walk.objects(under: name).count), [],
          taken(by: name, into: number))
      case .rows?, .plain?, .whole?, nil: break
      }
    }
  }

  private mutating func addOwned(_ name: DraftName, to child: Int) {
    let (own, other) = (tables[name.place.table].name, tables[child].name)
    let key = tables[child].keyColumns
    guard key.count == 2 else { return }
    let isByPlace = tables[child].columns[1].source == .order
    let position = isByPlace ? key[1] : addPosition(to: child)
    let unsaid = name.member.hasTwins ? .twins : Evidence.keyless(walk.objects(under: name).count)
    decide(
      name, .owned(table: other, key: key), name.reason ?? unsaid,
      [
        MadeRelation(
          table: own, jsonPath: name.path, column: key[0], other: other, position: position),
        MadeRelation(table: other, column: key[0]),
      ],
      taken(by: name, into: child, link: key[0], position))
  }

  private mutating func addChildren(_ name: DraftName, to child: Int) {
    guard let key = tables[name.place.table].key else { return }
    let (parent, children) = (tables[name.place.table].name, tables[child].name)
    let objects = walk.objects(under: name)
    let links = linkNames(to: parent, from: children)
    var evidence = Evidence.agreeing(objects.count)
    var place = tables[child].columns.count
    if let naming = naming(of: name, child, links) {
      place = naming.column
      let path = tables[child].columns[place].path
      // A relation hides it.
      tables[child].columns[place].jsonPath = path
      evidence = .equal(naming.values, column: path[0], names: "\(parent).\(key.column)")
    } else {
      let link = own(links, of: child)
      tables[child].columns.append(
        self.link(link, to: name.place.table, key, .objects(objects)))
    }
    let link = tables[child].columns[place].name
    // A row that is named only where it hangs on its parent goes with that.
    let ways = tables.flatMap(\.names).count { $0.isRows(of: child) }
    tables[child].columns[place].type = type(key.type, in: child) ?? .text
    tables[child].columns[place].reference = .init(
      table: parent, column: key.column, isChild: ways == 1 && tables[child].present == nil,
      index: takeIndex(children, link))
    let position = tables[child].present == nil ? addPosition(to: child) : nil
    decide(
      name, .children(table: children, column: link), evidence,
      [
        MadeRelation(
          table: parent, jsonPath: name.path, column: link, other: children, position: position),
        MadeRelation(table: children, column: link),
      ])
  }

  /// The column of the name by which all objects under another say under which row they stand, and
  /// which says nothing else wherever it stands.
  private func naming(
    of name: DraftName, _ child: Int, _ links: [String]
  ) -> (column: Int, values: Int)? {
    // The keys of flat objects were held against it.
    guard !name.isInKeyed else { return nil }
    for link in links.map(walk.spelled) {
      let spelled = tables[child].names.filter {
        $0.path.count == 1 && $0.member.canonical == link
      }
      let found = name.inner.reduce(0) { count, inner in
        let member = walk.outline.members(at: inner).first { $0.canonical == link }
        return count + (member?.keysOfParent ?? 0)
      }
      guard spelled.count == 1, spelled[0].form == .plain, found > 0,
        found == spelled[0].member.facts.values
      else { continue }
      let column = tables[child].columns.firstIndex {
        $0.path == spelled[0].path && $0.reference == nil
          && !tables[child].keyColumns.contains($0.name)
      }
      if let column { return (column, found) }
    }
    return nil
  }

  /// Adds a table of links, which may take the place of the column by which rows hang on one other
  /// each.
  private mutating func addThrough(
    _ name: DraftName, to child: Int, inPlaceOf old: Relation? = nil
  ) {
    let number = name.place.table
    guard let here = tables[number].key, let there = tables[child].key else { return }
    let (one, other) = (tables[number].name, tables[child].name)
    let objects = walk.objects(under: name)
    let table = take(tableNamed: "\(one)_\(name.joined)", or: "\(one)_\(name.joined)")
    let singulars = [one, one == other ? name.joined : other].map {
      present.schema.spelling.singulars(of: $0)[0] + "_id"
    }
    let position = "position"
    let first = SafeNames.column(for: singulars[0], besides: [position])
    let second = SafeNames.column(
      for: singulars[1], besides: [position, first.asciiLowercased])
    var columns = [
      link(first, to: number, here, .objects(objects)),
      link(second, to: child, there, .objects(objects)), .position(named: position),
    ]
    columns[1].reference?.index = takeIndex(table, second)
    let through = MadeTable(
      name: table, columns: columns, key: [first, second], source: .shared(objects, of: one))
    throughs.append(through)
    let links = number == child ? through.key : []
    decide(
      name, .links(table: other, through: table),
      walk.isSeveral(name) || old != nil ? .several(objects.count) : .agreeing(objects.count),
      [
        MadeRelation(
          table: one, jsonPath: name.path, column: first, other: other, through: table,
          position: position),
        MadeRelation(table: other, column: second, other: one, through: table),
      ] + links.map { MadeRelation(table: one, column: $0, other: table) },
      old.flatMap { linked($0, of: name, by: through) })
  }
}

extension DraftName {
  fileprivate func isRows(of table: Int) -> Bool {
    if case .rows(table, _)? = form { true } else { false }
  }
}
