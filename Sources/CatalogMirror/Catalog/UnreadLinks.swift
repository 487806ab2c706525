import SyncText

/// The links of a page that can't be understood: nobody knows what they list.
package struct UnreadLinks: Hashable, Sendable {
  package private(set) var count = 0
  /// The first of them, fit for messages.
  package private(set) var example = ""

  package init() {}

  /// Takes one more, as it is written. What stands behind a question mark or before an `@` may be
  /// a secret.
  mutating func add(_ link: String) {
    count += 1
    guard count == 1 else { return }
    var shown = link.prefix { $0 != "?" && $0 != "#" }
    if let at = shown.lastIndex(of: "@") { shown = shown[at...].dropFirst() }
    let rest = link.contains("?") ? "?…" : ""
    example = ByteString.escape(String(shown.prefix(60)).utf8) + rest
  }
}
