@testable import RecordSync
import TestSupport
import XCTest

/// What is understood of well-known databases that nobody made for this package.
final class SampleDatabaseTests: SchemaTestCase {
  func testChinookIsUnderstoodWithoutAWord() throws {
    let schema = try schema("\(Chinook.tables)")
    XCTAssertEqual(schema.warnings, [])
    XCTAssertEqual(schema.tables.count, 11)
    XCTAssertEqual(try schema.lines("Track").first, "Track: key TrackId")
    XCTAssertEqual(
      try schema.relations("Track"),
      [
        "Album: one Album, by AlbumId", "Genre: one Genre, by GenreId",
        "MediaType: one MediaType, by MediaTypeId",
        "InvoiceLine: many InvoiceLine, by InvoiceLine.TrackId",
        "Playlist: many Playlist, linked by PlaylistTrack.TrackId",
      ])
    XCTAssertEqual(
      try schema.relations("Employee"),
      [
        "ReportsTo: one Employee, by ReportsTo",
        "Customer: many Customer, by Customer.SupportRepId",
        "Employee: many Employee, by ReportsTo",
      ])
    XCTAssertEqual(try schema.table("PlaylistTrack").key.jsonNames, ["PlaylistId", "TrackId"])
  }

  func testNamesOfChinookAreFoundInEverySpelling() throws {
    let schema = try schema("\(Chinook.tables)")
    for name in ["AlbumId", "albumId", "albumID", "album_id", "AlbumID"] {
      XCTAssertEqual(try schema.meaning(name, in: "Track"), "Track.AlbumId", name)
    }
    for name in ["Album", "album"] {
      XCTAssertEqual(try schema.meaning(name, in: "track"), "→ Album", name)
    }
    for name in ["invoice_line", "invoiceLine", "InvoiceLine"] {
      XCTAssertEqual(try schema.meaning(name, in: "Track"), "→ InvoiceLine", name)
    }
    for name in ["playlist_ids", "playlistIds", "playlistIDs"] {
      XCTAssertEqual(try schema.meaning(name, in: "Track"), "→ Playlist*", name)
    }
    XCTAssertEqual(
      try schema.meaning("ReportsTo", in: "Employee"), "Employee.ReportsTo → ReportsTo")
    XCTAssertEqual(
      try schema.meaning("reports_to", in: "Employee"), "Employee.ReportsTo → ReportsTo")
    XCTAssertEqual(try schema.meaning("reports_to_id", in: "Employee"), "Employee.ReportsTo")
    XCTAssertNil(try schema.meaning("tracks", in: "Album"))
  }

  func testNorthwindIsUnderstoodWithoutAWord() throws {
    let schema = try schema("\(Northwind.tables)")
    XCTAssertEqual(schema.warnings, [])
    XCTAssertNil(schema.place(of: "Current Product List"))
    XCTAssertEqual(
      try schema.relations("Orders"),
      [
        "Customer: one Customers, by CustomerID", "Employee: one Employees, by EmployeeID",
        "ShipVia: one Shippers, by ShipVia",
        "Order Details: many Order Details, by Order Details.OrderID, keys count beside the parent's",
      ])
    XCTAssertEqual(
      try schema.relations("Customers"),
      [
        "Orders: many Orders, by Orders.CustomerID",
        "CustomerDemographics: many CustomerDemographics, linked by CustomerCustomerDemo.CustomerID",
      ])
    XCTAssertEqual(try schema.table("Customers").key.jsonNames, ["CustomerID"])
    XCTAssertFalse(try schema.table("Customers").key.isRowNumber)
    XCTAssertTrue(try schema.table("Orders").key.isRowNumber)
    XCTAssertEqual(try schema.meaning("customer_id", in: "Orders"), "Orders.CustomerID")
    XCTAssertEqual(try schema.meaning("orderIds", in: "Customers"), "→ Orders*")
    XCTAssertEqual(try schema.meaning("Order Details", in: "Orders"), "→ Order Details")
  }
}
