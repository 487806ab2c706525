import SyncDatabase

struct ReportBuilder {
  struct Moment: Comparable {
    let element: UInt32
    let row: UInt32

    /// - Parameters:
    ///   - element: The element of the payload in which it is named.
    ///   - row: Its place among the rows of its window.
    init(element: Int, row: Int) {
      // One for each of very many rows: neither comes near the end.
      self.element = UInt32(clamping: element)
      self.row = UInt32(clamping: row)
    }

    static func < (one: Moment, other: Moment) -> Bool {
      (one.element, one.row) < (other.element, other.row)
    }
  }

  private let schema: RecordSchema
  private var tables: [Table]

  private struct Table {
    var inserted = InsertedRows()
    var isMoved: Set<RecordKey> = []
    var isTwin: Set<RecordKey> = []
    var hasStayed: Set<RecordKey> = []
    var updated = UpdatedRows()
    var report = TableReport()
    /// Where the rows stand in the report whose edits are kept.
    var keptPlaces: [RecordKey: Int] = [:]
  }

  init(_ schema: RecordSchema) {
    self.schema = schema
    tables = schema.tables.map { _ in Table() }
  }

  /// What is told of a table, but for its inserted and updated rows.
  subscript(table: Int) -> TableReport {
    get { tables[table].report }
    _modify { yield &tables[table].report }
  }

  mutating func insert(_ key: RecordKey, at moment: Moment, in table: Int) {
    tables[table].inserted.insert(key, at: moment)
  }

  func insertedCount(of table: Int) -> Int { tables[table].inserted.count }

  /// A row is named by an element that is written later than it stands in the payload.
  mutating func name(_ key: RecordKey, at moment: Moment, in table: Int) {
    tables[table].inserted.name(key, at: moment)
  }

  /// A row that was inserted before is still a new one.
  ///
  /// - Parameter isFirst: Whether nothing was told of the row before. Default `false`: unknown.
  mutating func update(
    _ key: RecordKey, columns: [Int], at moment: Moment, in table: Int, isFirst: Bool = false
  ) {
    guard isFirst || !tables[table].inserted.contains(key) else { return }
    tables[table].updated.add(key, columns: columns, at: moment, isFirst: isFirst)
  }

  mutating func takeBack(_ key: RecordKey?, in table: Int) {
    if let key { tables[table].inserted.takeBack(key) }
  }

  /// A child hangs on another parent than before, or on its first; an inserted one is still new.
  mutating func adopt(_ key: RecordKey, hadParent: Bool, in table: Int) {
    guard !tables[table].inserted.contains(key) else { return }
    if !hadParent {
      tables[table].report.linked += 1
    } else if tables[table].isMoved.insert(key).inserted {
      tables[table].report.moved.append(key)
    }
  }

  mutating func stay(_ key: RecordKey, in table: Int) {
    if tables[table].hasStayed.insert(key).inserted { tables[table].report.stayed.append(key) }
  }

  /// Columns stay as they were edited here; a row that is tried again says so again.
  mutating func keep(_ key: RecordKey, columns: [Int], in table: Int) {
    let names = names(columns, table)
    guard let place = tables[table].keptPlaces[key] else {
      tables[table].keptPlaces[key] = tables[table].report.keptEdits.count
      return tables[table].report.keptEdits.append(UpdatedRow(key: key, columns: names))
    }
    let known = tables[table].report.keptEdits[place].columns
    tables[table].report.keptEdits[place].columns += names.filter { !known.contains($0) }
  }

  mutating func keepTwins(of key: RecordKey, in table: Int) {
    if tables[table].isTwin.insert(key).inserted { tables[table].report.twins.append(key) }
  }

  mutating func refuse(_ key: RecordKey?, _ error: DatabaseError, in table: Int) {
    refuse(key, error.message, in: table)
  }

  mutating func refuse(_ key: RecordKey?, _ reason: String, in table: Int) {
    tables[table].report.refused.append(RefusedRow(key: key, reason: reason))
  }

  func reports() -> [String: TableReport] {
    var reports: [String: TableReport] = [:]
    for place in tables.indices {
      let report = report(place)
      if report != TableReport() { reports[schema.tables[place].name] = report }
    }
    return reports
  }

  private func report(_ place: Int) -> TableReport {
    let table = tables[place]
    var report = table.report
    report.inserted = table.inserted.inOrder
    report.updated = table.updated.reports { names($0, place) }
    return report
  }

  private func names(_ columns: [Int], _ table: Int) -> [String] {
    columns.map { schema.tables[table].columns[$0].name }
  }

  static func inOrder<Element>(
    _ elements: [Element], by moment: (Element) -> Moment
  ) -> [Element] {
    let isOrdered = zip(elements, elements.dropFirst()).allSatisfy { moment($0) <= moment($1) }
    return isOrdered ? elements : elements.sorted { moment($0) < moment($1) }
  }
}

struct UpdatedRows {
  private var rows: [(moment: ReportBuilder.Moment, key: RecordKey, columns: Int)] = []
  /// What changed in them: most rows of a payload differ in the same columns, which are here once.
  private var columns: [[Int]] = []
  private var columnPlaces: [[Int]: Int] = [:]
  /// Where the rows stand, once one has to be looked for.
  private var places: [RecordKey: Int]?

  /// Adds a row, or more columns of one that was added before.
  ///
  /// - Parameter isFirst: Whether it surely wasn't added before. Then it isn't looked for.
  mutating func add(
    _ key: RecordKey, columns: [Int], at moment: ReportBuilder.Moment, isFirst: Bool
  ) {
    if !isFirst, let place = place(of: key) {
      rows[place].moment = min(rows[place].moment, moment)
      rows[place].columns = columnsPlace(of: self.columns[rows[place].columns] + columns)
    } else {
      places?[key] = rows.count
      rows.append((moment, key, columnsPlace(of: columns)))
    }
  }

  private mutating func place(of key: RecordKey) -> Int? {
    if places == nil {
      places = Dictionary(rows.enumerated().map { ($1.key, $0) }) { first, _ in first }
    }
    return places?[key]
  }

  private mutating func columnsPlace(of columns: [Int]) -> Int {
    if let place = columnPlaces[columns] { return place }
    let ordered = Set(columns).sorted()
    let place = columnPlaces[ordered] ?? self.columns.count
    if place == self.columns.count { self.columns.append(ordered) }
    columnPlaces[ordered] = place
    columnPlaces[columns] = place
    return place
  }

  /// The rows in the order of the payload.
  ///
  /// - Parameter names: The columns' names.
  func reports(_ names: ([Int]) -> [String]) -> [UpdatedRow] {
    // Rows with the same columns share their names.
    let names = columns.map(names)
    return ReportBuilder.inOrder(rows) { $0.moment }.map {
      UpdatedRow(key: $0.key, columns: names[$0.columns])
    }
  }
}
