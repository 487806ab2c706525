import SyncText

/// How to read a JSON document as a catalog: where its items are, and which member of an item says
/// what.
///
/// The text is a list of `NAME=VALUE` with commas between, such as
/// `items=assets,key=name,url=browser_download_url,size=size`:
///
/// - `items` (required) is the path to the items: names of members with dots between (`a.b`), `.`
///   for a document that is an array itself. `[]` goes through each element of an array, so that
///   `items=[].assets` are the assets of all; `[type=file]` through those whose member has that
///   value, and `*` through each member of an object.
/// - `key` (required), `url`, `size`, `sha256`, `version`, `modified`, `title`, `order`,
///   `preview.url`, `preview.size`, `preview.sha256` and `preview.version` are what
///   [format 1](<doc:CatalogFormat>) calls so. Each is a path, or a text with paths in braces:
///   `key={tag_name}/{name}`. A member that the item lacks is looked up in what stands around it,
///   from the inside out. A number is a position in an array, and `links[rel=next]` its first
///   element with that member.
/// - In braces or alone, `@key` is the name of the member that the item is, `@address.2` the second
///   component of the path of the catalog's address, and `href|file` the last component of the
///   address in `href`.
/// - `next` is the path to the address of the next page; `?page` counts that parameter of the query
///   up from 1 until a page is empty; `?cursor=meta.next` sets it to what stands there, until
///   nothing does. Without it, pages are linked by `Link: rel="next"`.
/// - `count` is the path to the number of items of all pages together; where it agrees, the list is
///   whole. Without it, the list is whole only by a person's word.
///
/// A backslash before one of `,=.[]{}*?|@\` makes it part of a name. A digest may be written
/// `sha256:…`; those of other algorithms aren't used. Sizes may be numbers or digits in a string;
/// dates RFC 3339, as in mail and HTTP, or seconds or milliseconds since 1970, from 1980 on. What
/// can't be read as a date is still compared.
public struct JSONMapping: Hashable, Sendable {
  /// The text that it was read from.
  public let text: String
  let items: JSONPath
  let key: MappedValue
  let next: MappedNext?
  let fields: [MappedField: MappedValue]

  /// Reads a mapping.
  public init(_ text: String) throws(JSONMappingProblem) {
    var parts: [String: ArraySlice<MappingSign>] = [:]
    for part in MappingSign.signs(of: text).split(
      separator: .of(","), omittingEmptySubsequences: false)
    {
      guard let equals = part.firstIndex(of: .of("=")) else { throw .noValue(part.text) }
      let name = part[..<equals].text
      guard Self.names.contains(name) else { throw .unknownName(name) }
      guard parts.updateValue(part[(equals + 1)...], forKey: name) == nil else {
        throw .twice(name)
      }
    }
    guard let itemSigns = parts["items"] else { throw .missing("items") }
    guard let keySigns = parts["key"] else { throw .missing("key") }
    guard let items = JSONPath(itemSigns) else { throw .badPath("items", itemSigns.text) }
    guard let key = MappedValue(keySigns) else { throw .badPath("key", keySigns.text) }
    var fields: [MappedField: MappedValue] = [:]
    for field in MappedField.allCases {
      guard let signs = parts[field.rawValue] else { continue }
      guard let value = MappedValue(signs) else { throw .badPath(field.rawValue, signs.text) }
      fields[field] = value
    }
    next = try parts["next"].map { signs throws(JSONMappingProblem) in
      guard let next = MappedNext(signs) else { throw .badPath("next", signs.text) }
      return next
    }
    (self.text, self.items, self.key, self.fields) = (text, items, key, fields)
  }

  static let names = ["items", "key", "next"] + MappedField.allCases.map(\.rawValue)
}

/// A field of an entry, or of the whole list, that a mapping may name.
enum MappedField: String, Hashable, Sendable, CaseIterable {
  case url, size, sha256, version, modified, title, order, count
  case previewURL = "preview.url"
  case previewSize = "preview.size"
  case previewDigest = "preview.sha256"
  case previewVersion = "preview.version"
}

/// What is wrong with the text of a ``JSONMapping``.
public enum JSONMappingProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// This part has no `=`.
  case noValue(String)
  /// There is no field of this name.
  case unknownName(String)
  /// This field is given twice.
  case twice(String)
  /// This field is needed.
  case missing(String)
  /// What this field is to be is neither a path nor a template.
  case badPath(String, String)

  /// A sentence that says what is wrong and what to write.
  public var description: String {
    switch self {
    case .noValue(let part):
      "'\(ByteString.escape(part))' isn't NAME=VALUE; write items=assets,key=name."
    case .unknownName(let name):
      """
      there is no field '\(ByteString.escape(name))' in a mapping; the fields are \
      \(JSONMapping.names.joined(separator: ", ")).
      """
    case .twice(let name): "the field '\(name)' is given twice; give it once."
    case .missing("items"):
      "the mapping doesn't say where the items are; add items=PATH, or items=. for a bare array."
    case .missing(let name): "the mapping has no '\(name)'; add \(name)=PATH."
    case .badPath(let name, let text):
      """
      \(name)=\(ByteString.escape(text)) is no path; write names with dots between, such as a.b, \
      or a text with such paths in braces.
      """
    }
  }
}

/// What is known by name of how services answer: a ``JSONMapping`` each.
enum JSONPreset {
  /// Name, what it is for sentences, and the mapping.
  private static let all = [
    // https://docs.github.com/en/rest/releases/releases: …/repos/OWNER/REPO/releases
    (
      "github-releases", "a list of GitHub releases",
      """
      items=[].assets,key={tag_name}/{name},url=browser_download_url,size=size,\
      sha256=digest,modified=updated_at
      """
    ),
    // https://docs.github.com/en/rest/orgs/orgs: /organizations, the pictures of all
    (
      "github-orgs", "a list of GitHub organizations",
      """
      items=.,key=login,url=avatar_url,preview.url={avatar_url}&s=64,\
      title=description
      """
    ),
    // https://huggingface.co/docs/hub/api: /api/models/OWNER/NAME/tree/REVISION?recursive=true
    (
      "huggingface-tree", "a tree of files of a Hugging Face model",
      """
      items=[type=file],key=path,\
      url=/{@address.3}/{@address.4}/resolve/{@address.6}/{path},size=size,\
      sha256=lfs.oid,version=oid
      """
    ),
    // https://github.com/radiantearth/stac-api-spec: …/collections/NAME/items, and …/search
    (
      "stac-items", "a collection of STAC items",
      """
      items=features[].assets.*,key={collection}/{id}/{@key}/{href|file},url=href,\
      size=file:size,sha256=file:checksum,modified=properties.updated,title=title,\
      preview.url=assets.thumbnail.href,next=links[rel=next].href
      """
    ),
    // https://archive.org/developers/md-read.html: /metadata/IDENTIFIER
    (
      "internet-archive", "an item's metadata of the Internet Archive",
      """
      items=files,key=name,url=/download/{metadata.identifier}/{name},size=size,\
      version=sha1,modified=mtime,title=title
      """
    ),
  ]

  static let formats: [any CatalogFormat] = all.compactMap { name, noun, text in
    (try? JSONMapping(text)).map { MappedFormat(name: CatalogFormatName(name), noun: noun, $0) }
  }
}
