import Foundation

/// A bucket as S3 shows it to everybody, served by an nginx of its own: the pages of its list
/// (Amazon S3 API Reference, "ListObjectsV2") are files, chosen by the continuation token.
///
/// Whoever asks gets the whole list: prefixes and delimiters are not looked at, and no key has a
/// slash in it.
struct Bucket {
  let server: Nginx
  let name: String
  /// What the pages of the list have together.
  let pages: AccessLog.Traffic

  /// As many as S3 gives.
  static let pageSize = 1_000

  /// Serves the files of a set that lie in `folder`.
  init(_ set: DataSet, in folder: URL, state: URL) throws {
    name = set.name
    let lists = state.appending(path: "pages", directoryHint: .isDirectory)
    try? FileManager.default.removeItem(at: lists)
    try FileManager.default.createDirectory(at: lists, withIntermediateDirectories: true)
    let tags = try Self.digests(of: folder)
    let starts = Array(stride(from: 0, to: set.files.count, by: Self.pageSize))
    var bytes = 0
    for (number, start) in starts.enumerated() {
      let files = set.files[start..<min(start + Self.pageSize, set.files.count)]
      let next = number + 1 < starts.count ? number + 1 : nil
      let page = Data(Self.page(of: files, in: set.name, tags, next: next).utf8)
      try page.write(to: lists.appending(path: "\(number)"))
      bytes += page.count
    }
    pages = AccessLog.Traffic(requests: starts.count, bytes: bytes)
    let map = state.appending(path: "tags")
    try set.files.map { "/\(set.name)/\($0.path) '\"\(tags[$0.path] ?? "")\"';\n" }.joined()
      .write(to: map, atomically: true, encoding: .utf8)
    server = try Nginx(
      state: state, maps: Self.maps(tags: map),
      places: Self.places(set.name, files: folder, lists: lists))
  }

  /// An object's tag is the MD5 digest of its bytes, as where it was put in one piece.
  private static func digests(of folder: URL) throws -> [String: String] {
    let lines = try Tools.run("sh", ["-c", "cd '\(folder.path)' && md5sum -- *"])
    return lines.split(separator: "\n").reduce(into: [:]) { tags, line in
      tags[String(line.dropFirst(34))] = String(line.prefix(32))
    }
  }

  private static func page(
    of files: ArraySlice<DataSet.File>, in name: String, _ tags: [String: String], next: Int?
  ) -> String {
    let objects = files.map { file in
      let date = Date(timeIntervalSince1970: Double(file.date))
        .ISO8601Format().replacing("Z", with: ".000Z")
      return "<Contents><Key>\(file.path)</Key><LastModified>\(date)</LastModified>"
        + "<ETag>&quot;\(tags[file.path] ?? "")&quot;</ETag><Size>\(file.size)</Size>"
        + "<StorageClass>STANDARD</StorageClass></Contents>"
    }
    let token = next.map { "<NextContinuationToken>page-\($0)</NextContinuationToken>" } ?? ""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>\(name)</Name>\
      <Prefix></Prefix><MaxKeys>\(pageSize)</MaxKeys><EncodingType>url</EncodingType>\
      <KeyCount>\(files.count)</KeyCount><IsTruncated>\(next != nil)</IsTruncated>\
      \(token)\(objects.joined())</ListBucketResult>
      """
  }

  private static func maps(tags: URL) -> String {
    """
      map_hash_max_size 65536;
      map_hash_bucket_size 128;
      map $args $page {
        default 0;
        "~(^|&)continuation-token=page-(?<number>[0-9]+)" $number;
      }
      map $uri $tag {
        include \(tags.path);
      }
    """
  }

  private static func places(_ name: String, files: URL, lists: URL) -> String {
    """
    etag off;
        location ~ ^/\(name)/?$ {
          root \(lists.path);
          default_type application/xml;
          try_files /$page =404;
        }
        location /\(name)/ {
          alias \(files.path)/;
          add_header ETag $tag;
        }
    """
  }
}
