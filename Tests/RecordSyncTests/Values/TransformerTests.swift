import SyncDatabase
import SyncText
import XCTest
@testable import RecordSync

final class TransformerTests: XCTestCase {
  private func stored(
    _ json: String, _ transformer: Transformer?, _ declared: String = "TEXT"
  ) throws -> Conversion {
    let (tape, node) = try JSONTape.of(json)
    return ColumnType(declared).stored(node, in: tape, through: transformer)
  }

  private func exported(
    _ value: StoredValue?, _ transformer: Transformer?, _ declared: String = "TEXT"
  ) -> String {
    var output: [UInt8] = []
    ColumnType(declared).json(of: value, through: transformer, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  func testAClosureHasTheLastWordBothWays() throws {
    let cents = Transformer("cents") { price in
      price.real.map { .integer(Int64(($0 * 100).rounded())) }
    } exporting: { cents in
      cents.integer.map { .real(Double($0) / 100) }
    }
    XCTAssertEqual(try stored("12.5", cents, "INTEGER"), .kept(.integer(1_250)))
    XCTAssertEqual(try stored("12", cents, "INTEGER"), .kept(.integer(1_200)))
    XCTAssertEqual(try stored(#""12.5""#, cents, "INTEGER"), .mismatch)
    XCTAssertEqual(exported(.integer(1_250), cents, "INTEGER"), "12.5")
    XCTAssertEqual(exported(.text("odd"), cents, "INTEGER"), #""odd""#)
  }

  func testNullIsNotGivenToATransformer() throws {
    let constant = Transformer("constant") { _ in
      1
    } exporting: { _ in
      2
    }
    XCTAssertEqual(try stored("null", constant), .kept(nil))
    XCTAssertEqual(exported(nil, constant), "null")
    XCTAssertEqual(
      constant.stored(try JSONValue(Array("null".utf8), in: 0..<4, nesting: 1)), .some(nil))
    let clearing = Transformer("clearing") { _ in
      .null
    } exporting: { _ in
      .null
    }
    XCTAssertEqual(try stored("1", clearing), .kept(nil))
    XCTAssertEqual(exported(.integer(1), clearing), "null")
  }

  func testAnObjectCanBecomeATextAndBack() throws {
    let place = Transformer("place") { value in
      guard let latitude = value["lat"]?.real, let longitude = value["lng"]?.real else {
        return nil
      }
      return .text("\(latitude) \(longitude)")
    } exporting: { value in
      let parts = value.text?.split(separator: " ").compactMap { Double($0) } ?? []
      return parts.count == 2 ? ["lat": .real(parts[0]), "lng": .real(parts[1])] : nil
    }
    XCTAssertEqual(try stored(#"{"lng": 2.5, "lat": -1}"#, place), .kept(.text("-1.0 2.5")))
    XCTAssertEqual(try stored(#"{"lat": 1}"#, place), .mismatch)
    XCTAssertEqual(exported(.text("-1.0 2.5"), place), #"{"lat":-1.0,"lng":2.5}"#)
  }

  func testWhatAClosureGivesIsComparedAsTheColumnKeepsIt() throws {
    let digits = Transformer("digits", text: { $0 + "0" })
    XCTAssertEqual(try stored(#""12""#, digits, "INTEGER"), .kept(.integer(120)))
    XCTAssertEqual(try stored(#""12""#, digits, "REAL"), .kept(.real(120)))
    XCTAssertEqual(try stored(#""12""#, digits, "BLOB"), .kept(.text("120")))
    let any = Transformer(
      "any", storing: { _ in [true, nil, 1.5, "a", ["b": 2]] }, exporting: { $0 })
    XCTAssertEqual(try stored("1", any), .kept(.text(#"[true,null,1.5,"a",{"b":2}]"#)))
    let truth = Transformer("truth", storing: { _ in true }, exporting: { $0 })
    XCTAssertEqual(try stored("1", truth), .kept(.text("1")))
    let odd = Transformer(
      "odd", storing: { _ in .real(.nan) }, exporting: { _ in .real(.infinity) })
    XCTAssertEqual(try stored("1", odd), .kept(nil))
    XCTAssertEqual(exported(.integer(1), odd), "9e999")
    let bytes = Transformer("bytes", storing: { _ in .bytes([0xFF]) }, exporting: { $0 })
    XCTAssertEqual(try stored("1", bytes), .kept(.blob([0xFF])))
    XCTAssertEqual(exported(.blob([0xFF]), bytes), #""/w==""#)
  }

  func testATextTransformerLetsOtherValuesThrough() throws {
    let shouted = Transformer("shouted", text: { $0.uppercased() }, exporting: { $0.lowercased() })
    XCTAssertEqual(try stored(#""a""#, shouted), .kept(.text("A")))
    XCTAssertEqual(exported(.text("A"), shouted), #""a""#)
    XCTAssertEqual(
      try stored("9007199254740993", shouted, ""), .kept(.integer(9_007_199_254_740_993)))
    XCTAssertEqual(try stored("[1,2]", shouted), .kept(.text("[1,2]")))
    XCTAssertEqual(try stored("1e400", shouted), .mismatch)
    XCTAssertEqual(try stored(#""\ud800""#, shouted), .mismatch)
  }

  func testTransformersOfOneNameAreOne() {
    XCTAssertEqual(Transformer("a", text: { $0 }), Transformer("a", text: { $0 + "b" }))
    XCTAssertNotEqual(Transformer("a", text: { $0 }), Transformer("b", text: { $0 }))
  }

  func testNamedTransformersChangeStringsAndAreReversed() throws {
    let rows: [(name: String, json: String, stored: StoredValue, exported: String)] = [
      ("trim", #""  a b\n\u00a0""#, .text("a b"), #""a b""#),
      ("trim", #"" ""#, .text(""), #""""#),
      ("trim", #"" \u0301b \u0301 ""#, .text("\u{301}b \u{301}"), "\"\u{301}b \u{301}\""),
      ("trim", "5", .text("5"), #""5""#),
      ("lowercase", #""ÄBc""#, .text("äbc"), #""äbc""#),
      ("split-comma", #""a, b ,,c""#, .text(#"["a","b","","c"]"#), #""a,b,,c""#),
      ("split-comma", #""""#, .text("[]"), #""""#),
      ("split-comma", #""a""#, .text(#"["a"]"#), #""a""#),
      ("split-comma", #"["a,b", "c"]"#, .text(#"["a,b","c"]"#), #"["a,b","c"]"#),
      ("split-comma", #"[""]"#, .text(#"[""]"#), #"[""]"#),
      ("split-comma", "[1, 2]", .text("[1,2]"), "[1,2]"),
      ("html-entities", #""a &amp; b &lt;c&gt;""#, .text("a & b <c>"), #""a &amp; b &lt;c&gt;""#),
      ("html-entities", #""&quot;&apos;&#39;""#, .text("\"''"), #""&quot;&#39;&#39;""#),
    ]
    for row in rows {
      let transformer = try XCTUnwrap(Transformer.named(row.name))
      XCTAssertEqual(try stored(row.json, transformer), .kept(row.stored), row.json)
      XCTAssertEqual(exported(row.stored, transformer), row.exported, row.json)
      XCTAssertEqual(try stored(row.exported, transformer), .kept(row.stored), row.json)
    }
    XCTAssertEqual(Transformer.names.compactMap { Transformer.named($0)?.name }, Transformer.names)
    XCTAssertNil(Transformer.named("Trim"))
  }

  func testEntitiesAreDecodedAsABrowserShowsThem() {
    let texts = [
      "&eacute;&Eacute;&szlig;&yuml;&nbsp;": "éÉßÿ\u{A0}", "&alpha;&Omega;&sigmaf;&piv;": "αΩςϖ",
      "&hellip;&mdash;&rsquo;&euro;&trade;": "…—’€™", "&hearts;&diams;&rarr;&le;&infin;": "♥♦→≤∞",
      "&#233;&#xE9;&#XE9;&#x1F600;": "ééé😀", "&#146;&#150;&#128;": "’–€", "&amp;lt;": "&lt;",
      "&OElig;&thetasym;&there4;&frac12;": "Œϑ∴½",
      "&clubs;&sub;&otimes;&rfloor;&rang;": "♣⊂⊗⌋\u{232A}",
      "&": "&", "&;": "&;", "&amp": "&amp", "&nothing;": "&nothing;", "&AMP;": "&AMP;",
      "&#;": "&#;",
      "&#x;": "&#x;", "&#0;": "&#0;", "&#xD800;": "&#xD800;", "&#x110000;": "&#x110000;",
      "&#99999999999;": "&#99999999999;", "&#+5;": "&#+5;", "&#-5;": "&#-5;", "&#129;": "&#129;",
      "&& &amp;&": "&& &&", "& amp;": "& amp;", "日&amp;本": "日&本", "": "",
    ]
    for (text, shown) in texts { XCTAssertEqual(HTMLEntities.decoded(text), shown, text) }
    for text in texts.keys {
      XCTAssertEqual(HTMLEntities.decoded(HTMLEntities.encoded(text)), text)
    }
    XCTAssertEqual(HTMLEntityNames.scalars.count, 253, "those of the standard, and apos")
    XCTAssertEqual(HTMLEntityNames.windowsLatin.unicodeScalars.count, 32)
  }
}
