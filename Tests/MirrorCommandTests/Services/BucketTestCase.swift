import Foundation
import TestSupport
import XCTest

/// A mirror of a bucket of moto's server.
class BucketTestCase: MirrorTestCase {
  static let key = "AKIDTEST"
  static let secret = "s3cr3t/of+the=tests"
  private(set) var service: LoopbackService?

  override func setUpWithError() throws {
    try super.setUpWithError()
    service = try CatalogServers.bucket(
      key: Self.key, secret: Self.secret, in: base.appending(path: "moto"))
  }

  override func tearDownWithError() throws {
    try service?.stop()
    try super.tearDownWithError()
  }

  var endpoint: String { service?.address ?? "" }

  /// Puts objects past S3; one without a text is removed.
  func put(_ objects: [String: String?], in bucket: String = "bucket") throws {
    let lines = try objects.map { key, text in
      try JSONSerialization.data(withJSONObject: [bucket, key, text ?? NSNull()] as [Any])
    }
    let file = base.appending(path: "objects")
    try Data(lines.joined(separator: [0x0A])).write(to: file)
    let curl = try ChildProcess(
      Programs.find("curl"), ["-sf", "--data-binary", "@\(file.path)", endpoint + "/_objects"],
      environment: [:], directory: base, records: base.appending(path: "records"))
    XCTAssertEqual(try curl.end(within: .seconds(60)), .exited(0), curl.said)
  }

  /// Runs `mirror sync` with the server's key in the variables.
  @discardableResult
  func syncBucket(
    _ catalog: String = "s3://bucket/", _ options: String...,
    variables: [String: String] = [
      "AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret,
    ]
  ) throws -> Outcome {
    let child = try start(
      ["sync", catalog, copy.path, "--endpoint", endpoint] + options, environment: variables)
    return Outcome(
      end: try child.end(within: .seconds(300)), printed: child.printed, said: child.said)
  }
}
