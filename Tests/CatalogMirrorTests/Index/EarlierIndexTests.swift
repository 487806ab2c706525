import Foundation
import OneWaySynchronizer
import SyncDatabase
import SyncEngine
import SyncFiles
import SyncText
import TestSupport
import XCTest

@testable import CatalogMirror

/// A file that an earlier release made opens as it is, and nothing in it is lost. Its schema stands
/// here as that release had it, letter by letter.
final class EarlierIndexTests: XCTestCase {
  func testAnIndexOfTheThirdMigrationIsReadWhole() async throws {
    let path = try temporaryIndexPath()
    try makeEarlierIndex(path)
    let before = try Data(contentsOf: URL(filePath: path))
    // What lacks a migration can't be read without it.
    let error = await thrown(
      DatabaseError.self, by: await (try MirrorIndex.open(path: path, access: .readOnly)).close())
    XCTAssertEqual(error?.code, .readOnly)
    XCTAssertEqual(try Data(contentsOf: URL(filePath: path)), before, "a refusal changes nothing")
    for access in [ConnectionOptions.Access.create, .readOnly] {
      let index = try await MirrorIndex.open(path: path, access: access)
      try await assertWhole(index)
      await index.close()
    }
  }

  func testAnIndexOfTheThirdMigrationIsWrittenOn() async throws {
    let path = try temporaryIndexPath()
    try makeEarlierIndex(path)
    let index = try await MirrorIndex.open(path: path)
    var run = RunRecord(
      startedNanoseconds: 3, endedNanoseconds: 4, ending: .succeeded, catalog: "https://c/")
    run.counts.listed = 1
    try await index.write { [run] writer in
      try writer.recordRun(run)
      try writer.record([.contentLost(CatalogKey("a"))])
      try writer.setValue("2", for: .highestRevision)
    }
    try await index.read { reader in
      XCTAssertEqual(try reader.recentRuns(limit: 9).map(\.ending), [.succeeded, .someFailed])
      XCTAssertNil(try reader.item(CatalogKey("a"))?.content)
      XCTAssertEqual(try reader.value(.highestRevision), "2")
      try reader.connection.checkIntegrity()
    }
    await index.close()
  }

  private func assertWhole(_ index: MirrorIndex) async throws {
    let digest = try XCTUnwrap(SHA256Digest(bytes: Array(repeating: 7, count: 32)))
    var entry = CatalogEntry(
      key: CatalogKey("a"), locators: ["https://c/a", "https://d/a"], version: .strongETag("1"))
    entry.size = 10
    entry.estimatedSize = 11
    entry.sha256 = digest
    entry.modified = 1.5
    entry.order = 3
    entry.title = "A"
    entry.preview = CatalogEntry.Preview(locator: "https://c/p", version: .weakETag("2"))
    entry.extra = "{}"
    var item = IndexedItem(entry: entry)
    item.content = IndexedContent(
      version: .strongETag("1"), size: 10, modifiedNanoseconds: 20, inode: 30, sha256: digest,
      etag: "e", lastModified: "l")
    item.preview = IndexedPreview(
      version: .weakETag("2"), name: "p.jpg", size: 5, modifiedNanoseconds: 6, sha256: digest)
    item.state = .removing(to: "q")
    let expected = item
    try await index.read { reader in
      XCTAssertEqual(try reader.item(CatalogKey("a")), expected)
      XCTAssertEqual(try reader.unfinishedRemovals(), [expected])
      XCTAssertEqual(try reader.expectedFiles(after: nil, atMost: 9).map(\.lacksContent), [false])
      XCTAssertEqual(try reader.unfinishedPlacements().map(\.locator), ["https://c/b"])
      XCTAssertEqual(try reader.quarantined().map(\.name), ["q0"])
      XCTAssertEqual(try reader.value(.folderID), "id")
      XCTAssertEqual(
        try reader.failures(), [FailedItem(key: CatalogKey(bytes: [0xff]), sentence: "no")])
      let run = try XCTUnwrap(try reader.recentRuns(limit: 1).first)
      XCTAssertEqual([run.startedNanoseconds, run.endedNanoseconds, run.bytes], [1, 2, 9])
      XCTAssertEqual(run.ending, .someFailed)
      XCTAssertEqual([run.counts.listed, run.counts.failed], [3, 8])
      XCTAssertEqual([run.catalog, run.error], ["https://c/", "it"])
      let validators = try XCTUnwrap(try reader.validators(fingerprint: "f"))
      XCTAssertEqual(validators.revision, "r")
      XCTAssertEqual(validators.pages.map(\.etag), ["t"])
      XCTAssertEqual(validators.pages.map(\.url), ["https://c/"])
    }
  }

