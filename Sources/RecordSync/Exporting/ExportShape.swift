/// An object of a table as it leaves, as a tree: the parts of declared names are put together.
struct ExportShape: Equatable {
  var members: [Member]
  /// What names the row, and no more.
  var key: [Member]

  struct Member: Equatable {
    var name: String
    var content: Content
  }

  indirect enum Content: Equatable {
    case column(MemberMap.ColumnPlace)
    /// The rows of a relation: by their keys alone, or else in full. Of a to-one, further members
    /// may stand in its object that declared names lead into.
    case relation(MemberMap.RelationPlace, inside: [Member])
    /// An object that declared names lead through.
    case inside([Member])
  }
}

extension [ExportShape.Member] {
  /// Adds what stands at the end of a path, unless its place is taken.
  ///
  /// - Parameter mayEnclose: Whether the content can take up what declared names put into it.
  mutating func insert(
    _ path: ArraySlice<String>, _ content: ExportShape.Content, mayEnclose: Bool = false
  ) {
    guard let name = path.first else { return }
    let rest = path.dropFirst()
    guard let place = firstIndex(where: { $0.name == name }) else {
      if rest.isEmpty { return append(.init(name: name, content: content)) }
      var inside: [ExportShape.Member] = []
      inside.insert(rest, content, mayEnclose: mayEnclose)
      return append(.init(name: name, content: .inside(inside)))
    }
    guard case .inside(var inside) = self[place].content else { return }
    if !rest.isEmpty {
      inside.insert(rest, content, mayEnclose: mayEnclose)
      self[place].content = .inside(inside)
    } else if mayEnclose, case .relation(let relation, _) = content {
      self[place].content = .relation(relation, inside: inside)
    }
  }
}

/// Makes the shape of a table's objects from its schema: the key first, then the other columns,
/// then relations; those of the table before those of the tables that it extends.
struct ExportShapeBuilder {
  private let schema: RecordSchema
  private let table: Int
  private let options: ExportOptions
  /// The table, and those that it extends, one after the other.
  private let layers: [Int]
  private var members: [ExportShape.Member] = []

  static func shape(
    of table: Int, in schema: RecordSchema, _ options: ExportOptions
  ) -> ExportShape {
    var builder = ExportShapeBuilder(table, schema, options)
    builder.addKey()
    let key = builder.members
    for layer in builder.layers { builder.addColumns(layer) }
    if options.relations != .none {
      for layer in builder.layers { builder.addRelations(layer) }
    }
    return ExportShape(members: builder.members, key: key)
  }

  private init(_ table: Int, _ schema: RecordSchema, _ options: ExportOptions) {
    self.schema = schema
    self.table = table
    self.options = options
    layers = Array(sequence(first: table) { schema.tables[$0].base })
  }

  // MARK: - Columns

  private mutating func addKey() {
    for column in schema.tables[table].key.columns { add(column, of: table) }
  }

  private mutating func addColumns(_ layer: Int) {
    let own = schema.tables[layer]
    for column in own.columns.indices where !own.key.columns.contains(column) {
      if leavesWithRelation(column, of: layer) { continue }
      add(column, of: layer)
    }
  }

  private mutating func add(_ column: Int, of layer: Int) {
    let own = schema.tables[layer].columns[column]
    // What names the parent in a key is told, unless the nesting does.
    let isKey = schema.tables[layer].key.columns.contains(column)
    guard own.isExported, own.isNamed || isKey && own.isHidden && !own.isGenerated else { return }
    let place = MemberMap.ColumnPlace(table: layer, column: column)
    guard var path = schema.exportedPath(of: place, in: table, options.style) else { return }
    if options.relations == .nested, path == ["destroy"] { path = ["_destroy"] }
    members.insert(path[...], .column(place))
  }

  /// Whether a column refers to another row, and isn't itself what is written of that.
  private func leavesWithRelation(_ column: Int, of layer: Int) -> Bool {
    let own = schema.tables[layer]
    switch options.relations {
    case .keys: return false
    case .none:
      return own.foreignKeys.contains { $0.column == column }
        || own.relations.contains { $0.kind.ownColumn == column }
    case .arrays, .nested:
      return own.relations.indices.contains { relation in
        own.relations[relation].kind.ownColumn == column && path(to: relation, of: layer) != nil
      }
    }
  }

  // MARK: - Relations

  private mutating func addRelations(_ layer: Int) {
    let own = schema.tables[layer]
    for (place, relation) in own.relations.enumerated() {
      if let column = relation.kind.ownColumn {
        if options.relations == .keys || !own.columns[column].isExported { continue }
      }
      guard let path = path(to: place, of: layer) else { continue }
      let isKeys = options.relations == .keys
      members.insert(
        path[...],
        .relation(.init(table: layer, relation: place, isKeys: isKeys), inside: []),
        mayEnclose: !relation.kind.isToMany)
    }
  }

  private func path(to relation: Int, of layer: Int) -> [String]? {
    func path(isKeys: Bool) -> [String]? {
      let place = MemberMap.RelationPlace(table: layer, relation: relation, isKeys: isKeys)
      return schema.exportedPath(of: place, in: table, options.style)
    }
    switch options.relations {
    case .none: return nil
    case .arrays: return path(isKeys: false)
    case .keys:
      // Under such a name only plain values can stand.
      let own = schema.tables[layer].relations[relation]
      // Rows that only their array tells apart can't be given by keys.
      guard !own.isOwnedByPlace else { return nil }
      let other = schema.tables[own.kind.table]
      return (other.keyColumn == nil ? nil : path(isKeys: true)) ?? path(isKeys: false)
    case .nested:
      guard var path = path(isKeys: false), let last = path.popLast() else { return nil }
      return path + [last + (options.style == .snake ? "_attributes" : "Attributes")]
    }
  }
}
