import SyncTransport
import XCTest

final class WebAddressTests: XCTestCase {
  func testReferencesResolveAsInRFC3986() throws {
    let base = try WebAddress("http://a/b/c/d;p?q")
    let table = [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
      ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
      ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
      ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
      ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
      ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
      ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
      ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
      ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
      ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
      ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
      ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
      ("g#s/../x", "http://a/b/c/g"), ("https://h:8443/x", "https://h:8443/x"),
      ("é/ü", "http://a/b/c/%C3%A9/%C3%BC"), ("%20%2F", "http://a/b/c/%20%2F"),
    ]
    for (reference, text) in table {
      XCTAssertEqual(try base.resolving(reference).text, text, "reference \(reference)")
    }
  }

  func testTheTextIsNormalAndReadsBackTheSame() throws {
    let table = [
      ("HTTP://EXAMPLE.com", "http://example.com/"), ("http://h:80/x", "http://h/x"),
      ("https://h:443", "https://h/"), ("http://h:8080?q", "http://h:8080/?q"),
      ("http://h/a/../b/./c", "http://h/b/c"), ("http://h/ä", "http://h/%C3%A4"),
      ("http://h/x#fragment", "http://h/x"), ("http://127.1/", "http://127.0.0.1/"),
      ("http://2130706433/", "http://127.0.0.1/"), ("http://0177.0.0.1/", "http://127.0.0.1/"),
      ("http://0x7f.1/", "http://127.0.0.1/"), ("http://[0:0::1]:81/", "http://[::1]:81/"),
      ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
      ("http://h/%c3%a4?%2f", "http://h/%c3%a4?%2f"), ("http://h/%zz%", "http://h/%zz%"),
    ]
    for (given, text) in table {
      let address = try WebAddress(given)
      XCTAssertEqual(address.text, text)
      XCTAssertEqual(try WebAddress(text), address)
    }
  }

  func testASiblingIsReadAsAnyAddress() throws {
    let roots = ["http://h:8080/a/list.json?x=1", "https://host.example/", "http://[::1]/d/"]
    let plain = ["/", "/a", "/a/b.c", "/a-b_c~d/E9/", "/a.b./c"]
    let others = [
      "", "a", "//", "//g/a", "/a//b", "/.a", "/a/./b", "/a/../b", "/..", "/a?", "/a?x", "/a#b",
      "/a%2e", "/a%20b", "/ä", "/a b", "/a;b", "/a\0b", ":80/a", "@g/a", "/a\\b", "0/a",
    ]
    for root in roots {
      let known = try WebAddress(root)
      let start = String(known.text.dropLast(known.text.count - "\(known.origin)".count))
      for path in plain {
        let sibling = known.sibling(start + path)
        XCTAssertEqual(sibling, try WebAddress(start + path), start + path)
        XCTAssertEqual(sibling?.path, path)
      }
      for path in others { XCTAssertNil(known.sibling(start + path), start + path) }
      for text in ["", "http://", "http://g/a", "HTTP://h:8080/a", "ftp://h:8080/a"] {
        XCTAssertNil(known.sibling(text), text)
      }
    }
  }

  func testThePartsAreThere() throws {
    let address = try WebAddress("https://Host.Example/a%20b?x=1&y")
    XCTAssertEqual(address.scheme, "https")
    XCTAssertEqual(address.host, "host.example")
    XCTAssertEqual(address.origin.port, 443)
    XCTAssertEqual(address.path, "/a%20b")
    XCTAssertEqual(address.query, "x=1&y")
    XCTAssertEqual("\(address.origin)", "https://host.example")
    XCTAssertNil(try WebAddress("http://h/").query)
    // Found by fuzzing: equal texts, and yet two addresses.
    let bare = try WebAddress("http://h/x")
    XCTAssertEqual(try bare.resolving("?"), try WebAddress(bare.resolving("?").text))
  }

  func testUserInfoIsSplitOff() throws {
    let (address, credentials) = try WebAddress.parse("https://me:p%40ss@h/x")
    XCTAssertEqual(address.text, "https://h/x")
    XCTAssertEqual(credentials, Credentials(user: "me", password: "p@ss"))
    XCTAssertEqual(credentials?.basic, "Basic bWU6cEBzcw==")
    XCTAssertNil(try WebAddress.parse("https://h/x").credentials)
    XCTAssertEqual(try WebAddress("https://h/").resolving("//me:pass@g/").text, "https://g/")
  }

  func testWhatIsNoAddressIsRefused() {
    let table: [(String, TransportError.Code)] = [
      ("", .invalidAddress), ("x", .invalidAddress), ("/x", .invalidAddress),
      ("http://", .invalidAddress), ("http://h/a b", .invalidAddress),
      ("http://h/a\nb", .invalidAddress), ("http://h/\u{0}", .invalidAddress),
      ("http://h\t/", .invalidAddress), ("http://h:0/", .invalidAddress),
      ("http://h:99999/", .invalidAddress), ("http://h:x/", .invalidAddress),
      ("http://[::1/", .invalidAddress), ("http://a%00b/", .invalidAddress),
      ("http://a\\b/", .invalidAddress), ("http://u%0a:p@h/", .invalidAddress),
      ("http://2%30706433/", .invalidAddress), ("http://0x7f%30%30%30001/", .invalidAddress),
      ("http://a%3ab:c@h/", .invalidAddress), ("ftp://h/", .schemeRefused),
      ("file:///etc/passwd", .schemeRefused), ("http://bücher.example/", .invalidAddress),
    ]
    for (text, code) in table {
      XCTAssertThrowsError(try WebAddress(text), text) { error in
        XCTAssertEqual((error as? TransportError)?.code, code, text)
      }
    }
  }

  func testNoDescriptionShowsASecret() throws {
    let address = try WebAddress("https://h/x?token=secret")
    XCTAssertEqual("\(address)", "https://h/x?…")
    let shown = [
      "\(TransportError(.status(401), at: address))", "\(TransportError(.tls, at: address))",
      describing { try WebAddress("https://me:secret@h:x/?secret") },
      describing { try WebAddress("me:secret@h?\u{301}secret") },
      describing { try WebAddress("ht!tp://me:se/cret@h/") },
      // Found by fuzzing, and what it led to: nobody encodes a password before pasting it.
      describing { try WebAddress("me:secret@h//x@y") },
      describing { try WebAddress("https://me:secret#1@h/") },
      describing { try WebAddress("https://me:secret?1@h/") },
      describing { try WebAddress("https://h:x/?mail=a@b&secret") },
      describing { try address.resolving("ftp://me:secret@h/?secret") },
      "\(Credentials(user: "me", password: "secret") as Any)",
    ]
    for text in shown {
      XCTAssertFalse(text.contains("secret") || text.contains("cret@"), text)
    }
    XCTAssertEqual(try WebAddress("https://h/@scope/x").redacted, "https://h/@scope/x")
    var dumped = ""
    dump(Credentials(user: "me", password: "secret"), to: &dumped)
    XCTAssertFalse(dumped.contains("secret"))
  }

  private func describing(_ body: () throws -> WebAddress) -> String {
    do { return "\(try body().text)" } catch { return "\(error)" }
  }
}
