private import SyncText

extension TableAssembly {
  mutating func addColumns(to number: Int) {
    let table = walk.tables[number]
    for (place, name) in table.names.enumerated()
    where !names.isTaken(place, of: number) && name.known == nil {
      guard table.policy == .evolve || walk.isBesideKey(name.path, of: number) else { continue }
      switch name.form {
      case .rows(_, false)?: addReference(place, to: number)
      case .rows?, .owned?, .flat?: break
      case .plain?, .whole?: addColumn(place, to: number)
      case nil where !name.forms.isEmpty: addColumn(place, to: number)
      // Its null would be taken for that of the other spelling.
      case nil where walk.hasTwin(name, in: number): addColumn(place, to: number)
      case nil: break
      }
    }
    let isExtra = table.policy == .extra && (table.isExtraWanted || table.present == nil)
    if isExtra { addExtra(to: number) }
    if let misfits = table.present.flatMap({ types.misfits[$0] }) {
      addExtra(to: number, for: misfits)
    }
  }

  private mutating func addColumn(_ place: Int, to number: Int) {
    let table = walk.tables[number]
    let name = table.names[place]
    if let link = reference(beside: place, of: number) {
      return addReference(link, to: number)
    }
    let saying = saying(of: name, in: table.name)
    let narrowest = MadeType(name.member.facts.kinds, isExact: present.isExact) ?? .text
    guard let type = type(saying?.type ?? narrowest, in: number) else { return }
    let (column, path) = takeColumn(place, of: number)
    let isSaid = name.path.count == 1 && column == saying?.column
    columns[number].append(
      MadeColumn(
        name: column, type: type, jsonPath: isSaid ? nil : path,
        keyBeside: numberBeside(column, of: number), evidence: .values(name.member.facts.values)))
    guard !name.inner.isEmpty else { return }
    decide(name, of: number, .whole, .because(name.reason ?? .mixed))
  }

  /// The row number that is the key of a table that is there, where a column beside it would be
  /// taken for the key.
  private func numberBeside(_ column: String, of number: Int) -> String? {
    guard let place = walk.tables[number].present, let key = present.schema.tables[place].keyColumn,
      ["id", "remote_id"].contains(present.schema.spelling.snake(column))
    else { return nil }
    let table = present.schema.tables[place]
    guard table.rowNumberColumn == key, table.columns[key].jsonPath == nil else { return nil }
    return table.columns[key].name
  }

  /// The column that the program declared for a name, and the type that it is to have.
  func saying(
    of name: DraftName, in table: String
  ) -> (column: String, type: MadeType?)? {
    let columns = present.saying(of: table)?.columns ?? [:]
    let text = JSONPath.text(of: name.path)
    let named =
      columns.first { $0.value.name == text }
      ?? columns.first { $0.value.name == nil && [$0.key] == name.path }
    return named.map { ($0.key, MadeType($0.value)) }
  }

  private mutating func addExtra(to number: Int) {
    if let place = walk.tables[number].present {
      let table = present.schema.tables[place]
      guard !table.isStrict, table.place(ofColumn: TableSchema.extraColumn) == nil else { return }
    }
    let name = names.column(for: [TableSchema.extraColumn], of: number)
    guard name == TableSchema.extraColumn else { return }
    columns[number].append(
      MadeColumn(name: name, type: .json, jsonPath: [name], evidence: .unknownNames))
  }

  private mutating func addExtra(to number: Int, for misfits: [String]) {
    guard let place = walk.tables[number].present, present.schema.tables[place].extra == nil else {
      return
    }
    columns[number].append(
      MadeColumn(
        name: names.own([TableSchema.extraColumn], of: number),
        type: type(.json, in: number) ?? .text, jsonPath: [TableSchema.extraMember],
        evidence: .misfits(misfits)))
  }

  // MARK: - References

  /// The name under which objects stand whose keys a name beside it has, in all rows.
  private func reference(beside place: Int, of number: Int) -> Int? {
    walk.tables[number].names.indices.first { other in
      guard case .rows(_, false)? = walk.tables[number].names[other].form else { return false }
      return keyBeside(other, of: number) == place
    }
  }

  /// The name that has the keys of the objects under another: `user_id` beside `user`.
  private func keyBeside(_ place: Int, of number: Int) -> Int? {
    let all = walk.tables[number].names
    let name = all[place]
    let beside = all.indices.filter { other in
      all[other].path.dropLast() == name.path.dropLast()
        && all[other].member.canonical == name.member.canonical + Array("_id".utf8)
    }
    guard beside.count == 1, all[beside[0]].known == nil,
      all[beside[0]].member.facts.values == name.member.keysBeside,
      name.member.keysBeside > 0, all[beside[0]].form == .plain
    else { return nil }
    return beside[0]
  }

  /// Adds the column by which a row names another, as objects under a name do.
  private mutating func addReference(_ place: Int, to number: Int) {
    let name = walk.tables[number].names[place]
    guard case .rows(let target, false)? = name.form, let key = keys[target] else { return }
    let (own, other) = (tableNames[number], tableNames[target])
    let objects = walk.objects(under: name)
    var evidence = Evidence.agreeing(objects.count)
    let (column, path): (String, [String]?)
    if let beside = keyBeside(place, of: number) {
      (column, path) = takeColumn(beside, of: number)
      evidence = .equalKeys(
        name.member.keysBeside, column: column, names: "\(other).\(key.column)")
    } else {
      (column, path) = (referenceName(for: name, of: number), nil)
    }
    names.take(place, of: number)
    columns[number].append(
      MadeColumn(
        name: column, type: type(key.type, in: number) ?? .text, jsonPath: path,
        reference: .init(
          table: other, column: key.column, isChild: false, index: names.index(own, column)),
        evidence: .objects(objects)))
    decide(
      name, of: number, .reference(table: other, column: column), evidence,
      [
        .init(table: own, relation: MadeRelation(jsonPath: name.path, column: column)),
        .init(table: other, relation: MadeRelation(column: column, other: own)),
      ])
  }

  private mutating func referenceName(for name: DraftName, of number: Int) -> String {
    let longer = name.joined + "_id"
    let isShort =
      !names.isFree(longer, in: number) && name.path.count == 1
      && names.isFree(name.joined, in: number, but: name.joined)
    return isShort ? names.column(for: name.path, of: number) : names.own([longer], of: number)
  }
}
