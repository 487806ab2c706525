/// The rows of one table that a pass changed, and which of their columns.
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
