@testable import RecordSync
import TestSupport
import XCTest

/// A graph in which artists have several albums and tracks, and these several artists: albums, as
/// Spotify's Web API has them.
final class AlbumGraphTests: ServiceTestCase {
  private static let tables = """
    CREATE TABLE artists (id TEXT PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE albums (
      id TEXT PRIMARY KEY, name TEXT, album_type TEXT, release_date TEXT, label TEXT,
      popularity INTEGER, upc TEXT, images JSON, page TEXT);
    CREATE TABLE tracks (
      id TEXT PRIMARY KEY, name TEXT, disc_number INTEGER, track_number INTEGER,
      duration_ms INTEGER, explicit BOOLEAN,
      album_id TEXT NOT NULL REFERENCES albums (id) ON DELETE CASCADE);
    CREATE TABLE album_artists (
      album_id TEXT REFERENCES albums (id) ON DELETE CASCADE, artist_id TEXT REFERENCES artists (id),
      position INTEGER, PRIMARY KEY (album_id, artist_id)) WITHOUT ROWID;
    CREATE TABLE track_artists (
      track_id TEXT REFERENCES tracks (id) ON DELETE CASCADE, artist_id TEXT REFERENCES artists (id),
      position INTEGER, PRIMARY KEY (track_id, artist_id)) WITHOUT ROWID
    """

  private static let names = """
    {"tables": {"albums": {
      "columns": {"upc": {"name": "external_ids.upc"}, "page": {"name": "external_urls.spotify"}},
      "relations": {"tracks": {"name": "tracks.items"}}}}}
    """

