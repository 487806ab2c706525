import SyncText
import SyncTransport

/// Where a bucket is that is named by `s3://bucket/prefix`.
enum BucketAddress {
  /// The web address: the bucket's name is the first part of the path, as every server of the kind
  /// has it, and the certificate of none is at a loss for names with dots.
  ///
  /// - Returns: `nil` for a text that names no bucket, or an endpoint that is none.
  static func address(of named: URLReference, endpoint: String?, region: String) -> String? {
    guard named.scheme == "s3", let bucket = named.authority, isName(bucket), named.query == nil,
      let server = endpoint.map({ origin(of: $0) }) ?? amazon(region)
    else { return nil }
    return server + "/" + bucket + (named.path.isEmpty ? "/" : named.path)
  }

  private static func amazon(_ region: String) -> String? {
    guard isName(region) else { return nil }
    return "https://s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
  }

  private static func origin(of endpoint: String) -> String? {
    guard let address = try? WebAddress(endpoint), address.path == "/", address.query == nil else {
      return nil
    }
    return "\(address.origin)"
  }

  /// Names of buckets, old ones too ("Bucket naming rules").
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255 && text.first != "."
      && text.utf8.allSatisfy { byte in
        byte.asSmall.isSmall || byte.isDigit || "-._".utf8.contains(byte)
      }
  }
}
