import SyncDatabase

extension Connection {
  /// The tables whose declaration says what becomes of a row that conflicts with others, such as
  /// `UNIQUE ON CONFLICT REPLACE`. Those with triggers are left out: what stands in these would be
  /// overridden as well.
  func tablesWithConflictClauses() throws -> Set<String> {
    let names = try rows(
      """
      SELECT name FROM main.sqlite_schema
      WHERE type = 'table' AND sql LIKE '%ON%CONFLICT%'
        AND lower(name) NOT IN (
          SELECT lower(tbl_name) FROM main.sqlite_schema WHERE type = 'trigger')
      """
    ) { try $0.text(0) }
    return Set(names)
  }
}
