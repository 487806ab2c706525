private import SyncText

extension TableAssembly {
  /// Begins a table whose rows go with the one under which they stand, and are told by that and by
  /// a key of their own or their place.
  mutating func beginOwned(_ number: Int) {
    guard let owner = walk.tables[number].owner, let key = keys[owner.table] else { return }
    let parent = tableNames[owner.table]
    let name = walk.tables[owner.table].names[owner.name]
    let link = names.own(linkNames(to: parent, from: tableNames[number]), of: number)
    made[number]?.columns.append(
      MadeColumn(
        name: link, type: key.type,
        reference: .init(table: parent, column: key.column, isChild: true, index: nil),
        evidence: .arrays(walk.objects(under: name), name: JSONPath.text(of: name.path))))
    made[number]?.key = [link]
    if walk.isByKey(number), let member = ownKey(of: number) {
      let own = walk.tables[number].names[member]
      let column =
        own.path.count == 1
        ? names.plain(own.path[0], of: number) : names.flat(own.joined, of: number)
      names.take(member, of: number)
      made[number]?.columns.append(
        MadeColumn(
          name: column, type: Self.keyType(own.member),
          jsonPath: [column] == own.path ? nil : own.path, evidence: .values(own.member.scalars)))
      made[number]?.key.append(column)
    } else {
      let column = names.own(["position"], of: number)
      made[number]?.columns.append(MadeColumn(name: column, type: .integer, evidence: .order))
      made[number]?.key.append(column)
    }
  }

  /// The name that is the key of the rows of an owned table beside their parent's.
  private func ownKey(of number: Int) -> Int? {
    let table = walk.tables[number]
    guard let place = table.places.first, let rank = walk.outline.places[place].keyRank else {
      return nil
    }
    let canonical = walk.outline.places[place].rule.names[rank]
    return table.names.firstIndex { walk.isKey($0, canonical) }
  }

  /// What a column may be called that refers to a parent: `post_id` for `posts`.
  private func linkNames(to parent: String, from child: String) -> [String] {
    let spelled = { (name: String) in
      walk.present.schema.spelling.canonical(Array(name.utf8))
    }
    let isOwn = parent == child
    let others = [spelled(child)] + (isOwn ? [spelled("child")] : [])
    let names = present.schema.spelling.singulars(of: parent)
    return names.filter { !others.contains(spelled($0)) }.map { $0 + "_id" }
      + (isOwn ? ["parent_id"] : ["parent_\(parent)_id"])
  }

  // MARK: - Lists

  mutating func addRelations(of number: Int) {
    let table = walk.tables[number]
    guard table.policy == .evolve else { return }
    for name in table.names {
      guard name.known == nil else {
        addThroughInPlace(of: name, of: number)
        continue
      }
      switch name.form {
      case .rows(let child, true)?:
        if walk.isSeveral(name) || !mayGrow(child) {
          addThrough(name, from: number, to: child)
        } else {
          addChildren(name, from: number, to: child)
        }
      case .owned(let child)?: addOwned(name, from: number, to: child)
      case .flat?:
        let reason = name.reason ?? .keyless(walk.objects(under: name))
        decide(
          name, of: number, .flat, .because(reason), hidden(name, of: number),
          taken(name, of: number))
      case .rows?, .plain?, .whole?, nil: break
      }
    }
  }

  private func mayGrow(_ table: Int) -> Bool {
    walk.tables[table].present == nil || walk.tables[table].policy == .evolve
  }

  private mutating func addOwned(_ name: DraftName, from number: Int, to child: Int) {
    guard let table = made[child], let link = table.key.first else { return }
    let isByKey = walk.isByKey(child)
    let position = isByKey ? names.own(["position"], of: child) : table.key[1]
    if isByKey { add(MadeColumn(name: position, type: .integer, evidence: .order), to: child) }
    let count = walk.objects(under: name)
    let reason = name.reason ?? (name.member.hasTwins ? .twins : .keyless(count))
    let own = MadeRelation(
      jsonPath: name.path, column: link, other: table.name, position: position)
    decide(
      name, of: number, .owned(table: table.name, key: table.key), .because(reason),
      [
        .init(table: tableNames[number], relation: own),
        .init(table: table.name, relation: MadeRelation(column: link)),
      ] + hidden(name, of: number), taken(name, of: number, by: child, position))
  }

