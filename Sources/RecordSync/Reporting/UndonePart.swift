/// What became of a table or a column that a sync had made, as that was taken back.
public struct UndonePart: Sendable, Equatable {
  /// The table.
  public let table: String
  /// The column; `nil` for a whole table.
  public let column: String?
  /// Why it stays; `nil` if it is gone.
  public let obstacle: Obstacle?

  /// Why something that was made stays.
  public enum Obstacle: Sendable, Equatable {
    /// There are rows in the table, or values in the column, that the sync didn't bring.
    case filled
    /// Something else needs it: an index, a view, a trigger, another table.
    case needed
    /// It was there before, and was another: it isn't made again as it was.
    case changed
  }
}

extension UndonePart: CustomStringConvertible {
  /// What became of it: `dropped table users`.
  public var description: String {
    let part = column.map { "column \(table.shown).\($0.shown)" } ?? "table \(table.shown)"
    return switch obstacle {
    case nil: "dropped \(part)"
    case .filled?: "left \(part): \(column == nil ? "rows" : "values") that came since are in it"
    case .needed?: "left \(part): something else needs it"
    case .changed?: "left \(part): it took the place of another"
    }
  }
}