  private static func artist(_ id: String, _ name: String) -> String {
    #"""
    {"external_urls": {"spotify": "https://example.org/artist/\#(id)"}, "id": "\#(id)",
     "href": "https://example.org/v1/artists/\#(id)", "name": "\#(name)", "type": "artist",
     "uri": "spotify:artist:\#(id)"}
    """#
  }

  private static func track(_ number: Int, _ id: String, _ artists: [String]) -> String {
    #"""
    {"artists": [\#(artists.joined(separator: ", "))], "available_markets": ["AR", "AU"],
     "disc_number": 1, "duration_ms": \#(200_000 + number), "explicit": false, "id": "\#(id)",
     "is_local": false, "name": "Track \#(id)", "preview_url": null, "track_number": \#(number),
     "type": "track", "uri": "spotify:track:\#(id)"}
    """#
  }

  private static let ann = artist("0TnOYISbd1XYRBk9myaseg", "Ann")
  private static let ben = artist("4tZwfgrHOc3mvqYlEYSvVi", "Ben & Co.")
  private static let guest = artist("6XyY86QOPPrYVGvF9ch6wz", "Guest")

  private static let payload = #"""
    {"albums": [
      {"album_type": "single", "total_tracks": 2, "available_markets": ["CA", "BR"],
       "external_urls": {"spotify": "https://example.org/album/2up3OPMp9Tb4dAKM2erWXQ"},
       "href": "https://example.org/v1/albums/2up3OPMp9Tb4dAKM2erWXQ", "id": "2up3OPMp9Tb4dAKM2erWXQ",
       "images": [{"url": "https://example.org/1", "height": 300, "width": 300}], "name": "Both",
       "release_date": "1981-12", "release_date_precision": "month", "type": "album",
       "uri": "spotify:album:2up3OPMp9Tb4dAKM2erWXQ", "artists": [\#(ben), \#(ann)],
       "tracks": {"href": "https://example.org/t", "limit": 50, "next": null, "offset": 0,
         "previous": null, "total": 2,
         "items": [\#(track(1, "one", [ben, ann])), \#(track(2, "two", [ann, guest]))]},
       "copyrights": [{"text": "2026", "type": "C"}], "external_ids": {"upc": "00602557"},
       "genres": [], "label": "Ours", "popularity": 50},
      {"album_type": "album", "total_tracks": 1, "id": "382ObEPsp2rxGrnsizN5TX", "images": [],
       "external_urls": {"spotify": "https://example.org/album/382ObEPsp2rxGrnsizN5TX"},
       "name": "Alone", "release_date": "2026", "release_date_precision": "year", "type": "album",
       "artists": [\#(ann)], "tracks": {"total": 1, "items": [\#(track(1, "three", [ann]))]},
       "external_ids": {}, "genres": [], "label": "Ours", "popularity": 0}]}
    """#

  private func sync(_ database: TestDatabase, _ json: String) async throws -> RecordReport {
    try await database.sync(json, "albums", items: "albums", overrides: overrides(Self.names))
  }

  func testAlbumsBecomeEqualAndStaySo() async throws {
    let database = try TestDatabase(Self.tables)
    try await assertEqual(sync(database, Self.payload).tables["artists"]?.inserted.count, 3)
    // An object says what it is by its type, too; what kind of album it is says another member.
    XCTAssertEqual(
      try database.rows("SELECT name, album_type, upc, popularity, page FROM albums ORDER BY id"),
      [
        "Both|single|00602557|50|https://example.org/album/2up3OPMp9Tb4dAKM2erWXQ",
        "Alone|album|NULL|0|https://example.org/album/382ObEPsp2rxGrnsizN5TX",
      ])
    XCTAssertEqual(
      try database.rows("SELECT images FROM albums ORDER BY id"),
      [#"[{"url":"https://example.org/1","height":300,"width":300}]"#, "[]"])
    XCTAssertEqual(
      try database.rows("SELECT id, track_number, duration_ms, explicit FROM tracks ORDER BY id"),
      ["one|1|200001|0", "three|1|200001|0", "two|2|200002|0"])
    XCTAssertEqual(try artists(of: "album", database), ["Alone: Ann", "Both: Ben & Co., Ann"])
    XCTAssertEqual(
      try artists(of: "track", database),
      ["Track one: Ben & Co., Ann", "Track three: Ann", "Track two: Ann, Guest"])
    assertUnchanged(try await sync(database, Self.payload))
  }

  func testExactlyWhatHasChangedThereIsChanged() async throws {
    let database = try TestDatabase(Self.tables)
    _ = try await sync(database, Self.payload)
    let (one, two) = (
      Self.track(1, "one", [Self.ben, Self.ann]), Self.track(2, "two", [Self.ann, Self.guest])
    )
    let json = changed(
      Self.payload,
      (
        #""artists": [\#(Self.ben), \#(Self.ann)],\#n   "tracks""#,
        #""artists": [\#(Self.ann), \#(Self.ben)],\#n   "tracks""#
      ),
      (
        "[\(one), \(two)]",
        "[\(Self.track(1, "zero", [Self.ben])), \(Self.track(2, "two", [Self.ann]))]"
      ),
      (#""popularity": 0"#, #""popularity": 61"#))
    let report = try await sync(database, json)
    XCTAssertEqual(report.tables["albums"]?.changes, [#""382ObEPsp2rxGrnsizN5TX": popularity"#])
    XCTAssertEqual(report.tables["tracks"]?.inserted.map(\.description), [#""zero""#])
    XCTAssertEqual(report.tables["tracks"]?.deleted.map(\.description), [#""one""#])
    XCTAssertEqual(report.tables["tracks"]?.changes, [])
    // Two of them went with their track.
    XCTAssertEqual(report.tables["track_artists"]?.unlinked, 3)
    XCTAssertEqual(report.tables["artists"]?.hasChanges ?? false, false)
    XCTAssertEqual(try artists(of: "album", database), ["Alone: Ann", "Both: Ann, Ben & Co."])
    XCTAssertEqual(
      try artists(of: "track", database),
      ["Track three: Ann", "Track two: Ann", "Track zero: Ben & Co."])
    XCTAssertEqual(try database.table("artists").count, 3)
    assertUnchanged(try await sync(database, json))
  }

  private func artists(of kind: String, _ database: TestDatabase) throws -> [String] {
    try database.rows(
      """
      SELECT name || ': ' || (SELECT group_concat(artist, ', ') FROM (
        SELECT artists.name AS artist FROM \(kind)_artists JOIN artists ON artists.id = artist_id
        WHERE \(kind)_id = \(kind)s.id ORDER BY position)) FROM \(kind)s ORDER BY name
      """)
  }
}
