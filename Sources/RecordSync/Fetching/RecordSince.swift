/// How only what is new of a list is asked for: the greatest value that a column has is a parameter
/// of the first request.
///
/// Nothing is remembered for that but the rows themselves. Where no row has a value yet, the
/// address is asked as it is. Such a list is a part of what there is: no row of the table is
/// deleted for being absent from it. An object that came is whole, so that what hangs on its row
/// follows it.
///
/// That is right only where nothing else writes the table. A row that came another way, nested in
/// another list or put, may have a greater value than the list gave: what lies between isn't asked
/// for any more. A sync without this, now and then, makes up for it.
///
/// The rows that have the greatest value come again from a service that counts it in, and change
/// nothing. One that begins behind it doesn't give those that got the same value later: ask such a
/// service by a column that no two rows share. A row that the database refused is asked for again
/// only once it changes there, or all is.
public struct RecordSince: Sendable, Hashable {
  /// The column, by its name or by its way in JSON. Its greatest value is the one that SQLite has
  /// for it. Of plain texts, only some forms stand in the order of time: of others, that may be one
  /// that isn't the last in time, or one behind it. Where it is to be a date and is none, all is
  /// asked for.
  public var column: String
  /// The parameter of the address, in the place of any of that name.
  public var parameter: String
  /// How a point in time is written, if the column holds such: one of a type that says so, or
  /// declared a date. Everything else is sent as it is held. Default: RFC 3339 in UTC.
  public var dates = ExportedDates.rfc3339

  /// - Parameters:
  ///   - column: The column.
  ///   - parameter: The parameter of the address.
  public init(column: String, parameter: String) {
    (self.column, self.parameter) = (column, parameter)
  }
}
