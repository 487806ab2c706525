@testable import RecordSync
import XCTest

/// Databases as frameworks make them.
final class FrameworkSchemaTests: SchemaTestCase {
  func testOneThatDjangoMade() throws {
    let schema = try schema(
      """
      CREATE TABLE "blog_author" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
        "name" varchar(100) NOT NULL, "joined" datetime NOT NULL, "active" bool NOT NULL);
      CREATE TABLE "blog_post" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
        "uuid" char(32) NOT NULL UNIQUE, "extra" text NOT NULL CHECK ((JSON_VALID("extra")
        OR "extra" IS NULL)), "price" decimal NOT NULL,
        "author_id" bigint NOT NULL REFERENCES "blog_author" ("id") DEFERRABLE INITIALLY DEFERRED);
      CREATE TABLE "blog_tag" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(9));
      CREATE TABLE "blog_post_tags" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
        "post_id" bigint NOT NULL REFERENCES "blog_post" ("id") DEFERRABLE INITIALLY DEFERRED,
        "tag_id" bigint NOT NULL REFERENCES "blog_tag" ("id") DEFERRABLE INITIALLY DEFERRED);
      CREATE TABLE "blog_editor" ("author_ptr_id" bigint NOT NULL PRIMARY KEY
        REFERENCES "blog_author" ("id") DEFERRABLE INITIALLY DEFERRED, "rank" integer NOT NULL);
      CREATE UNIQUE INDEX "u" ON "blog_post_tags" ("post_id", "tag_id");
      CREATE INDEX "i" ON "blog_post" ("author_id");
      """)
    XCTAssertEqual(schema.warnings, [])
    XCTAssertEqual(
      try schema.relations("blog_post"),
      [
        "author: one blog_author, by author_id",
        "blog_tag: many blog_tag, linked by blog_post_tags.post_id",
      ])
    XCTAssertEqual(
      try schema.relations("blog_author"), ["blog_post: many blog_post, by blog_post.author_id"])
    XCTAssertEqual(
      try schema.lines("blog_editor").first, "blog_editor: key author_ptr_id; extends blog_author")
    XCTAssertEqual(try schema.meaning("joined", in: "blog_editor"), "blog_author.joined")
    let author = try schema.table("blog_author")
    XCTAssertEqual(author.columns.map(\.type.kind), [.integer, .text, .date(.text), .boolean])
  }

  func testOneThatActiveRecordMade() throws {
    let schema = try schema(
      """
      CREATE TABLE "schema_migrations" ("version" varchar NOT NULL PRIMARY KEY);
      CREATE TABLE "authors" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "name" varchar,
        "type" varchar, "created_at" datetime(6) NOT NULL, "updated_at" datetime(6) NOT NULL);
      CREATE TABLE "books" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "title" varchar,
        "author_id" integer NOT NULL, "position" integer, "published" boolean DEFAULT 0,
        CONSTRAINT "fk_rails_53d51ce16a" FOREIGN KEY ("author_id") REFERENCES "authors" ("id"));
      CREATE TABLE "genres" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL);
      CREATE TABLE "books_genres" ("book_id" integer NOT NULL, "genre_id" integer NOT NULL,
        CONSTRAINT "a" FOREIGN KEY ("book_id") REFERENCES "books" ("id"),
        CONSTRAINT "b" FOREIGN KEY ("genre_id") REFERENCES "genres" ("id"));
      CREATE UNIQUE INDEX "both" ON "books_genres" ("book_id", "genre_id");
      CREATE TABLE "accounts" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
        "author_id" integer NOT NULL, FOREIGN KEY ("author_id") REFERENCES "authors" ("id"));
      CREATE UNIQUE INDEX "one" ON "accounts" ("author_id");
      """)
    XCTAssertEqual(schema.warnings, [])
    XCTAssertEqual(
      try schema.relations("authors"),
      [
        "account: one accounts, by accounts.author_id",
        "books: many books, by books.author_id, ordered by books.position",
      ])
    XCTAssertEqual(
      try schema.relations("books"),
      ["author: one authors, by author_id", "genres: many genres, linked by books_genres.book_id"])
    for name in ["createdAt", "created_at"] {
      XCTAssertEqual(try schema.meaning(name, in: "authors"), "authors.created_at")
    }
    XCTAssertEqual(try schema.meaning("type", in: "authors"), "authors.type")
    XCTAssertEqual(try schema.meaning("genre_ids", in: "books"), "→ genres*")
  }

  func testOneThatGRDBMade() throws {
    let schema = try schema(
      """
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      CREATE TABLE "team" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL,
        "imageURL" TEXT);
      CREATE TABLE "player" ("id" TEXT PRIMARY KEY NOT NULL, "fullName" TEXT NOT NULL,
        "teamId" INTEGER NOT NULL REFERENCES "team" ("id") ON DELETE CASCADE,
        "createdAt" DATETIME NOT NULL);
      CREATE VIRTUAL TABLE "player_ft" USING fts5(fullName, content='player');
      CREATE TRIGGER "__player_ft_ai" AFTER INSERT ON "player" BEGIN
        INSERT INTO "player_ft"("rowid", "fullName") VALUES (new."rowid", new."fullName");
      END;
      """)
    XCTAssertEqual(schema.warnings, [])
    XCTAssertEqual(schema.tables.map(\.name), ["grdb_migrations", "player", "team"])
    XCTAssertEqual(try schema.relations("player"), ["team: one team, by teamId"])
    for name in ["team_id", "teamId", "teamID"] {
      XCTAssertEqual(try schema.meaning(name, in: "player"), "player.teamId")
    }
    XCTAssertEqual(try schema.meaning("full_name", in: "player"), "player.fullName")
    XCTAssertEqual(try schema.meaning("image_url", in: "team"), "team.imageURL")
    XCTAssertEqual(try schema.meaning("imageUrl", in: "team"), "team.imageURL")
    XCTAssertEqual(try schema.meaning("player_ids", in: "team"), "→ player*")
  }
}
