import Console
import XCTest

/// The pages of the manual.
final class ManualTests: XCTestCase {
  private let manual = Manual(Order.program, date: "2026-11-22")

  func testThePageOfACommandIsItsTable() {
    XCTAssertEqual(
      manual.page(for: .bake),
      #"""
      .TH "BAKER\-BAKE" 1 "2026\-11\-22" "baker 1"
      .SH NAME
      baker\-bake \- bake something
      .SH SYNOPSIS
      \fBbaker\fP \fBbake\fP [options] OVEN
      .SH DESCRIPTION
      .PP
      Does what the word says: bake.
      .SH OPTIONS
      .SS "Dough"
      .TP
      \fB\-n\fP, \fB\-\-loaves\fP \fIN\fP
      how many [1]
      .TP
      \fB\-\-flour\fP \fIwheat|rye\fP
      which of them [wheat]
      .TP
      \fB\-\-seed\fP \fINAME\fP
      what is strewn on it (may be repeated)
      .TP
      \fB\-\-plain\fP
      without seeds
      .TP
      \fB\-\-list\fP \fIFILE\fP
      what to bake
      .SS "Output"
      .TP
      \fB\-q\fP, \fB\-\-quiet\fP
      say little
      .TP
      \fB\-v\fP, \fB\-\-verbose\fP
      say much
      .SH NOTES
      .PP
      The oven is hot.
      .PP
      .nf
        so: hot
      .fi
      .SH EXAMPLES
      .PP
      .nf
      baker bake it
      .fi
      .SH EXIT STATUS
      .TP
      \fB0\fP
      eaten
      .TP
      \fB1\fP
      burnt
      .SH SEE ALSO
      \fBbaker\fP(1)
      """#)
  }

  func testThePageOfTheProgramNamesThoseOfItsCommands() {
    let page = manual.page(for: nil)
    XCTAssertTrue(page.contains("baker \\- bakes bread\n"), page)
    XCTAssertTrue(page.contains("\\fBbaker\\-taste\\fP(1)\ntaste something\n"), page)
    XCTAssertFalse(page.contains("secret"), page)
    XCTAssertTrue(page.hasSuffix("\\fBbaker\\-bake\\fP(1), \\fBbaker\\-taste\\fP(1)"), page)
  }

  func testWhatStandsAroundACommandIsToldOnItsPage() {
    var program = Order.program
    program.files = [
      .init("OVEN/ashes", "what is left", for: [.bake]), .init("~/recipes", "all there are"),
    ]
    program.variables = [.init("FLOUR, SALT", "what is at hand", for: [.taste])]
    let manual = Manual(program, date: "")
    let bake = manual.page(for: .bake)
    XCTAssertTrue(
      bake.contains(
        #"""
        .SH FILES
        .TP
        \fIOVEN/ashes\fP
        what is left
        .TP
        \fI\(ti/recipes\fP
        all there are
        """#), bake)
    XCTAssertFalse(bake.contains("ENVIRONMENT"), bake)
    let taste = manual.page(for: .taste)
    XCTAssertFalse(taste.contains("ashes"), taste)
    XCTAssertTrue(
      taste.contains(".SH ENVIRONMENT\n.TP\n\\fBFLOUR, SALT\\fP\nwhat is at hand"), taste)
    let page = manual.page(for: nil)
    for part in ["OVEN/ashes", "FLOUR", ".SH FILES"] { XCTAssertTrue(page.contains(part), page) }
  }

  func testNothingInATextIsARequest() {
    let program = ProgramDescription<Order>(
      name: "baker", version: "1", purpose: ".so \\fBfile's `x` ^ ~ - \u{2026}.", example: "",
      table: OptionTable([]), statuses: [])
    XCTAssertTrue(
      Manual(program, date: "").page(for: nil)
        .contains(#"baker \- \&.so \efBfile\(aqs \(gax\(ga \(ha \(ti \- ..."#))
  }
}
