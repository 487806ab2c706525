private import SyncText

extension TableAssembly {
  mutating func addColumns(to number: Int) {
    let table = walk.tables[number]
    for name in table.names
    where !tables[number].taken.contains(name.number) && name.known == nil {
      guard table.policy == .evolve || walk.isBesideKey(name.path, of: number) else { continue }
      switch name.form {
      case .rows(_, false)?: addReference(name, to: number)
      case .rows?, .owned?, .flat?: break
      case .plain?, .whole?: addColumn(name, to: number)
      case nil:
        // Its null would be taken for that of the other spelling.
        if !name.forms.isEmpty || walk.hasTwin(name, in: number) { addColumn(name, to: number) }
      }
    }
    addExtra(to: number)
  }

  private mutating func addColumn(_ name: DraftName, to number: Int) {
    let table = walk.tables[number]
    let link = table.names.first { $0.isReference && keyBeside($0, of: table) == name.number }
    if let link { return addReference(link, to: number) }
    let saying = saying(of: name, in: table.name)
    let isExact = present.isExact || name.held == .decimal
    let narrowest = MadeType(name.kinds, isExact: isExact) ?? name.held ?? .text
    guard let type = tables[number].type(saying?.type ?? narrowest) else { return }
    let (column, path) = takeColumn(name, of: number)
    let isSaid = name.path.count == 1 && column == saying?.column
    tables[number].columns.append(
      MadeColumn(
        name: column, type: type, jsonPath: isSaid ? nil : path,
        keyBeside: numberBeside(column, of: number), evidence: .values(name.member.facts.values)))
    guard !name.inner.isEmpty else { return }
    decide(name, of: number, .whole, name.reason ?? .mixed)
  }

  /// The row number that is the key of a table that is there, where a column beside it would be
  /// taken for the key.
  private func numberBeside(_ column: String, of number: Int) -> String? {
    guard let place = tables[number].present, let key = present.schema.tables[place].keyColumn,
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

  /// Adds a column for what no other one takes: names, where the program wants them kept so, or
  /// values that the columns that are there can't hold.
  private mutating func addExtra(to number: Int) {
    let table = walk.tables[number]
    let there = table.present.map { present.schema.tables[$0] }
    if table.policy == .extra, table.isExtraWanted || there == nil, there?.isStrict != true,
      !tables[number].has(TableSchema.extraColumn)
    {
      let name = tables[number].column(for: [TableSchema.extraColumn])
      tables[number].columns.append(
        MadeColumn(name: name, type: .json, jsonPath: [name], evidence: .unknownNames))
    }
    guard let misfits = table.present.flatMap({ types.misfits[$0] }), there?.extra == nil else {
      return
    }
    let name = tables[number].own([TableSchema.extraColumn])
    tables[number].columns.append(
      MadeColumn(
        name: name, type: tables[number].type(.json) ?? .text,
        jsonPath: [TableSchema.extraMember], evidence: .misfits(misfits)))
  }

  // MARK: - References

  /// The name that has the keys of the objects under another, in all rows: `user_id` beside `user`.
  private func keyBeside(_ name: DraftName, of table: DraftTable) -> Int? {
    let beside = table.names.filter { other in
      other.path.dropLast() == name.path.dropLast()
        && other.member.canonical == name.member.canonical + Array("_id".utf8)
    }
    guard beside.count == 1, beside[0].known == nil, beside[0].form == .plain,
      beside[0].member.facts.values == name.member.keysBeside, name.member.keysBeside > 0
    else { return nil }
    return beside[0].number
  }

  /// Adds the column by which a row names another, as objects under a name do.
  private mutating func addReference(_ name: DraftName, to number: Int) {
    guard case .rows(let target, false)? = name.form, let key = tables[target].key else { return }
    let (table, own, other) = (walk.tables[number], tables[number].name, tables[target].name)
    let objects = walk.objects(under: name)
    var evidence = Evidence.agreeing(objects.count)
    let (column, path): (String, [String]?)
    if let beside = keyBeside(name, of: table) {
      (column, path) = takeColumn(table.names[beside], of: number)
      evidence = .equal(
        name.member.keysBeside, column: column, names: "\(other).\(key.column)")
    } else {
      (column, path) = (takeReference(for: name, of: number), nil)
    }
    tables[number].taken.insert(name.number)
    tables[number].columns.append(
      MadeColumn(
        name: column, type: tables[number].type(key.type) ?? .text, jsonPath: path,
        reference: .init(
          table: other, column: key.column, isChild: false, index: takeIndex(own, column)),
        evidence: .objects(objects)))
    decide(
      name, of: number, .reference(table: other, column: column), evidence,
      [
        MadeRelation(table: own, jsonPath: name.path, column: column),
        MadeRelation(table: other, column: column, other: own),
      ])
  }

  private mutating func takeReference(for name: DraftName, of number: Int) -> String {
    let longer = name.joined + "_id"
    let isShort =
      !tables[number].isFree(longer) && name.path.count == 1
      && tables[number].isFree(name.joined, but: name.joined)
    return isShort ? tables[number].column(for: name.path) : tables[number].own([longer])
  }
}

extension DraftName {
  /// Whether a column is to name the rows that its objects are.
  fileprivate var isReference: Bool {
    if case .rows(_, false)? = form { true } else { false }
  }
}
