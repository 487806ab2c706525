private import SyncText

extension TableAssembly {
  /// Begins a table whose rows go with the one under which they stand, and are told by that and by
  /// a key of their own or their place.
  mutating func beginOwned(_ number: Int) {
    let table = walk.tables[number]
    guard let origin = table.origin, let key = tables[origin.table].key else { return }
    let name = walk.tables[origin.table].names[origin.name]
    let parent = tables[origin.table].name
    let link = tables[number].own(linkNames(to: parent, from: tables[number].name))
    tables[number].columns.append(
      MadeColumn(
        name: link, type: key.type,
        reference: .init(table: parent, column: key.column, isChild: true, index: nil),
        evidence: .objects(walk.objects(under: name))))
    tables[number].keyColumns = [link]
    if walk.isByKey(table, under: name), let member = keyMembers(of: table).first {
      addKey(member, to: number, isAlone: false)
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

  private mutating func addPosition(to number: Int) -> String {
    let position = tables[number].own(["position"])
    tables[number].columns.append(.position(named: position))
    return position
  }

  // MARK: - Lists

  mutating func addRelations(of number: Int) {
    let table = walk.tables[number]
    for name in table.names where table.policy == .evolve {
      if let relation = walk.outgrown(name, of: number) {
        let child = walk.tables.firstIndex { $0.present == relation.kind.table }
        if let child { addThrough(name, from: number, to: child, inPlaceOf: relation) }
      }
      switch name.known == nil ? name.form : nil {
      case .rows(let child, true)?:
        let mayGrow = walk.tables[child].present == nil || walk.tables[child].policy == .evolve
        if walk.isSeveral(name) || !mayGrow {
          addThrough(name, from: number, to: child)
        } else {
          addChildren(name, from: number, to: child)
        }
      case .owned(let child)?: addOwned(name, from: number, to: child)
      case .flat?:
        decide(
          name, of: number, .flat, name.reason ?? .keyless(walk.objects(under: name).count), [],
          name.replaced.flatMap { taken($0, by: name, of: number, into: number) })
      case .rows?, .plain?, .whole?, nil: break
      }
    }
  }

  private mutating func addOwned(_ name: DraftName, from number: Int, to child: Int) {
    let (key, own, other) = (
      tables[child].keyColumns, tables[number].name, tables[child].name
    )
    guard key.count == 2 else { return }
    let isByKey = walk.isByKey(walk.tables[child], under: name)
    let position = isByKey ? addPosition(to: child) : key[1]
    let unsaid = name.member.hasTwins ? .twins : Evidence.keyless(walk.objects(under: name).count)
    decide(
      name, of: number, .owned(table: other, key: key), name.reason ?? unsaid,
      [
        MadeRelation(
          table: own, jsonPath: name.path, column: key[0], other: other, position: position),
        MadeRelation(table: other, column: key[0]),
      ],
      name.replaced.flatMap {
        taken($0, by: name, of: number, into: child, link: key[0], position)
      })
  }

  /// Whether a row of a table is named only where it hangs on its parent, and goes with that.
  private func isOnlyWay(to child: Int) -> Bool {
    let ways = walk.tables.reduce(0) { count, table in
      count + table.names.count { $0.isRows(of: child) }
    }
    return ways == 1 && tables[child].present == nil
  }

  private mutating func addChildren(_ name: DraftName, from number: Int, to child: Int) {
    guard let key = tables[number].key else { return }
    let (parent, children) = (tables[number].name, tables[child].name)
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
      let link = tables[child].own(links)
      tables[child].columns.append(
        MadeColumn(name: link, type: key.type, evidence: .objects(objects)))
    }
    let link = tables[child].columns[place].name
    tables[child].columns[place].type = tables[child].type(key.type) ?? .text
    tables[child].columns[place].reference = .init(
      table: parent, column: key.column, isChild: isOnlyWay(to: child),
      index: takeIndex(children, link))
    let position = tables[child].present == nil ? addPosition(to: child) : nil
    decide(
      name, of: number, .children(table: children, column: link), evidence,
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
      let spelled = walk.tables[child].names.filter {
        $0.path.count == 1 && $0.member.canonical == link
      }
      let found = name.inner.reduce(0) { count, inner in
        let member = walk.outline.places[inner].members.first { $0.canonical == link }
        return count + (member?.keysOfParent ?? 0)
      }
      guard spelled.count == 1, let own = spelled.first, own.form == .plain, found > 0,
        found == own.member.facts.values
      else { continue }
      let column = tables[child].columns.firstIndex {
        $0.path == own.path && $0.reference == nil
          && !tables[child].keyColumns.contains($0.name)
      }
      if let column { return (column, found) }
    }
    return nil
  }

  /// Adds a table of links, which may take the place of the column by which rows hang on one other
  /// each.
  private mutating func addThrough(
    _ name: DraftName, from number: Int, to child: Int, inPlaceOf old: Relation? = nil
  ) {
    guard let here = tables[number].key, let there = tables[child].key else { return }
    let (one, other) = (tables[number].name, tables[child].name)
    let objects = walk.objects(under: name)
    let table = take(tableNamed: "\(one)_\(name.joined)", or: "\(one)_\(name.joined)")
    let first = link(to: one, here, named: one, objects)
    var second = link(
      to: other, there, named: one == other ? name.joined : other, besides: first.name, objects)
    second.reference?.index = takeIndex(table, second.name)
    let (key, position) = ([first.name, second.name], "position")
    let through = MadeTable(
      name: table, columns: [first, second, .position(named: position)], key: key,
      evidence: .shared(objects, of: one))
    throughs.append(through)
    var named = [
      MadeRelation(
        table: one, jsonPath: name.path, column: key[0], other: other, through: table,
        position: position),
      MadeRelation(table: other, column: key[1], other: one, through: table),
    ]
    if number == child {
      named += key.map { MadeRelation(table: one, column: $0, other: table) }
    }
    decide(
      name, of: number, .links(table: other, through: table),
      walk.isSeveral(name) || old != nil ? .several(objects.count) : .agreeing(objects.count),
      named, old.flatMap { linked($0, of: number, by: through) })
  }

  /// A column of a table of links.
  private func link(
    to table: String, _ key: AssembledTable.Key, named name: String, besides other: String? = nil,
    _ objects: SeenObjects
  ) -> MadeColumn {
    MadeColumn(
      name: SafeNames.column(
        for: present.schema.spelling.singulars(of: name)[0] + "_id",
        besides: ["position", other?.asciiLowercased ?? ""]),
      type: key.type,
      reference: .init(table: table, column: key.column, isChild: true, index: nil),
      evidence: .objects(objects))
  }
}

extension DecisionWalk {
  /// Whether the rows of a table that a name owns are told by keys of their own.
  fileprivate func isByKey(_ table: DraftTable, under name: DraftName) -> Bool {
    let keys = Set(table.places.map { outline.places[$0].keyName })
    return keys.count == 1 && keys.first != [UInt8]?.none && !name.member.hasTwins
      && table.places.allSatisfy { !outline.places[$0].rule.isAll }
  }
}
