import XCTest

/// The checks themselves, on small sources that are made up.
final class FloorPlanTests: XCTestCase {
  private func circles(_ files: [String: String]) -> [FloorPlan.Circle] {
    FloorPlan(files.mapValues { SourceNames($0) }).circles
  }

  func testACircleIsFoundAndItsFilesAreNamed() {
    let found = circles([
      "Low/Stone.swift": "public struct Stone { var wall: Wall? }",
      "High/Wall.swift": "final class Wall { let stones: [Stone] = [] }",
      "High/Roof.swift": "enum Roof { case on(Wall) }",
      "Garden/Tree.swift": "struct Tree { let shade: Wall }",
    ])
    XCTAssertEqual(
      found,
      [
        .init(
          folders: ["High", "Low"],
          arrows: [
            "High → Low: High/Wall.swift uses Stone", "Low → High: Low/Stone.swift uses Wall",
          ])
      ])
  }

  func testACircleMayGoThroughSeveralFoldersAndTheRoot() {
    let found = circles([
      "Door.swift": "struct Door { var key: Key }", "A/Key.swift": "struct Key { var ring: Ring }",
      "B/Ring.swift": "struct Ring { var door: Door }",
    ])
    XCTAssertEqual(found.map(\.folders), [["(root)", "A", "B"]])
  }

  func testArrowsThatOnlyPointDownAreNoCircle() {
    XCTAssertEqual(
      circles([
        "A/One.swift": "struct One {}", "B/Two.swift": "struct Two { var one: One }",
        "C/Three.swift": "extension Two { func three(_ one: One) {} }",
      ]), [])
  }

  func testCommentsAndStringsDoNotCount() {
    let silent = [
      "// Wall", "/* Wall /* Wall */ Wall */", #"let text = "Wall \" Wall""#,
      ##"let text = #"Wall " Wall"#"##, "let text = \"\"\"\n  \"Wall\"\n  \"\"\"",
      "let wall = #/ Wall \" /#",
    ]
    for text in silent {
      let files = [
        "Low/Stone.swift": "struct Stone {\n\(text)\n}\nstruct Pebble {}",
        "High/Wall.swift": "struct Wall { var stone: Stone }",
      ]
      XCTAssertEqual(circles(files), [], text)
      XCTAssertEqual(
        SourceNames(files["Low/Stone.swift"] ?? "").declared, ["Stone", "Pebble"], text)
    }
  }

  func testWhatIsInterpolatedCounts() {
    for text in [#""is \(Wall(of: (1, 2))) up""#, ##"#"is \#(Wall.self)"#"##] {
      XCTAssertTrue(SourceNames("let text = \(text)").used.contains("Wall"), text)
    }
  }

  func testANestedTypeAndANameOfTwoHomesTellNothing() {
    XCTAssertEqual(
      circles([
        "A/One.swift": "struct One { struct Row {} ; var two: Two }",
        "B/Row.swift": "let row = Row()", "B/Two.swift": "private struct Two { var one: One }",
        "C/Two.swift": "struct Two {}",
      ]), [])
  }

  func testImportsOfEveryFormAreRead() {
    let names = SourceNames(
      """
      @testable import One
      public import Two
      import struct Three.Type
        private import Four  // import Five
      let text = "import Six"
      """)
    XCTAssertEqual(names.imported, ["One", "Two", "Three", "Four"])
    XCTAssertEqual(names.lineCount, 4)
  }

  func testAnImportOfWhatStandsAboveOrIsNoneOfItsBusinessIsNamed() {
    let house = House(rooms: [
      .init(name: "Cellar"), .init(name: "Kitchen"), .init(name: "Study", shuns: ["Kitchen"]),
    ])
    func complaints(_ target: String, _ modules: Set<String>) -> [String] {
      house.complaints(about: "A.swift", of: target, importing: modules)
    }
    XCTAssertEqual(complaints("Kitchen", ["Cellar", "Foundation"]), [])
    XCTAssertEqual(
      complaints("Kitchen", ["Study"]), ["Kitchen/A.swift imports Study, which stands above it"])
    XCTAssertEqual(
      complaints("Study", ["Cellar", "Kitchen"]),
      ["Study/A.swift imports Kitchen, which is none of its business"])
    XCTAssertEqual(complaints("Shed", []).count, 1)
  }

  func testNumbersOfPromisesAreFound() {
    // In two pieces, since this source is looked through, too.
    let number = "M" + "15"
    for text in ["// So (\(number)).", "(\(number), C4)", "test\(number)_it", "test\(number)It"] {
      XCTAssertEqual(PromiseNumbers.lines(of: Array("one\n\(text)".utf8)), [2], text)
    }
    for text in ["F15 (F15)", "testF15_it", "\(number)", "(\(number)5)", "M(15)", "(\(number)x)"] {
      XCTAssertEqual(PromiseNumbers.lines(of: Array(text.utf8)), [], text)
    }
  }

  func testOptionsAreFoundInLiteralsAlone() {
    let source = """
      // say --comment
      let a = "plain - and -- dashes"
      let b = count --wait
      let c = "say --wait"
      let d = "say \\(other("--force")) and"
      let e = #"raw --raw"#
      """
    XCTAssertEqual(OptionNames.lines(of: CodeBytes(source).literals), [4, 5, 6])
  }
}
