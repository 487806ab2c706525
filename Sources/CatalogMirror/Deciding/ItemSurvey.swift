/// What one walk through all items of an index found, before anybody knew what is listed.
package struct ItemSurvey: Hashable, Sendable {
  var count = 0
  /// Whether one of them would have to be a directory for another.
  var nests = false
  /// Whether the content of any isn't held as listed.
  var lacksContent = false
  /// Whether the preview of any isn't held as listed.
  var lacksPreview = false

  /// What a further walk through the items still has to find out.
  var openQuestion: ItemWalk.Question { lacksContent || lacksPreview ? .lacks : .keys }

  /// Whether a listing is of all items and of nothing else, each is held as it is listed, and they
  /// can stand beside each other: then nothing is to be done.
  func isAll(of listing: Listing, _ wants: ItemNeed.Wants) -> Bool {
    guard listing.entries.isEmpty, listing.unusable.isEmpty, listing.leftOut.isEmpty,
      listing.known.count == count, !nests, !(wants.contents && lacksContent),
      !(wants.previews && lacksPreview)
    else { return false }
    // None twice, so all.
    var isNamed = Array(repeating: false, count: count)
    for line in listing.known {
      let place = Int(line.place)
      guard place < count, !isNamed[place] else { return false }
      isNamed[place] = true
    }
    return true
  }
}

extension IndexAccess {
  /// Looks at every item, without holding any, after ``knownLines()`` has looked at their lines.
  /// - Throws: `.damaged` for an item that isn't as it was recorded; `CancellationError`.
  package func survey() throws -> ItemSurvey {
    var survey = ItemSurvey()
    var nesting = NestingCheck()
    try walkItems(ItemWalk(question: .allButLines)) { key, lacks, _ in
      if survey.count.isMultiple(of: 1_024) { try Task.checkCancellation() }
      survey.count += 1
      if lacks.contains(.lacksContent) { survey.lacksContent = true }
      if lacks.contains(.lacksPreview) { survey.lacksPreview = true }
      if !survey.nests, nesting.isBelowAnother(key) { survey.nests = true }
    }
    return survey
  }
}
