import Foundation
import TestSupport
import XCTest

/// A folder that nginx lists in other ways than its usual two, mirrored.
final class OtherNginxListingsTests: MirrorTestCase {
  func testFancyIndexWithExactSizesAndWithRoundedOnes() throws {
    for size in ["on", "off"] {
      try check("fancyindex on; fancyindex_exact_size \(size);", ["ngx_http_fancyindex_module"])
    }
  }

  func testTheListInXML() throws {
    try check("autoindex on; autoindex_format xml;")
  }

  func testTheListWithTextBeforeAndAfterIt() throws {
    try check(
      """
      autoindex on; add_before_body /.before; add_after_body /.after;
      location = /.before { return 200 '<h2><a href="before">before</a></h2>'; }
      location = /.after { return 200 '<pre><a href="after">after</a></pre>'; }
      """)
  }

  private func check(_ lines: String, _ modules: [String] = []) throws {
    var texts = ["top.txt": "top", "deep/er/deeper.txt": "down here"]
    for name in ListingTests.odd {
      texts[name] = name == "empty.txt" ? "" : name
      texts["odd \(name)/\(name)"] = "in \(name)"
    }
    try publish(texts)
    var options = NginxServer.Options(locations: [lines])
    options.modules = modules
    let server = try serve(nil, options)
    try? FileManager.default.removeItem(at: copy)
    assertEnd(try sync(server.url), 0)
    try assertCopyIsTrue()
    XCTAssertEqual(try server.takeRequests().filter { !$0.isListing }.count, texts.count)

    assertEnd(try sync(server.url), 0)
    let second = try server.takeRequests()
    XCTAssertEqual(second.filter { !$0.isListing }, [])
    XCTAssertEqual(second.count, 3 + ListingTests.odd.count)
  }
}
