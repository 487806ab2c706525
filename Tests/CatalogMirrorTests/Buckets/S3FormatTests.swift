import XCTest

@testable import CatalogMirror

/// The list of a bucket, page by page.
final class S3FormatTests: XCTestCase {
  static let url =
    "https://s3.us-east-1.amazonaws.com/b/?encoding-type=url&list-type=2&prefix=photos%2F"

  static let golden = """
    <?xml version="1.0" encoding="UTF-8"?>
    <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>\
    <Prefix>photos%2F</Prefix><KeyCount>3</KeyCount><MaxKeys>1000</MaxKeys>\
    <EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>\
    <Contents><Key>photos/</Key><LastModified>2024-01-02T03:04:05.000Z</LastModified>\
    <ETag>&quot;d41d8cd98f00b204e9800998ecf8427e&quot;</ETag><Size>0</Size></Contents>\
    <Contents><Key>photos/a+b%2B%C3%A9.jpg</Key>\
    <LastModified>2024-01-02T03:04:05.000Z</LastModified>\
    <ETag>&quot;0123456789abcdef0123456789abcdef-2&quot;</ETag><Size>7</Size>\
    <StorageClass>STANDARD</StorageClass></Contents>\
    <Contents><Key>photos/2024/c%0A</Key><LastModified>2024-01-02T03:04:06.000Z</LastModified>\
    <ETag>&quot;x&quot;</ETag><Size>1</Size></Contents></ListBucketResult>
    """

  private func page(_ text: String, _ url: String = url) throws -> CatalogPage {
    try Golden.page(text, at: url, as: .s3)
  }

  func testKeysAreThoseBelowThePrefixDecodedOnce() throws {
    let page = try page(Self.golden)
    XCTAssertEqual(Set(page.usable.keys), ["a b+é.jpg", "2024/c\n"])
    let entry = try XCTUnwrap(page.usable["a b+é.jpg"])
    XCTAssertEqual(
      entry.locators, ["https://s3.us-east-1.amazonaws.com/b/photos/a%20b%2B%C3%A9.jpg"])
    XCTAssertEqual(entry.version, .strongETag("\"0123456789abcdef0123456789abcdef-2\""))
    XCTAssertEqual(entry.size, 7)
    XCTAssertEqual(entry.modified, 1_704_164_645)
    XCTAssertNil(entry.sha256)
    XCTAssertEqual(page.claim, .whole)
    XCTAssertNil(page.next)
  }

  func testAMarkerOfADirectoryIsPassedOverAndCounted() throws {
    let page = try page(Self.golden)
    XCTAssertEqual(page.notes.markers, 1)
    let listing = try Golden.listing(Golden.body(Self.golden, Self.url), as: .s3)
    XCTAssertEqual(listing.notes.remarks, [.markers(count: 1)])
    XCTAssertEqual(listing.completeness, .complete)
    let other = try self.page(Self.golden.replacing("<Size>0<", with: "<Size>5<"))
    XCTAssertEqual(other.notes.markers, 0, "one with bytes is an object")
  }

  func testAKeyThatIsNoPathIsAFailedItem() throws {
    let listing = try Golden.listing(
      Golden.body(Self.golden.replacing("2024/c%0A", with: "..%2Fup"), Self.url), as: .s3)
    XCTAssertEqual(listing.unusable.map(\.key), [CatalogKey("../up")])
    XCTAssertEqual(listing.entries.count, 1)
    XCTAssertEqual(listing.completeness, .complete)
  }

  func testTheNextPageIsAskedForByItsToken() throws {
    let page = try page(
      Self.golden.replacing(
        "<IsTruncated>false</IsTruncated>",
        with: "<IsTruncated>true</IsTruncated><NextContinuationToken>1/a+=</NextContinuationToken>")
    )
    XCTAssertEqual(
      page.next?.url,
      """
      https://s3.us-east-1.amazonaws.com/b/?continuation-token=1%2Fa%2B%3D&encoding-type=url\
      &list-type=2&prefix=photos%2F
      """)
  }

  func testWhatIsNoWholePageIsAnError() throws {
    let damages = [
      ("<IsTruncated>false</IsTruncated>", ""), ("<IsTruncated>false", "<IsTruncated>no"),
      ("<IsTruncated>false", "<IsTruncated>true"), ("<KeyCount>3", "<KeyCount>4"),
      ("<Key>photos/2024/c%0A</Key>", ""), ("photos/2024/c%0A", "photos/%4"),
      ("photos/2024/c%0A", "elsewhere"), ("<Prefix>photos%2F", "<Prefix>other%2F"),
      ("</ListBucketResult>", ""), ("ListBucketResult", "ListAllMyBucketsResult"),
      (
        "</ListBucketResult>",
        "<CommonPrefixes><Prefix>photos%2Fx%2F</Prefix></CommonPrefixes></ListBucketResult>"
      ),
      ("<ListBucketResult", "<!DOCTYPE x [<!ENTITY a \"b\">]><ListBucketResult"),
    ]
    for (old, new) in damages {
      let text = Self.golden.replacing(old, with: new)
      XCTAssertNotEqual(text, Self.golden)
      XCTAssertThrowsError(try page(text), "\(old) → \(new)")
    }
  }