  /// Whether a row of a table is named only where it hangs on its parent, and goes with that.
  private func isOnlyWay(to child: Int) -> Bool {
    let ways = walk.tables.reduce(0) { count, table in
      count + table.names.count { $0.isRows(of: child) }
    }
    return ways == 1 && made[child] != nil
  }

  private mutating func addChildren(_ name: DraftName, from number: Int, to child: Int) {
    guard let key = keys[number] else { return }
    let (parent, children) = (tableNames[number], tableNames[child])
    let count = walk.objects(under: name)
    var reference = MadeColumn.Reference(
      table: parent, column: key.column, isChild: isOnlyWay(to: child), index: nil)
    let link: String
    var evidence = Evidence.agreeing(count)
    if let naming = naming(of: name, child, parent) {
      let own = walk.tables[child].names[naming]
      evidence = .equalParents(
        own.member.facts.values, column: own.path[0], names: "\(parent).\(key.column)")
      link = linkColumn(of: naming, in: child)
    } else {
      link = names.own(linkNames(to: parent, from: children), of: child)
      add(
        MadeColumn(
          name: link, type: type(key.type, in: child) ?? .text,
          evidence: .arrays(count, name: JSONPath.text(of: name.path))), to: child)
    }
    reference.index = names.index(children, link)
    refer(link, of: child, to: reference, type(key.type, in: child) ?? .text)
    let position = addPosition(to: child)
    let own = MadeRelation(
      jsonPath: name.path, column: link, other: children, position: position)
    decide(
      name, of: number, .children(table: children, column: link), evidence,
      [
        .init(table: parent, relation: own),
        .init(table: children, relation: MadeRelation(column: link)),
      ])
  }

  private mutating func addPosition(to child: Int) -> String? {
    guard made[child] != nil else { return nil }
    let position = names.own(["position"], of: child)
    add(MadeColumn(name: position, type: .integer, evidence: .order), to: child)
    return position
  }

  /// The name by which all objects under another say under which row they stand, and which says
  /// nothing else wherever it stands.
  private func naming(of name: DraftName, _ child: Int, _ parent: String) -> Int? {
    // The keys of flat objects were held against it.
    guard !name.isInKeyed else { return nil }
    let all = walk.tables[child].names
    for column in linkNames(to: parent, from: tableNames[child]) {
      let spelled = present.schema.spelling.canonical(Array(column.utf8))
      let places = all.indices.filter {
        all[$0].path.count == 1 && all[$0].member.canonical == spelled
      }
      guard places.count == 1, let place = places.first, all[place].form == .plain,
        all[place].known == nil, !isKey(place, of: child), !isReference(place, of: child)
      else { continue }
      let found = name.inner.reduce(0) { count, inner in
        let member = walk.outline.places[inner].members.first { $0.canonical == spelled }
        return count + (member?.keysOfParent ?? 0)
      }
      if found > 0, found == all[place].member.facts.values { return place }
    }
    return nil
  }

  private func column(of place: Int, in table: Int) -> Int? {
    let columns = made[table]?.columns ?? added[table] ?? []
    let path = walk.tables[table].names[place].path
    return columns.firstIndex { ($0.jsonPath ?? [$0.name]) == path }
  }

  private func isKey(_ place: Int, of table: Int) -> Bool {
    guard let column = column(of: place, in: table) else { return true }
    return made[table]?.key.contains(made[table]?.columns[column].name ?? "") ?? false
  }

  private func isReference(_ place: Int, of table: Int) -> Bool {
    guard let column = column(of: place, in: table) else { return true }
    return (made[table]?.columns ?? added[table] ?? [])[column].reference != nil
  }

