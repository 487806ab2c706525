import XCTest
@testable import RecordSync

final class GrammaticalNumberTests: XCTestCase {
  private let spelling = Spelling()

  /// What stands behind the first is how columns were named by the ending alone.
  func testSingularsBeginWithTheEnglishOne() {
    let singulars = [
      "users": ["user"], "companies": ["company", "companie"], "movies": ["movie", "movy"],
      "addresses": ["address", "addresse"], "boxes": ["box", "boxe"],
      "churches": ["church", "churche"], "caches": ["cache", "cach"],
      "wishes": ["wish", "wishe"], "quizzes": ["quiz", "quizz", "quizze"],
      "houses": ["house", "hous"], "statuses": ["status", "statuse"],
      "heroes": ["hero", "heroe"], "shoes": ["shoe", "sho"], "sizes": ["size", "siz"],
      "causes": ["cause", "caus"], "viruses": ["virus", "viruse"], "data": ["datum"],
      "analyses": ["analysis", "analyse", "analys"], "indices": ["index", "indice"],
      "class": [], "people": ["person"], "user_tags": ["user_tag"], "children": ["child"],
      "OrderItems": ["OrderItem"], "SalesPeople": ["SalesPerson"], "PEOPLE": ["PERSON"],
      "Categories": ["Category", "Categorie"], "COMPANIES": ["COMPANY", "COMPANIE"],
      "BOXES": ["BOX", "BOXE"], "s": [], "ss": [], "ies": ["ie"], "xes": ["xe", "x"],
      "Größen": [], "Kürbisses": ["Kürbiss", "Kürbisse"], "": [], "user_status2": [],
    ]
    for (table, names) in singulars {
      XCTAssertEqual(spelling.singulars(of: table), names + [table])
    }
  }

  func testATableThatIsNamedAfterOneRowKeepsItsName() {
    for (table, other) in [
      "news": "new", "status": "statu", "series": "sery", "analysis": "analysi", "bonus": "bonu",
      "lens": "len", "order_status": "order_statu", "metadata": nil, "closed_by": nil,
    ] {
      XCTAssertEqual(spelling.singulars(of: table).first, table)
      if let other { XCTAssertTrue(spelling.singulars(of: table).contains(other), table) }
    }
  }

  func testAPluralIsMadeOfAName() {
    let plurals = [
      "user": "users", "company": "companies", "address": "addresses", "box": "boxes",
      "church": "churches", "wish": "wishes", "quiz": "quizzes", "house": "houses",
      "status": "statuses", "movie": "movies", "person": "people", "child": "children",
      "datum": "data", "data": "data", "analysis": "analyses", "basis": "bases",
      "day": "days", "key": "keys", "toy": "toys", "hero": "heroes", "photo": "photos",
      "settings": "settings", "cameras": "cameras", "people": "people", "series": "series",
      "closed_by": "closed_by", "assigned_to": "assigned_to", "alias": "aliases",
      "users": "users", "lineItem": "lineItems", "user_tag": "user_tags", "COMPANY": "COMPANIES",
      "salesPerson": "salesPeople", "PERSON": "PEOPLE", "emoji": "emojis", "menus": "menus",
      "USER": "USERS", "userID": "userIDs", "X": "XES", "": "", "日本": "日本s",
    ]
    for (name, plural) in plurals { XCTAssertEqual(spelling.plural(of: name), plural, name) }
  }

  func testAPluralStaysAndItsSingularComesBack() {
    for (singular, plural) in EnglishNouns.plurals {
      XCTAssertEqual(EnglishNoun.plural(of: plural), plural, singular)
      XCTAssertEqual(EnglishNoun.singular(of: singular), singular)
      if plural != "axes" { XCTAssertEqual(EnglishNoun.singular(of: plural), singular) }
    }
    for word in EnglishNouns.unchanged {
      XCTAssertEqual(EnglishNoun.plural(of: word), word)
      XCTAssertEqual(EnglishNoun.singular(of: word), word)
    }
  }

  func testANameIsASingularOfItsPlural() {
    let names = [
      "user", "company", "address", "box", "church", "wish", "house", "status", "day", "movie",
      "hero", "lineItem", "USER", "COMPANY", "news", "tax", "buzz", "person", "analysis", "size",
      "response", "virus", "database", "exercise", "course", "branch", "leaf", "gas", "bus",
    ]
    for name in names {
      XCTAssertEqual(spelling.singulars(of: spelling.plural(of: name)).first, name)
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
