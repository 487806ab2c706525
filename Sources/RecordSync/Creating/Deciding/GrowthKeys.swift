private import SyncText

/// The keys of the tables of a payload: those that are there, and those of new tables, which its
/// objects tell.
struct GrowthKeys {
  /// The key of each table by its number; `nil` for one of several columns, to which nothing can
  /// refer.
  private(set) var single: [Key?] = []
  /// The members that are the key of each new table.
  private(set) var members: [[MergedMember]] = []
  /// Relations that can't be, since objects lack the key of their table.
  private(set) var refused: Set<PayloadTables.Relationship> = []
  /// Whether no element of the payload has a key.
  private(set) var isTopKeyless = false

  struct Key {
    var column: String
    var type: MadeType
  }

  init(_ tables: PayloadTables) {
    for (number, table) in tables.tables.enumerated() {
      if let place = table.place {
        addPresent(table, tables.present.schema.tables[place], tables.shape)
      } else {
        addNew(table, isTop: number == 0, tables)
      }
    }
  }

  private mutating func addPresent(
    _ table: PayloadTables.Table, _ present: TableSchema, _ shape: PayloadShape
  ) {
    members.append([])
    guard let column = present.keyColumn else {
      refused.formUnion(table.incoming)
      single.append(nil)
      return
    }
    let key = present.columns[column]
    let keyed = table.members.first { member in
      present.key.jsonNames.contains(member.name) || member.name == key.name
    }
    let total = table.places.reduce(0) { $0 + shape.objects[$1].count }
    if !present.isUnique(column) || keyed?.scalars != total { refused.formUnion(table.incoming) }
    single.append(Key(column: key.name, type: MadeType(referringTo: key.type)))
  }

  private mutating func addNew(
    _ table: PayloadTables.Table, isTop: Bool, _ tables: PayloadTables
  ) {
    let total = table.places.reduce(0) { $0 + tables.shape.objects[$1].count }
    let declared = tables.present.saying(of: table.name)?.key
    let canonical = { (name: String) in
      tables.present.schema.spelling.canonical(Array(name.utf8))
    }
    func member(_ name: String) -> MergedMember? {
      table.members.first { $0.name == name }
        ?? table.members.first { $0.canonical == canonical(name) }
    }
    if let declared, declared.count > 1 {
      members.append(declared.compactMap(member))
      single.append(nil)
      refused.formUnion(table.incoming)
      if members[members.count - 1].count < declared.count { isTopKeyless = true }
      return
    }
    let candidates = (declared ?? PresentTables.usualKeys).compactMap(member)
    let whole = candidates.first { $0.scalars == total }
    let best = candidates.max { one, other in one.scalars < other.scalars }
    let key = whole ?? (isTop ? best : nil)
    guard let key, key.scalars > 0 else {
      if isTop { isTopKeyless = true }
      refused.formUnion(table.incoming)
      members.append([])
      single.append(nil)
      return
    }
    members.append([key])
    single.append(Key(column: key.name, type: Self.type(of: key)))
  }

  /// The type of a key's column: a truth value is a word there, since numbers may follow.
  static func type(of key: MergedMember) -> MadeType {
    let kinds = key.facts.kinds.subtracting([.nested, .oddText])
    // Two keys are never brought to one double.
    let type = MadeType(kinds, isExact: true) ?? .text
    return type == .boolean ? .text : type
  }
}