  func testWhatStandsTwiceOrIsOfAnotherBucketIsAnError() throws {
    let damages = [
      ("<Name>b<", "<Name>c<"), ("<Name>b</Name>", "<Name>b</Name><Name>b</Name>"),
      ("<Name>b</Name>", "<Name></Name>"), ("<Prefix>photos%2F<", "<Prefix><"),
      ("</KeyCount>", "</KeyCount><KeyCount>3</KeyCount>"),
      ("</Prefix>", "</Prefix><Prefix>photos%2F</Prefix>"),
      ("</IsTruncated>", "</IsTruncated><IsTruncated>false</IsTruncated>"),
      ("</EncodingType>", "</EncodingType><EncodingType>url</EncodingType>"),
      ("<Key>photos/a+b", "<Key>photos/other</Key><Key>photos/a+b"),
      ("<Size>7<", "<Size>6</Size><Size>7<"),
    ]
    for (old, new) in damages {
      let text = Self.golden.replacing(old, with: new)
      XCTAssertNotEqual(text, Self.golden)
      XCTAssertThrowsError(try page(text), "\(old) → \(new)")
    }
    let host = "https://b.s3.amazonaws.com/?encoding-type=url&list-type=2&prefix=photos%2F"
    XCTAssertNoThrow(try page(Self.golden, host))
    XCTAssertThrowsError(try page(Self.golden, host.replacing("//b.", with: "//c.")))
  }

  /// It was told as a page that was cut, to be asked for again.
  func testTheListOfAnotherBucketIsToldWithBothNames() throws {
    let text = Self.golden.replacing("<Name>b<", with: "<Name>corp-data<")
    let url = Self.url.replacing("s3.us-east-1.amazonaws.com/b/", with: "h/data/")
    XCTAssertThrowsError(try page(text, url)) { error in
      XCTAssertEqual(
        "\(error)",
        """
        https://h/data/?… gave the list of bucket 'corp-data', and not of 'data' as asked, where a \
        bucket's list of objects was expected; give an address whose path begins with the bucket's \
        own name.
        """)
    }
  }

  func testTenantsAndAccessPointsArentTheBucketsName() throws {
    let query = "/?encoding-type=url&list-type=2&prefix=photos%2F"
    for (place, isOfB) in [
      ("h/tenant:b", true), ("h/tenant%3Ab", true), ("h/tenantb", false), ("h/b:c", false),
      ("b.s3.amazonaws.com", true), ("b.s3-eu-west-1.amazonaws.com", true),
      ("c.s3-eu-west-1.amazonaws.com", false), ("c.s3.data.s3.amazonaws.com", false),
      ("c-1.s3-accesspoint.eu-west-1.amazonaws.com", true),
      ("c-1-s3alias.s3.eu-west-1.amazonaws.com", true),
    ] {
      let read = { try self.page(Self.golden, "https://" + place + query) }
      XCTAssertEqual((try? read()) != nil, isOfB, place)
    }
    let dotted = Self.golden.replacing("<Name>b<", with: "<Name>c.s3.data<")
    XCTAssertNoThrow(try page(dotted, "https://c.s3.data.s3.amazonaws.com" + query))
  }

  func testAnErrorInThePlaceOfAPageIsToldByItsWord() throws {
    let text =
      "<?xml version=\"1.0\"?>\n<Error><Code>InternalError</Code><Message>x</Message></Error>"
    XCTAssertThrowsError(try page(text)) { error in
      XCTAssertEqual(
        "\(error)",
        """
        https://s3.us-east-1.amazonaws.com/b/?… gave the error 'InternalError', where a bucket's \
        list of objects was expected; try again, and mend it at the source or tell who runs it if \
        that stays so.
        """)
    }
  }

  func testAnObjectWithoutATagIsToldByDateAndSize() throws {
    let text = Self.golden.replacing("<ETag>&quot;x&quot;</ETag>", with: "")
    let entry = try XCTUnwrap(try page(text).usable["2024/c\n"])
    XCTAssertEqual(entry.version, .dateAndSize(date: "2024-01-02T03:04:06.000Z", size: 1))
  }

  func testAnAddressTellsItsBucketAndItsPrefix() throws {
    let table: [(String, String, String)] = [
      ("https://s3.eu-west-1.amazonaws.com/b/p/q", "https://s3.eu-west-1.amazonaws.com/b/", "p/q/"),
      ("http://127.0.0.1:9000/b/p%20q/", "http://127.0.0.1:9000/b/", "p q/"),
      ("http://127.0.0.1:9000/b", "http://127.0.0.1:9000/b/", ""),
      ("https://b.s3.amazonaws.com/p", "https://b.s3.amazonaws.com/", "p/"),
      ("https://s3-eu-west-1.amazonaws.com/b/p", "https://s3-eu-west-1.amazonaws.com/b/", "p/"),
      ("https://data.example.org/", "https://data.example.org/", ""),
      ("https://data.example.org/?x=y", "https://data.example.org/", ""),
    ]
    for (text, bucket, prefix) in table {
      let address = BucketListAddress(catalog: try Golden.url(text))
      XCTAssertEqual(address.bucket.text, bucket, text)
      XCTAssertEqual(String(decoding: address.prefix, as: UTF8.self), prefix, text)
      let asked = try Golden.url(address.request(after: "t&/").url)
      XCTAssertEqual(BucketListAddress(request: asked), address)
    }
  }
}

extension Golden {
  static func page(
    _ text: String, at url: String, as format: CatalogFormatName
  ) throws -> CatalogPage {
    try CatalogFormats.standard.decode(body(text, url), as: format)
  }
}
