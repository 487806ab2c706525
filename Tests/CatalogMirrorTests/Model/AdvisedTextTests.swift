import XCTest

@testable import CatalogMirror

/// What the index keeps of a sentence is read back as it was, with its advice.
final class AdvisedTextTests: XCTestCase {
  func testASentenceAndItsAdviceAreReadBack() {
    for advice in MirrorAdvice.allCases + [nil] {
      for sentence in ["", "it failed.", "it failed (Not found)", "é (allowUnframed) so"] {
        let text = AdvisedText(sentence, advice)
        XCTAssertEqual(AdvisedText(kept: text.kept), text)
      }
    }
  }

  func testTextsOfEarlierVersionsHaveNoAdvice() {
    for text in ["say --allow-unframed", "it is gone (No such file)", "allowUnframed", "(now)"] {
      XCTAssertEqual(AdvisedText(kept: text), AdvisedText(text, nil))
    }
  }
}
