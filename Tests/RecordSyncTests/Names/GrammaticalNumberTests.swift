import XCTest
@testable import RecordSync

final class GrammaticalNumberTests: XCTestCase {
  private let spelling = Spelling()

  func testASingularIsFoundByTheEnding() {
    let singulars = [
      "users": ["user"], "companies": ["company", "companie"], "movies": ["movy", "movie"],
      "addresses": ["address", "addresse"], "boxes": ["box", "boxe"],
      "churches": ["church", "churche"],
      "wishes": ["wish", "wishe"], "quizzes": ["quizz", "quizze"], "houses": ["house", "hous"],
      "statuses": ["statuse", "status"], "heroes": ["heroe", "hero"], "class": [], "news": ["new"],
      "people": [], "user_tags": ["user_tag"], "OrderItems": ["OrderItem"],
      "Categories": ["Category", "Categorie"], "COMPANIES": ["COMPANY", "COMPANIE"],
      "BOXES": ["BOX", "BOXE"], "s": [], "ss": [], "ies": ["ie"], "xes": ["x", "xe"],
      "Größen": [], "Kürbisses": ["Kürbiss", "Kürbisse"], "": [],
    ]
    for (table, names) in singulars {
      XCTAssertEqual(spelling.singulars(of: table), names + [table])
    }
  }

  func testAPluralIsMadeOfAName() {
    let plurals = [
      "user": "users", "company": "companies", "address": "addresses", "box": "boxes",
      "church": "churches", "wish": "wishes", "quiz": "quizes", "house": "houses",
      "status": "statuses",
      "day": "days", "key": "keys", "toy": "toys", "hero": "heros", "settings": "settings",
      "users": "users", "lineItem": "lineItems", "user_tag": "user_tags", "COMPANY": "COMPANIES",
      "USER": "USERS", "userID": "userIDs", "X": "XES", "": "", "日本": "日本s",
    ]
    for (name, plural) in plurals { XCTAssertEqual(spelling.plural(of: name), plural, name) }
  }

  func testANameIsASingularOfItsPlural() {
    let names = [
      "user", "company", "address", "box", "church", "wish", "house", "status", "day", "movie",
      "hero", "lineItem", "USER", "COMPANY", "news", "tax", "buzz",
    ]
    for name in names {
      XCTAssertTrue(spelling.singulars(of: spelling.plural(of: name)).contains(name), name)
    }
  }

  func testAReservedWordMeansTheColumnWithTheTablesName() {
    XCTAssertEqual(spelling.columns(for: "type", in: "users"), ["user_type", "users_type"])
    XCTAssertEqual(
      spelling.columns(for: "description", in: "companies"),
      ["company_description", "companie_description", "companies_description"])
    XCTAssertEqual(spelling.columns(for: "signed", in: "OrderItems").first, "order_item_signed")
    XCTAssertEqual(spelling.columns(for: "name", in: "users"), [])
    XCTAssertEqual(spelling.reservedWord(of: "user_type", in: "users"), "type")
    XCTAssertEqual(spelling.reservedWord(of: "userType", in: "Users"), "type")
    XCTAssertEqual(spelling.reservedWord(of: "users_signed", in: "users"), "signed")
    XCTAssertNil(spelling.reservedWord(of: "company_type", in: "users"))
    XCTAssertNil(spelling.reservedWord(of: "type", in: "users"))
  }
}
