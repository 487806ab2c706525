import SyncText
import SyncTransport
import XCTest

/// Signatures as Amazon publishes them: the cases of its "Signature Version 4 test suite" (those in
/// which the path isn't normalised, as for S3), and the examples of the Amazon S3 API Reference,
/// "Signature Calculations for the Authorization Header".
final class SignatureV4Tests: XCTestCase {
  private static let unreserved =
    "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

  private struct Case {
    var name: String
    var method = "GET"
    var path = "/"
    var query: String?
    var fields: [(String, String)] = []
    var signature: String
  }

  private static let suite = [
    Case(
      name: "get-vanilla",
      signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
    Case(
      name: "get-vanilla-query-order-key-case", query: "Param2=value2&Param1=value1",
      signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
    Case(
      name: "get-unreserved", path: "/" + unreserved,
      signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
    Case(
      name: "get-vanilla-query-unreserved", query: unreserved + "=" + unreserved,
      signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
    Case(
      name: "get-utf8", path: "/ሴ",
      signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
    Case(
      name: "get-space-unnormalized", path: "/example space/",
      signature: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"),
    Case(
      name: "get-slashes-unnormalized", path: "//example//",
      signature: "87cca117541a147f6df867677d98a7d80dff226d2bfca9e4ffa899665623c7e5"),
    Case(
      name: "get-relative-unnormalized", path: "/example/..",
      signature: "eca7ead57bb5aa5c8e28007acd4ff04e1ff9a0ff3b237ec1554a184887ff9282"),
    Case(
      name: "get-header-key-duplicate",
      fields: [("My-Header1", "value2"), ("my-header1", "value2"), ("My-Header1", "value1")],
      signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
    Case(
      name: "get-header-value-trim",
      fields: [("My-Header1", " value1"), ("My-Header2", #" "a   b   c""#)],
      signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
    Case(
      name: "post-vanilla", method: "POST",
      signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
    Case(
      name: "post-vanilla-query", method: "POST", query: "Param1=value1",
      signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
    Case(
      name: "post-header-value-case", method: "POST", fields: [("My-Header1", "VALUE1")],
      signature: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"),
  ]

  func testTheCasesOfTheTestSuiteAreSignedAsPublished() {
    let key = AccessKey(
      id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
    let signature = SignatureV4(key, region: "us-east-1", service: "service")
    for example in Self.suite {
      let fields = HTTPHeaders(
        [("Host", "example.amazonaws.com"), ("X-Amz-Date", "20150830T123600Z")] + example.fields)
      let request = CanonicalRequest(
        method: example.method, path: example.path, query: example.query, fields: fields,
        payload: SignatureV4.noPayload)
      let names = Set(fields.fields.map { $0.name.lowercased() }).sorted()
      XCTAssertEqual(
        signature.authorization(request, at: HTTPDate(secondsSince1970: 1_440_938_160)),
        """
        AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, \
        SignedHeaders=\(names.joined(separator: ";")), Signature=\(example.signature)
        """, example.name)
    }
  }

  private let inTheReference = HTTPDate(secondsSince1970: 1_369_353_600)
  private let keyOfTheReference = AccessKey(
    id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")

  func testAnObjectIsSignedWithItsRangeAsInTheReference() {
    let request = CanonicalRequest(
      method: "GET", path: "/test.txt", query: nil,
      fields: HTTPHeaders([
        ("Host", "examplebucket.s3.amazonaws.com"), ("Range", "bytes=0-9"),
        ("x-amz-content-sha256", SignatureV4.noPayload), ("x-amz-date", "20130524T000000Z"),
      ]), payload: SignatureV4.noPayload)
    let signature = SignatureV4(keyOfTheReference, region: "us-east-1")
    XCTAssertEqual(
      signature.text(of: request, at: inTheReference),
      """
      AWS4-HMAC-SHA256
      20130524T000000Z
      20130524/us-east-1/s3/aws4_request
      7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972
      """)
    XCTAssert(
      signature.authorization(request, at: inTheReference).hasSuffix(
        "=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"))
  }

  func testARequestIsSignedAsTheReferenceSignsLists() throws {
    let signature = SignatureV4(keyOfTheReference, region: "us-east-1")
    for (query, expected) in [
      ("lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
      ("prefix=J&max-keys=2", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ] {
      let address = try WebAddress("https://examplebucket.s3.amazonaws.com/?" + query)
      let fields = signature.fields(for: HTTPRequest(address), at: inTheReference)
      XCTAssertEqual(fields["x-amz-content-sha256"], SignatureV4.noPayload)
      XCTAssertEqual(fields["x-amz-date"], "20130524T000000Z")
      XCTAssertEqual(
        fields["Authorization"],
        """
        AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, \
        SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=\(expected)
        """)
    }
  }

  func testATokenIsSentAndSignedAndAPortBelongsToTheHost() throws {
    let address = try WebAddress("http://127.0.0.1:9000/bucket/a%20b")
    let key = AccessKey(id: "id", secret: "secret", sessionToken: "token")
    let fields = SignatureV4(key, region: "r").fields(
      for: HTTPRequest(address), at: inTheReference)
    XCTAssertEqual(fields["x-amz-security-token"], "token")
    let names = "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,"
    XCTAssert(fields["Authorization"]?.contains(names) ?? false)
    let elsewhere = try WebAddress("http://127.0.0.1:9001/bucket/a%20b")
    XCTAssertNotEqual(
      fields["Authorization"],
      SignatureV4(key, region: "r").fields(for: HTTPRequest(elsewhere), at: inTheReference)[
        "Authorization"])
  }

  func testAKeyShowsNothingOfItself() throws {
    let key = AccessKey(id: "AKID", secret: "s3cr3t", sessionToken: "t0k3n")
    var text = "\(key)\(SignatureV4(key, region: "r"))"
    dump(SignatureV4(key, region: "r"), to: &text)
    var access = OriginAccess()
    access.sign(try WebAddress("https://h/").origin, with: .init(key, region: "r"))
    dump(access, to: &text)
    XCTAssertFalse(text.contains("s3cr3t"))
    XCTAssertFalse(text.contains("t0k3n"))
  }
}
