/// What a feed says of itself, beside its items.
struct FeedHead {
  private(set) var title: String?
  private(set) var next: String?
  private var archive: String?
  private var isComplete = false
  private var isArchive = false

  /// Takes an element of the feed that is no item.
  mutating func take(_ element: MarkupElement) {
    switch (element.name, element.namespace) {
    case ("title", ""), ("title", FeedNamespace.atom): title = title ?? element.text
    case ("link", FeedNamespace.atom):
      switch element.attribute("rel") {
      case "next": next = next ?? element.attribute("href")
      case "prev-archive": archive = archive ?? element.attribute("href")
      default: break
      }
    case ("complete", FeedNamespace.history): isComplete = true
    case ("archive", FeedNamespace.history): isArchive = true
    default: break
    }
  }

  /// How a feed goes on (RFC 5005): through its archives, where it has any.
  var following: String? { archive ?? next }

  /// Whether it is whole as far as it says. A complete feed is (RFC 5005, section 2); an archived
  /// one is where each page to the last one is an archive (section 4); a paged one may always lack
  /// something (section 3).
  var isWhole: Bool { isComplete || isArchive || archive != nil }
}
