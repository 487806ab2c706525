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

  func testNothingInATextIsARequest() {
    let program = ProgramDescription<Order>(
      name: "baker", version: "1", purpose: ".so \\fBfile's `x` ^ ~ - \u{2026}.", example: "",
      table: OptionTable([]), statuses: [])
    XCTAssertTrue(
      Manual(program, date: "").page(for: nil)
        .contains(#"baker \- \&.so \efBfile\(aqs \(gax\(ga \(ha \(ti \- ..."#))
  }
}