  private func makeEarlierIndex(_ path: String) throws {
    let connection = try Connection(path: path)
    try connection.execute(Self.schema)
    try connection.execute(Self.rows)
    let page = PageRecord(
      url: "https://c/", page: CatalogPage(format: .catalog, claim: .whole),
      digest: try XCTUnwrap(SHA256Digest(bytes: Array(repeating: 7, count: 32))))
    try connection.run(
      "INSERT INTO pages (position, url, etag, record) VALUES (0, 'https://c/', 't', ?1)",
      String(decoding: try JSONEncoder().encode(page), as: UTF8.self))
  }

  private static let rows: StaticString = """
    INSERT INTO items (key, version, size, estimated_size, sha256, modified, download_order,
      locator, other_locators, title, preview_locator, preview_version, extra, content_version,
      content_size, content_modified, content_inode, content_sha256, held_preview_version,
      held_preview_name, held_preview_size, held_preview_modified, removing_to, content_etag,
      content_last_modified, held_preview_sha256)
    SELECT CAST('a' AS BLOB), CAST('s1' AS BLOB), 10, 11, digest, 1.5, 3, 'https://c/a',
      '["https://d/a"]', 'A', 'https://c/p', CAST('w2' AS BLOB), '{}', CAST('s1' AS BLOB), 10, 20,
      30, digest, CAST('w2' AS BLOB), 'p.jpg', 5, 6, 'q', 'e', 'l', digest
    FROM (
      SELECT x'0707070707070707070707070707070707070707070707070707070707070707' AS digest);
    INSERT INTO quarantine VALUES ('q0', CAST('z' AS BLOB), 4, 5);
    INSERT INTO placing (key, locator, version, size, modified, inode)
      VALUES (CAST('b' AS BLOB), 'https://c/b', CAST('u' AS BLOB), 1, 2, 3);
    INSERT INTO listing (one, fingerprint, revision, item_count) VALUES (1, 'f', 'r', 1);
    INSERT INTO meta (name, value) VALUES ('folder.id', 'id');
    INSERT INTO failures (key, sentence) VALUES (x'ff', 'no');
    INSERT INTO runs VALUES (1, 1, 2, 'someFailed', 3, 4, 5, 6, 7, 8, 9, 'https://c/', 'it');
    """
}

