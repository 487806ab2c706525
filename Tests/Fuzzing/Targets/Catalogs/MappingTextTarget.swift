import CatalogMirror
import SyncText

/// The text of a mapping: it is read or refused in a sentence, and what it reads never is a list of
/// something else.
enum MappingTextTarget {
  static func check(_ bytes: [UInt8]) throws {
    let mapping: JSONMapping
    do throws(JSONMappingProblem) {
      mapping = try JSONMapping(bytes.text)
    } catch {
      try requirePrintable("\(error)", "what is wrong with a mapping")
      return
    }
    guard let url = URLReference("https://catalog.test/a/b?c=d") else { return }
    let text = #"{"a":[{"a":"x","b":{"a":[1,"y"],"c":null}},{"a":2}],"b":{"c":{"a":"z"}}}"#
    let body = CatalogBody(url: url, bytes: Array(text.utf8))
    let page: CatalogPage
    do throws(CatalogError) {
      page = try MappedFormat(mapping).page(body, within: DecoderTarget.limits)
    } catch {
      try requirePrintable("\(error)", "an error of a mapped document")
      return
    }
    try require(page.claim != .whole, "a mapping makes a list whole")
  }
}
