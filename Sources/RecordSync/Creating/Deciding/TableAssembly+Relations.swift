private import SyncText

extension TableAssembly {
  /// Begins a table whose rows go with the one under which they stand, and are told by that and by
  /// a key of their own or their place.
  mutating func beginOwned(_ number: Int) {
    guard let owner = walk.tables[number].owner, let key = keys[owner.table] else { return }
    let parent = tableNames[owner.table]
    let name = walk.tables[owner.table].names[owner.name]
    let link = names.own(linkNames(to: parent, from: tableNames[number]), of: number)
    columns[number].append(
      MadeColumn(
        name: link, type: key.type,
        reference: .init(table: parent, column: key.column, isChild: true, index: nil),
        evidence: .objects(walk.objects(under: name))))
    keyColumns[number] = [link]
    if walk.isByKey(number), let member = keyMembers(of: number).first {
      addKey(member, to: number, isAlone: false)
    } else {
      keyColumns[number].append(addPosition(to: number))
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
        let reason = name.reason ?? .keyless(walk.objects(under: name).count)
        decide(
          name, of: number, .flat, .because(reason), hidden(name.replaced, of: number),
          taken(name, of: number))
      case .rows?, .plain?, .whole?, nil: break
      }
    }
  }

  private func mayGrow(_ table: Int) -> Bool {
    walk.tables[table].present == nil || walk.tables[table].policy == .evolve
  }

  private mutating func addOwned(_ name: DraftName, from number: Int, to child: Int) {
    let (key, table) = (keyColumns[child], tableNames[child])
    guard key.count == 2 else { return }
    let position = walk.isByKey(child) ? addPosition(to: child) : key[1]
    let reason =
      name.reason ?? (name.member.hasTwins ? .twins : .keyless(walk.objects(under: name).count))
    let own = MadeRelation(
      jsonPath: name.path, column: key[0], other: table, position: position)
    decide(
      name, of: number, .owned(table: table, key: key), .because(reason),
      [
        .init(table: tableNames[number], relation: own),
        .init(table: table, relation: MadeRelation(column: key[0])),
      ] + hidden(name.replaced, of: number), taken(name, of: number, by: child, position))
  }

  /// Whether a row of a table is named only where it hangs on its parent, and goes with that.
  private func isOnlyWay(to child: Int) -> Bool {
    let ways = walk.tables.reduce(0) { count, table in
      count + table.names.count { $0.isRows(of: child) }
    }
    return ways == 1 && isMade(child)
  }

  private mutating func addChildren(_ name: DraftName, from number: Int, to child: Int) {
    guard let key = keys[number] else { return }
    let (parent, children) = (tableNames[number], tableNames[child])
    let objects = walk.objects(under: name)
    let links = linkNames(to: parent, from: children)
    var evidence = Evidence.agreeing(objects.count)
    let place: Int
    if let naming = naming(of: name, child, links) {
      place = naming.column
      let link = columns[child][place]
      // A relation hides it.
      columns[child][place].jsonPath = link.path
      evidence = .equalParents(
        naming.values, column: link.path[0], names: "\(parent).\(key.column)")
    } else {
      place = columns[child].count
      columns[child].append(
        MadeColumn(
          name: names.own(links, of: child), type: key.type, evidence: .objects(objects)))
    }
    let link = columns[child][place].name
    columns[child][place].type = type(key.type, in: child) ?? .text
    columns[child][place].reference = .init(
      table: parent, column: key.column, isChild: isOnlyWay(to: child),
      index: names.index(children, link))
    let position = isMade(child) ? addPosition(to: child) : nil
    let own = MadeRelation(
      jsonPath: name.path, column: link, other: children, position: position)
    decide(
      name, of: number, .children(table: children, column: link), evidence,
      [
        .init(table: parent, relation: own),
        .init(table: children, relation: MadeRelation(column: link)),
      ])
  }

  private mutating func addPosition(to table: Int) -> String {
    let position = names.own(["position"], of: table)
    columns[table].append(MadeColumn(name: position, type: .integer, evidence: .order))
    return position
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
      let column = columns[child].firstIndex {
        $0.path == own.path && $0.reference == nil && !keyColumns[child].contains($0.name)
      }
      if let column { return (column, found) }
    }
    return nil
  }

  /// Adds a table of links in place of the column by which rows hang on one other each.
  private mutating func addThroughInPlace(of name: DraftName, of number: Int) {
    guard let relation = walk.outgrown(name, of: number),
      case .toMany(let other, let column, _) = relation.kind,
      let child = walk.tables.firstIndex(where: { $0.present == other })
    else { return }
    let isFreed = present.schema.tables[other].columns[column].jsonPath == nil
    addThrough(name, from: number, to: child, inPlaceOf: relation, isFreed: isFreed)
  }

  private mutating func addThrough(
    _ name: DraftName, from number: Int, to child: Int, inPlaceOf old: Relation? = nil,
    isFreed: Bool = false
  ) {
    guard let here = keys[number], let there = keys[child] else { return }
    let (one, other) = (tableNames[number], tableNames[child])
    let objects = walk.objects(under: name)
    let table = names.table("\(one)_\(name.joined)", or: "\(one)_\(name.joined)")
    let first = link(to: one, here, named: one, [], indexOf: nil, objects)
    let second = link(
      to: other, there, named: one == other ? name.joined : other, [first.name], indexOf: table,
      objects)
    let key = [first.name, second.name]
    let position = MadeColumn(name: "position", type: .integer, evidence: .order)
    throughs.append(
      MadeTable(
        name: table, columns: [first, second, position], key: key,
        evidence: .shared(objects, of: one)))
    let own = MadeRelation(
      jsonPath: name.path, column: key[0], other: other, through: table, position: position.name)
    var named: [DecidedRelation.NamedRelation] = [
      .init(table: one, relation: own),
      .init(table: other, relation: MadeRelation(column: key[1], other: one, through: table)),
    ]
    var taken: TakenRows?
    if let old {
      named += hidden(old, of: number)
      let place = present.schema.tables[old.kind.table].keyColumn
      let copies = place.map { [TakenRows.Copy(from: $0, to: key[1], type: there.type)] }
      taken = self.taken(
        old, of: number, copies ?? [], into: table, link: key[0], position.name)
      taken?.isFreed = isFreed
    }
    if number == child {
      named += key.map { .init(table: one, relation: MadeRelation(column: $0, other: table)) }
    }
    decide(
      name, of: number, .links(table: other, through: table),
      walk.isSeveral(name) || old != nil ? .several(objects.count) : .agreeing(objects.count),
      named, taken)
  }

  /// A column of a table of links.
  private mutating func link(
    to table: String, _ key: Key, named name: String, _ others: [String],
    indexOf through: String?, _ objects: SeenObjects
  ) -> MadeColumn {
    let column = SafeNames.column(
      for: present.schema.spelling.singulars(of: name)[0] + "_id",
      besides: Set(others.map(\.asciiLowercased) + ["position"]))
    return MadeColumn(
      name: column, type: key.type,
      reference: .init(
        table: table, column: key.column, isChild: true,
        index: through.map { names.index($0, column) }),
      evidence: .objects(objects))
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
      && tables[table].places.allSatisfy { !outline.places[$0].rule.isAll }
  }
}
