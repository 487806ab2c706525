import SyncDatabase
@testable import RecordSync

/// Dates for columns that store them in different ways.
enum DateVectors {
  static let columns: [ColumnVectors] = [
    ColumnVectors(
      "DATETIME",
      [
        (#""2014-01-02""#, .kept(.text("2014-01-02T00:00:00.000Z"))),
        (#""2014-01-02 10:30:15.123456+01:00""#, .kept(.text("2014-01-02T09:30:15.123Z"))),
        ("1388658600", .kept(.text("2014-01-02T10:30:00.000Z"))),
        ("1388658600.5", .kept(.text("2014-01-02T10:30:00.500Z"))),
        ("1.3886586e9", .kept(.text("2014-01-02T10:30:00.000Z"))),
        (#""1388658600000""#, .kept(.text("2014-01-02T10:30:00.000Z"))),
        (#""2014""#, .kept(.text("1970-01-01T00:33:34.000Z"))),
        (#""20140102""#, .kept(.text("1970-08-22T02:28:22.000Z"))),
        (#""\/Date(1451606400000)\/""#, .kept(.text("2016-01-01T00:00:00.000Z"))),
        (#""""#, .mismatch), (#""garbage""#, .mismatch), ("true", .mismatch), ("[]", .mismatch),
        ("{}", .mismatch), ("1e20", .kept(.text("5138-11-16T09:46:40.000Z"))), ("1e21", .mismatch),
        ("null", .kept(nil)),
      ]),
    ColumnVectors(
      "DATE_INT",
      [
        (#""2014-01-02T10:30:00.5Z""#, .kept(.integer(1_388_658_600_500))),
        ("-1", .kept(.integer(-1_000))), (#""x""#, .mismatch),
      ]),
    ColumnVectors(
      "DATE REAL",
      [
        (#""2014-01-02T10:30:00.123Z""#, .kept(.real(1_388_658_600.123))),
        (#""1969-12-31T23:59:59.999Z""#, .kept(.real(-0.001))), ("0", .kept(.real(0))),
      ]),
  ]
}