  /// The column of a name, which then has its name in JSON though a relation hides it.
  private mutating func linkColumn(of place: Int, in table: Int) -> String {
    let path = walk.tables[table].names[place].path
    var columns = made[table]?.columns ?? added[table] ?? []
    guard let column = column(of: place, in: table) else { return path[0] }
    columns[column].jsonPath = path
    if made[table] == nil { added[table] = columns } else { made[table]?.columns = columns }
    return columns[column].name
  }

  private mutating func refer(
    _ column: String, of table: Int, to reference: MadeColumn.Reference, _ type: MadeType
  ) {
    var columns = made[table]?.columns ?? added[table] ?? []
    guard let place = columns.firstIndex(where: { $0.name == column }) else { return }
    (columns[place].reference, columns[place].type) = (reference, type)
    if made[table] == nil { added[table] = columns } else { made[table]?.columns = columns }
  }

  /// Adds a table of links in place of the column by which rows hang on one other each.
  private mutating func addThroughInPlace(of name: DraftName, of number: Int) {
    guard let relation = walk.outgrown(name, of: number),
      case .toMany(let other, let column, _) = relation.kind,
      let child = walk.tables.firstIndex(where: { $0.present == other })
    else { return }
    let hasName = present.schema.tables[other].columns[column].jsonPath != nil
    addThrough(name, from: number, to: child, inPlaceOf: relation, isFreed: !hasName)
  }

  private mutating func addThrough(
    _ name: DraftName, from number: Int, to child: Int, inPlaceOf old: Relation? = nil,
    isFreed: Bool = false
  ) {
    guard let here = keys[number], let there = keys[child] else { return }
    let (one, other) = (tableNames[number], tableNames[child])
    let count = walk.objects(under: name)
    let table = names.table("\(one)_\(name.joined)", or: "\(one)_\(name.joined)")
    let spelling = present.schema.spelling
    var columns: [MadeColumn] = []
    for (owner, key) in [(one, here), (other, there)] {
      let wanted = columns.isEmpty || one != other ? owner : name.joined
      let link = SafeNames.column(
        for: spelling.singulars(of: wanted)[0] + "_id",
        besides: Set(columns.map(\.name.asciiLowercased) + ["position"]))
      let index = columns.isEmpty ? nil : names.index(table, link)
      columns.append(
        MadeColumn(
          name: link, type: key.type,
          reference: .init(table: owner, column: key.column, isChild: true, index: index),
          evidence: .arrays(count, name: JSONPath.text(of: name.path))))
    }
    let key = columns.map(\.name)
    columns.append(MadeColumn(name: "position", type: .integer, evidence: .order))
    throughs.append(
      MadeTable(
        name: table, columns: columns, key: key,
        evidence: .shared(name: JSONPath.text(of: name.path), of: one)))
    var named = [
      DecidedRelation.NamedRelation(
        table: one,
        relation: MadeRelation(
          jsonPath: name.path, column: key[0], other: other, through: table, position: "position")),
      .init(
        table: other, relation: MadeRelation(column: key[1], other: one, through: table)),
    ]
    var taken: TakenRows?
    if let old {
      named.append(hidden(old, of: number))
      let copies = [TakenRows.Copy(from: there.column, to: key[1])]
      taken = self.taken(old, of: number, copies, into: table, link: key[0], "position")
      taken?.isFreed = isFreed
    }
    if number == child {
      named += key.map { .init(table: one, relation: MadeRelation(column: $0, other: table)) }
    }
    decide(
      name, of: number, .links(table: other, through: table),
      walk.isSeveral(name) || old != nil ? .several(count) : .agreeing(count), named, taken)
  }
}

extension DecisionWalk {
  /// Whether the rows of a table that a name owns are told by keys of their own.
  fileprivate func isByKey(_ table: Int) -> Bool {
    guard let owner = tables[table].owner else { return false }
    let keys = Set(
      tables[table].places.map { place in
        outline.places[place].keyRank.map { outline.places[place].rule.names[$0] }
      })
    return keys.count == 1 && keys.first != [UInt8]?.none
      && !tables[owner.table].names[owner.name].member.hasTwins
      && tables[table].places.allSatisfy {
        if case .first = outline.places[$0].rule { true } else { false }
      }
  }
}
