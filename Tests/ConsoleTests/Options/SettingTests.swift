import Console
import XCTest

/// What a file or the environment says, goes the way of the command line.
final class SettingTests: XCTestCase {
  private let table = Order.program.table

  private func applied(_ settings: [Setting]) throws -> Order {
    var order = Order(command: .bake)
    for setting in settings { try table.apply(setting, to: &order) }
    return order
  }

  func testAnOptionIsAppliedByItsNameAlone() throws {
    XCTAssertEqual(try applied([Setting("loaves", "3")]).loaves, 3)
    XCTAssertEqual(try applied([Setting("seed", "poppy"), Setting("seed", "rye")]).seeds.count, 2)
    XCTAssertTrue(try applied([Setting("quiet")]).isQuiet)
  }

  func testAFlagMaySayThatItIsMeantOrNot() throws {
    for word in ["yes", "true", "on", "1", "Yes"] {
      XCTAssertTrue(try applied([Setting("quiet", word)]).isQuiet, word)
    }
    for word in ["no", "false", "off", "0"] {
      XCTAssertFalse(try applied([Setting("quiet", word)]).isQuiet, word)
    }
  }

  func testAMistakeIsToldWithoutTheOptionsName() {
    for (setting, sentence) in [
      (Setting("loaves", "many"), "'many' won't do; give a number from 1 up"),
      (Setting("quiet", "maybe"), "'maybe' won't do; write yes or no"),
      (Setting("loaves"), "N is missing"),
      (Setting("slowly"), "'bake' has no such option"),
    ] {
      XCTAssertThrowsError(try applied([setting])) { XCTAssertEqual("\($0)", sentence) }
    }
  }

  func testTheStrongestPlaceThatSaysAnOptionSaysAllOfIt() {
    let line = [Setting("seed", "poppy")]
    let environment = [Setting("loaves", "2")]
    let file = [Setting("seed", "sesame"), Setting("loaves", "5"), Setting("flour", "rye")]
    XCTAssertEqual(
      table.merged([line, environment, file], for: .bake),
      [Setting("flour", "rye"), Setting("loaves", "2"), Setting("seed", "poppy")])
  }

  func testWhatIsSaidPutsOutWhatWeakerPlacesSayOfItsRivals() {
    XCTAssertEqual(
      table.merged([[Setting("plain")], [Setting("seed", "poppy")]], for: .bake),
      [Setting("plain")])
    XCTAssertEqual(
      table.merged([[Setting("plain"), Setting("seed", "poppy")]], for: .bake).count, 2)
  }

  func testAFlagThatIsNotMeantPutsOutNothingElse() {
    let weaker = [Setting("seed", "poppy"), Setting("plain", "yes")]
    XCTAssertEqual(
      table.merged([[Setting("plain", "no")], weaker], for: .bake),
      [Setting("seed", "poppy"), Setting("plain", "no")])
    XCTAssertEqual(
      table.merged([[Setting("plain", "yes")], weaker], for: .bake), [Setting("plain", "yes")])
    XCTAssertEqual(
      table.merged([[Setting("seed", "no")], weaker], for: .bake), [Setting("seed", "no")])
  }
}
