private import SyncText

extension SchemaDecision {
  mutating func addColumns(to number: Int) {
    for name in tables[number].names
    where name.known == nil && !tables[number].taken.contains(name.place) {
      guard tables[number].policy == .evolve || walk.isBesideKey(name.path, of: number) else {
        continue
      }
      switch name.form {
      case .rows(let target, false)?: addReference(name, to: target)
      case .rows?, .owned?, .flat?: break
      case .plain?, .whole?: addColumn(name)
      case nil:
        // Its null would be taken for that of the other spelling.
        if !name.forms.isEmpty || walk.hasTwin(name) { addColumn(name) }
      }
    }
    addExtra(to: number)
  }

  private mutating func addColumn(_ name: DraftName) {
    let number = name.place.table
    for link in tables[number].names {
      guard let target = link.reference, keyBeside(link)?.place == name.place else { continue }
      return addReference(link, to: target)
    }
    let saying = saying(of: name)
    let isExact = present.isExact || name.held == .decimal
    let narrowest = MadeType(name.kinds, isExact: isExact) ?? name.held ?? .text
    guard let type = type(saying?.type ?? narrowest, in: number) else { return }
    let (column, path) = takeColumn(name)
    // What takes values of an earlier table finds its column by the way.
    let isSaid = name.path.count == 1 && column == saying?.column && name.held == nil
    tables[number].columns.append(
      MadeColumn(
        name: column, type: type, jsonPath: isSaid ? nil : path,
        keyBeside: numberBeside(column, of: number), source: .values(name.member.facts.values)))
    if !name.inner.isEmpty { decide(name, .whole, name.reason ?? .mixed) }
  }

  /// The row number that is the key of a table that is there, where a column beside it would be
  /// taken for the key.
  private func numberBeside(_ column: String, of number: Int) -> String? {
    guard let table = there(number), let key = table.keyColumn,
      table.rowNumberColumn == key, table.columns[key].jsonPath == nil,
      PresentTables.isKeyName(walk.spelled(column))
    else { return nil }
    return table.columns[key].name
  }

  /// The column that the program declared for a name, and the type that it is to have.
  func saying(of name: DraftName) -> (column: String, type: MadeType?)? {
    let columns = present.saying(of: tables[name.place.table].name)?.columns ?? [:]
    let text = JSONPath.text(of: name.path)
    let named =
      columns.first { $0.value.name == text }
      ?? columns.first { $0.value.name == nil && [$0.key] == name.path }
    return named.map { ($0.key, MadeType($0.value)) }
  }

  /// Adds a column for what no other one takes: names, where the program wants them kept so, or
  /// values that the columns that are there can't hold.
  private mutating func addExtra(to number: Int) {
    let (table, there) = (tables[number], there(number))
    let column = TableSchema.extraColumn
    if table.policy == .extra, table.isExtraWanted || there == nil, there?.isStrict != true,
      !table.used.contains(column)
    {
      let name = self.column(for: [column], of: number)
      tables[number].columns.append(
        MadeColumn(name: name, type: .json, jsonPath: [name], source: .unknownNames))
    }
    guard let misfits = table.present.flatMap({ types.misfits[$0] }), there?.extra == nil else {
      return
    }
    let name = own([column], of: number)
    tables[number].columns.append(
      MadeColumn(
        name: name, type: type(.json, in: number) ?? .text,
        jsonPath: [TableSchema.extraMember], source: .misfits(misfits)))
  }

  // MARK: - References

  /// The name that has the keys of the objects under another, in all rows: `user_id` beside `user`.
  private func keyBeside(_ name: DraftName) -> DraftName? {
    let beside = tables[name.place.table].names.filter { other in
      other.path.dropLast() == name.path.dropLast() && other.member.isReference(to: name.member)
    }
    guard beside.count == 1, beside[0].known == nil, beside[0].form == .plain,
      beside[0].member.facts.values == name.member.keysBeside, name.member.keysBeside > 0
    else { return nil }
    return beside[0]
  }

  /// Adds the column by which a row names another, as objects under a name do.
  private mutating func addReference(_ name: DraftName, to target: Int) {
    guard let key = tables[target].key else { return }
    let number = name.place.table
    let (own, other, objects) = (
      tables[number].name, tables[target].name, walk.objects(under: name)
    )
    var evidence = Evidence.agreeing(objects.count)
    let (column, path): (String, [String]?)
    if let beside = keyBeside(name) {
      (column, path) = takeColumn(beside)
      evidence = .equal(
        name.member.keysBeside, column: column, names: "\(other).\(key.column)")
    } else {
      (column, path) = (takeReference(for: name), nil)
    }
    tables[number].taken.insert(name.place)
    tables[number].columns.append(
      MadeColumn(
        name: column, type: type(key.type, in: number) ?? .text, jsonPath: path,
        reference: .init(
          table: other, column: key.column, isChild: false, index: takeIndex(own, column)),
        source: .objects(objects)))
    decide(
      name, .reference(table: other, column: column), evidence,
      [
        MadeRelation(table: own, jsonPath: name.path, column: column),
        MadeRelation(table: other, column: column, other: own),
      ])
  }

  private mutating func takeReference(for name: DraftName) -> String {
    let (number, longer) = (name.place.table, name.joined + "_id")
    let isShort =
      !isFree(longer, of: number) && name.path.count == 1
      && isFree(name.joined, but: name.joined, of: number)
    return isShort ? column(for: name.path, of: number) : own([longer], of: number)
  }
}