extension EarlierIndexTests {
  fileprivate static let schema: StaticString = """
    CREATE TABLE IF NOT EXISTS migrations (
      position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
    ) STRICT;
    INSERT INTO migrations (name) VALUES ('1 items, removal, validators, failures, runs'),
      ('2 placements'), ('3 items that lack something, and the lines of all');
    CREATE TABLE items (
      key BLOB NOT NULL PRIMARY KEY,
      -- What the catalog said. The first locator is a column, further ones are a JSON array.
      version BLOB NOT NULL,
      size INTEGER,
      estimated_size INTEGER,
      sha256 BLOB,
      modified REAL,
      download_order INTEGER NOT NULL,
      locator TEXT,
      other_locators TEXT,
      title TEXT,
      preview_locator TEXT,
      preview_version BLOB,
      preview_size INTEGER,
      preview_sha256 BLOB,
      extra TEXT,
      -- What is held; all NULL when nothing is.
      content_version BLOB,
      content_size INTEGER,
      content_modified INTEGER,
      content_inode INTEGER,
      content_sha256 BLOB,
      held_preview_version BLOB,
      held_preview_name TEXT,
      held_preview_size INTEGER,
      held_preview_modified INTEGER,
      -- The name in quarantine that a removal in progress moves the content to.
      removing_to TEXT,
      -- The validators that came with the content.
      content_etag TEXT,
      content_last_modified TEXT,
      held_preview_sha256 BLOB,
      checksum INTEGER NOT NULL AS (row_checksum(
        key, version, size, estimated_size, sha256, modified, download_order, locator,
        other_locators, title, preview_locator, preview_version, preview_size, preview_sha256,
        extra, content_version, content_size, content_modified, content_inode, content_sha256,
        held_preview_version, held_preview_name, held_preview_size, held_preview_modified,
        removing_to, content_etag, content_last_modified, held_preview_sha256)) STORED
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX items_removing ON items (removing_to) WHERE removing_to IS NOT NULL;
    CREATE TABLE quarantine (
      name TEXT NOT NULL PRIMARY KEY,
      key BLOB NOT NULL,
      size INTEGER NOT NULL,
      removed_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE listing (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      fingerprint TEXT NOT NULL,
      revision TEXT,
      item_count INTEGER NOT NULL,
      checksum INTEGER NOT NULL AS (row_checksum(
        one, fingerprint, revision, item_count)) STORED
    ) STRICT;
    CREATE TABLE pages (
      position INTEGER PRIMARY KEY,
      url TEXT NOT NULL,
      etag TEXT,
      last_modified TEXT,
      record TEXT NOT NULL,
      checksum INTEGER NOT NULL AS (row_checksum(
        position, url, etag, last_modified, record)) STORED
    ) STRICT;
    CREATE TABLE meta (
      name TEXT NOT NULL PRIMARY KEY,
      value TEXT NOT NULL,
      checksum INTEGER NOT NULL AS (row_checksum(name, value)) STORED
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE failures (
      position INTEGER PRIMARY KEY,
      key BLOB NOT NULL UNIQUE,
      sentence TEXT NOT NULL
    ) STRICT;
    CREATE TABLE runs (
      id INTEGER PRIMARY KEY,
      started INTEGER NOT NULL,
      ended INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      listed INTEGER NOT NULL,
      removed INTEGER NOT NULL,
      updated INTEGER NOT NULL,
      downloaded INTEGER NOT NULL,
      skipped INTEGER NOT NULL,
      failed INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      catalog TEXT NOT NULL,
      error TEXT
    ) STRICT;
    -- Files that are about to be renamed into place, as they will be held.
    CREATE TABLE placing (
      key BLOB NOT NULL PRIMARY KEY,
      locator TEXT,
      version BLOB NOT NULL,
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      sha256 BLOB,
      etag TEXT,
      last_modified TEXT,
      checksum INTEGER NOT NULL AS (row_checksum(
        key, locator, version, size, modified, inode, sha256, etag, last_modified)) STORED
    ) STRICT, WITHOUT ROWID;
    -- What has to be fetched, or asked about, though the listing hasn't changed: found without
    -- reading every row. A version of one letter is the unknown one; a preview without a version
    -- goes by its URL. One that is held and not listed is to be let go of.
    ALTER TABLE items ADD COLUMN lacks_content INTEGER NOT NULL AS (
      content_version IS NOT version OR version = x'75') VIRTUAL;
    ALTER TABLE items ADD COLUMN lacks_preview INTEGER NOT NULL AS (
      held_preview_version IS NOT
        CASE preview_version WHEN x'75' THEN CAST('rurl ' || preview_locator AS BLOB)
          ELSE preview_version END) VIRTUAL;
    -- What the line of the catalog that the entry was read from is known by.
    ALTER TABLE items ADD COLUMN line BLOB;
    CREATE INDEX items_lacking_content ON items (key) WHERE lacks_content;
    CREATE INDEX items_lacking_preview ON items (key) WHERE lacks_preview;
    """
}
