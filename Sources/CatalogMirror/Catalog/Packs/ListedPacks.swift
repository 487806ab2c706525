package import SyncText

/// The packs that a catalog names: files that hold many small ones, so that these come in few
/// requests. They are a hint, and each file lies at its own address besides.
package struct ListedPacks: Hashable, Sendable {
  /// A pack. It lies under its digest, so that it never changes.
  package struct Pack: Hashable, Sendable {
    /// In bytes.
    package var size: Int64
    package var sha256: SHA256Digest
    /// The address that its digest, in hexadecimal digits, is put behind.
    package var directory: String

    package var url: String { directory + sha256.description }
  }

  /// By their numbers.
  package private(set) var packs: [UInt32: Pack] = [:]

  /// The most that are taken of a listing; of a header that names more, none is. In 1 MB there is
  /// room for fewer.
  static let most = 1 << 14

  /// These packs.
  package init(_ packs: [UInt32: Pack] = [:]) { self.packs = packs }

  package var isEmpty: Bool { packs.isEmpty }

  /// In no order.
  package var all: some Collection<Pack> { packs.values }

  package subscript(number: UInt32) -> Pack? { packs[number] }

  /// Takes those of another page; of two of one number, the first counts. Where that makes more
  /// than ``most``, none of them is taken.
  mutating func add(_ others: ListedPacks) {
    if isEmpty { return self = others }
    let more = others.packs.keys.count { packs[$0] == nil }
    guard packs.count + more <= Self.most else { return }
    packs.merge(others.packs) { first, _ in first }
  }

  /// Reads the members `packs`, `[[number, size, "SHA-256"], …]`, and `packsAt` of a header. What
  /// can't be read of them is passed over.
  init(_ list: JSONValue?, at directory: String?, in catalog: URLReference) {
    guard let list, list.isArray, !list.holds(moreThan: Self.most),
      let directory = directory.flatMap({ Self.address($0, in: catalog) })
    else { return }
    list.forEachElement { element in
      guard element.isArray, !element.holds(moreThan: 3), let parts = element.elements,
        parts.count == 3, let number = parts[0].integer.flatMap(UInt32.init(exactly:)),
        let size = parts[1].integer, size > 0,
        let sha256 = parts[2].string.flatMap({ SHA256Digest(hexadecimal: $0) }),
        packs[number] == nil
      else { return }
      packs[number] = Pack(size: size, sha256: sha256, directory: directory)
    }
  }

  /// The address of the directory, seen from the catalog's own; `nil` where it isn't followed.
  private static func address(_ text: String, in catalog: URLReference) -> String? {
    guard let url = URLReference(text)?.resolved(against: catalog),
      LocatorRules(catalog: catalog).problem(withNext: url) == nil, url.query == nil
    else { return nil }
    return url.text
  }
}
