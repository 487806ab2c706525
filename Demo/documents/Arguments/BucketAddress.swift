/// An address that leads into a bucket of a Kinto server, as people copy it: `…/v1/buckets/home`.
struct BucketAddress: Equatable {
  let server: String
  let bucket: String

  /// Reads an address; `nil` where it leads into none. What holds a name or a password is left to
  /// who refuses those.
  ///
  /// - Parameter isKinto: whether it's said to be a Kinto server's: another service may call
  ///   something of its own a bucket, if not behind Kinto's version.
  init?(_ text: String, isKinto: Bool) {
    let steps = text.split(separator: "/", omittingEmptySubsequences: false)
    guard !text.utf8.contains(UInt8(ascii: "@")),
      let place = steps.indices.dropFirst(3).first(where: { steps[$0].lowercased() == "buckets" }),
      isKinto || steps[place - 1] == "v1"
    else { return nil }
    server = steps[..<place].joined(separator: "/")
    let name = place + 1 < steps.count ? steps[place + 1].prefix { $0 != "?" && $0 != "#" } : ""
    bucket = name.isEmpty ? "NAME" : String(name)
  }
}
