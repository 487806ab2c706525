import CatalogMirror
import Console

extension OptionTable<Invocation> {
  /// Where buckets are, and with whose key they are asked.
  static let buckets: [Option<Invocation>] = [
    Option(
      "endpoint", for: [.sync, .plan, .verify, .doctor],
      "the server that has the bucket of an s3:// address",
      standard: "Amazon's",
      .value("URL") { $0.mirror.access.bucket.endpoint = try endpoint($1) }),
    Option(
      "region", for: [.sync, .plan, .verify, .doctor], "the region of the bucket",
      standard: "AWS_REGION, the profile's, or us-east-1",
      .value("NAME") { $0.mirror.access.bucket.region = $1 }),
    Option(
      "profile", for: [.sync, .plan, .verify, .doctor],
      "the profile in ~/.aws whose key signs the requests to a bucket",
      standard: "AWS_ACCESS_KEY_ID and so on, or AWS_PROFILE", rivals: ["anonymous"],
      .value("NAME") { $0.mirror.access.bucket.profile = $1 }),
    Option(
      "anonymous", for: [.sync, .plan, .verify, .doctor], "don't sign requests to a bucket",
      rivals: ["profile"],
      .flag { $0.mirror.access.bucket.isAnonymous = true }),
  ]

  private static func endpoint(_ text: String) throws -> String {
    guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
      throw UsageError("'\(text)' is no server's address; write https://HOST or http://HOST:PORT")
    }
    return try Value.address(text)
  }
}
