import TestSupport
import XCTest
@testable import RecordSync

final class SpellingTests: XCTestCase {
  private let spelling = Spelling()

  /// A name in camelCase, as it is written, and in snake_case.
  private let pairs = [
    ("driverIdentifier", "driver_identifier"), ("userID", "user_id"),
    ("userIDFirst", "user_id_first"), ("integer16", "integer16"), ("iURL", "i_url"),
    ("updatedUUID", "updated_uuid"), ("plannedToIDs", "planned_to_ids"), ("id", "id"),
    ("uuid", "uuid"), ("ids", "ids"), ("urlPath", "url_path"), ("tagIDs", "tag_ids"),
    ("imageURL", "image_url"), ("sourceURI", "source_uri"), ("contractPDF", "contract_pdf"),
    ("iconPNG", "icon_png"), ("photoJPG", "photo_jpg"), ("rawJSON", "raw_json"),
    ("rawXML", "raw_xml"), ("createdAt", "created_at"), ("user2Name", "user2_name"),
    ("userId2", "user_id2"), ("userIDURL", "user_id_url"), ("pdfURLs", "pdf_urls"),
    ("_id", "_id"), ("_userID", "_user_id"), ("name_", "name_"), ("address_1", "address_1"),
    ("address_1B", "address_1_b"), ("a__b", "a__b"), ("planBDate", "plan_b_date"),
    ("x", "x"), ("xY", "x_y"), ("md5Hash", "md5_hash"), ("eBookID", "e_book_id"),
  ]

  func testBothSpellingsOfANameAreOne() {
    for (camel, snake) in pairs {
      XCTAssertEqual(spelling.snake(camel), snake)
      XCTAssertEqual(spelling.snake(snake), snake)
      XCTAssertEqual(spelling.camel(snake), camel)
      XCTAssertEqual(spelling.camel(camel), camel)
    }
  }

  func testFurtherSpellingsAreRead() {
    let further = [
      ("OrderedUser", "ordered_user"), ("userId", "user_id"), ("tagIds", "tag_ids"),
      ("imageUrl", "image_url"), ("ImageId", "image_id"), ("nfCode", "nf_code"), ("xid", "xid"),
      ("USER_ID", "user_id"), ("User_Id", "user_id"), ("user_ID", "user_id"), ("ID", "id"),
      ("IDs", "ids"), ("IDS", "ids"), ("UUIDs", "uuids"), ("CustomerID", "customer_id"),
      ("IDENTIFIER", "identifier"), ("IDEntity", "id_entity"), ("URLSession", "url_session"),
      ("HTMLParser", "html_parser"), ("parseHTML", "parse_html"),
      ("XMLHttpRequest", "xml_http_request"),
      ("PDFURLs", "pdf_urls"), ("userIDs2", "user_ids2"), ("userID2", "user_id2"),
      ("userIDsURLs", "user_ids_urls"),
      ("A", "a"), ("As", "as"), ("aB", "a_b"), ("AB", "ab"), ("ABc", "a_bc"), ("_Id", "_id"),
      ("_ID", "_id"), ("a_B", "a_b"), ("a_", "a_"), ("A_", "a_"), ("__A", "__a"),
      ("MD5Hash", "md5_hash"), ("x1Y2", "x1_y2"), ("idsIn", "ids_in"),
      ("IDsomething", "i_dsomething"),
    ]
    for (name, snake) in further { XCTAssertEqual(spelling.snake(name), snake, name) }
  }

  func testOddNamesMatchNothingButThemselves() {
    let odd = [
      "", " ", "User ID", "user-Id", "user.Id", "Größe", "GrößeID", "日本", "a\u{0}B", "A'b", "😀Id",
      "e\u{301}Id", "$Ref", "@Id",
    ]
    for name in odd {
      XCTAssertEqual(spelling.snake(name), name)
      XCTAssertEqual(spelling.camel(name), name)
    }
    let broken: [[UInt8]] = [[0xFF, 0x41], [0x41, 0xED, 0xA0, 0x80], [0xC3], [0x80, 0x42]]
    for name in broken { XCTAssertEqual(spelling.canonical(name), name) }
  }

  func testACamelNameIsOnlyWrittenIfItIsReadBack() {
    for name in ["a_b_c", "user_id_e", "vitamin_b_d_name", "x_i_ds"] {
      XCTAssertEqual(spelling.camel(name), name)
    }
  }

  func testAcronymsCanBeAdded() {
    let more = Spelling(acronyms: ["GPS", "vat", "id", "", "idn"])
    XCTAssertEqual(more.camel("last_gps_fix"), "lastGPSFix")
    XCTAssertEqual(more.camel("vat_rate"), "vatRate")
    XCTAssertEqual(more.camel("customer_vats"), "customerVATs")
    XCTAssertEqual(more.snake("GPSVAT"), "gps_vat")
    XCTAssertEqual(more.snake("theIDN"), "the_idn")
    XCTAssertEqual(spelling.camel("last_gps_fix"), "lastGpsFix")
    XCTAssertEqual(spelling.snake("GPSVAT"), "gpsvat")
    XCTAssertEqual(more.snake("lastGPSFix"), spelling.snake("lastGPSFix"))
  }

  func testEveryNameIsReadBackInBothSpellings() {
    var generator = SeededGenerator(seed: 16)
    let letters = Array("aabcdisudlrIDSURLPXBx_19__".utf8)
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...12, using: &generator)
      let name = (0..<count).compactMap { _ in letters.randomElement(using: &generator) }
      let text = String(decoding: name, as: UTF8.self)
      let snake = spelling.snake(text)
      XCTAssertEqual(spelling.snake(snake), snake, text)
      let camel = spelling.camel(text)
      XCTAssertEqual(spelling.snake(camel), snake, "\(text) as \(camel)")
      XCTAssertEqual(spelling.camel(camel), camel, text)
    }
  }

  func testAHundredThousandCapitalsAreOnlyAName() {
    let capitals = String(repeating: "ID", count: 50_000)
    XCTAssertEqual(spelling.snake(capitals).utf8.count, 149_999)
    XCTAssertEqual(spelling.snake(capitals + "X").utf8.count, 100_001)
  }
}
