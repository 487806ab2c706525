import SyncText

/// A list of digests as `sha256sum` writes it: `<64 digits>  name`, `<64 digits> *name`, with a
/// leading backslash the name's `\\`, `\n` and `\r` being escapes, and the tagged form
/// `SHA256 (name) = <64 digits>`.
///
/// A bare list of unknown origin, and it can be cut between two lines unnoticed: never whole by
/// itself, only by a person's word. A line of any other form makes it unreadable.
package struct SHA256SumsFormat: CatalogFormat {
  package let name = CatalogFormatName.sha256sums
  package let noun = "a list of SHA-256 digests"

  package func recognises(_ body: CatalogBody) -> Bool {
    var lines = body.lines
    return lines.next().flatMap { SumsLine(body.bytes[$0]) } != nil
  }

  package func page(
    _ body: CatalogBody, within limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    var page = CatalogPage(format: name, claim: .unvouchable)
    let reader = EntryLocator(body: body)
    var lines = body.lines
    var number = 0
    while let range = lines.next() {
      number += 1
      guard let line = SumsLine(body.bytes[range]) else {
        throw body.unreadable(expected: .format(name), found: .line(number))
      }
      page.entries.append(reader.entry(line, position: number))
      try body.checkCount(number, limits)
    }
    guard body.bytes.last == UInt8(ascii: "\n") else {
      throw body.unreadable(expected: .format(name), found: .cutLine)
    }
    return page
  }
}

extension CatalogFormatName {
  /// The output of `sha256sum`.
  package static let sha256sums = Self("sha256sums")
}

/// One line: a digest and a name.
private struct SumsLine {
  let digest: SHA256Digest
  let name: [UInt8]

  init?(_ line: ArraySlice<UInt8>) {
    var text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    let isEscaped = text.first == UInt8(ascii: "\\")
    if isEscaped { text.removeFirst() }
    let parts = Self.tagged(text) ?? Self.plain(text)
    guard let (hexadecimal, raw) = parts, !raw.isEmpty,
      let digest = SHA256Digest(hexadecimal: String(decoding: hexadecimal, as: UTF8.self)),
      let name = isEscaped ? Self.unescape(raw) : Array(raw)
    else { return nil }
    self.digest = digest
    // sha256sum is often run on ".", which gives names that begin with "./".
    self.name = name.starts(with: "./".utf8) && name.count > 2 ? Array(name.dropFirst(2)) : name
  }

  private static func plain(
    _ text: ArraySlice<UInt8>
  ) -> (ArraySlice<UInt8>, ArraySlice<UInt8>)? {
    let mark = text.dropFirst(64).prefix(2)
    guard mark.elementsEqual("  ".utf8) || mark.elementsEqual(" *".utf8) else { return nil }
    return (text.prefix(64), text.dropFirst(66))
  }

  private static func tagged(
    _ text: ArraySlice<UInt8>
  ) -> (ArraySlice<UInt8>, ArraySlice<UInt8>)? {
    let head = "SHA256 (".utf8
    let middle = ") = ".utf8
    guard text.starts(with: head), text.count > head.count + middle.count + 64,
      text.dropLast(64).suffix(middle.count).elementsEqual(middle)
    else { return nil }
    return (text.suffix(64), text.dropFirst(head.count).dropLast(64 + middle.count))
  }

  private static func unescape(_ name: ArraySlice<UInt8>) -> [UInt8]? {
    var output: [UInt8] = []
    var rest = name
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        output.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "\\"): output.append(byte)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "r"): output.append(0x0D)
      default: return nil
      }
    }
    return output
  }
}

/// Makes entries whose locator is their key, seen from the list's own URL.
private struct EntryLocator {
  let body: CatalogBody

  func entry(_ line: SumsLine, position: Int) -> ListedEntry {
    let key = CatalogKey(bytes: line.name)
    do throws(LocatorProblem) {
      guard let own = URLReference("./" + PercentEncoding.encode(path: line.name)) else {
        throw .notAURL
      }
      let url = own.resolved(against: body.url)
      try LocatorRules(catalog: body.url).check(url)
      var entry = CatalogEntry(key: key, locators: [url.text], version: .digest(line.digest))
      entry.sha256 = line.digest
      return .entry(entry, settled: true)
    } catch {
      let problem = EntryProblem.locator(error)
      return .unusable(UnusableEntry(position: position, key: key, problem: problem))
    }
  }
}
