/// Two edits of a sequence of lines united.
enum LineMerge {
  typealias Line = [UInt8]
  static let feed = UInt8(ascii: "\n")

  /// What stands between the line feeds, so that putting them between it again gives the same text.
  static func lines(of text: String) -> [Line] {
    text.utf8.split(separator: feed, omittingEmptySubsequences: false).map(Array.init)
  }

  /// The lines with both edits; `nil` where these touch each other and differ.
  ///
  /// The lines that both sides kept cut all three sequences into pieces; in each piece at most one
  /// side may differ from the base.
  static func merge(base: [Line], here: [Line], there: [Line]) -> [Line]? {
    let (kept, keptThere) = (KeptLines(base, here), KeptLines(base, there))
    var merged: [Line] = []
    var (start, startHere, startThere) = (0, 0, 0)
    while true {
      var next = start
      while next < base.count, kept[next] == nil || keptThere[next] == nil { next += 1 }
      let endHere = kept[next] ?? here.count
      let endThere = keptThere[next] ?? there.count
      let piece = mergePiece(
        base[start..<next], here[startHere..<endHere], there[startThere..<endThere])
      guard let piece else { return nil }
      merged += piece
      guard next < base.count else { return merged }
      merged.append(base[next])
      (start, startHere, startThere) = (next + 1, endHere + 1, endThere + 1)
    }
  }

  private static func mergePiece(
    _ base: ArraySlice<Line>, _ here: ArraySlice<Line>, _ there: ArraySlice<Line>
  ) -> ArraySlice<Line>? {
    if here.elementsEqual(base) { return there }
    if there.elementsEqual(base) || there.elementsEqual(here) { return here }
    return nil
  }
}

private struct KeptLines {
  private var places: [Int?]

  /// Beyond so many lines that aren't the same at both ends, all of them count as one edit: to look
  /// for the smallest one takes time and memory by the square of their number.
  private static let mostCompared = 2_000

  init(_ base: [LineMerge.Line], _ edited: [LineMerge.Line]) {
    places = Array(repeating: nil, count: base.count)
    let shorter = min(base.count, edited.count)
    let head = zip(base, edited).prefix { $0 == $1 }.count
    let tail = zip(base.reversed(), edited.reversed()).prefix(shorter - head).prefix { $0 == $1 }
      .count
    for place in 0..<head { places[place] = place }
    for place in 0..<tail { places[base.count - 1 - place] = edited.count - 1 - place }
    let old = base[head..<base.count - tail]
    let new = edited[head..<edited.count - tail]
    guard old.count + new.count <= Self.mostCompared else { return }
    let difference = Array(new).difference(from: Array(old))
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    let stayed = old.indices.filter { !removed.contains($0 - head) }
    let present = new.indices.filter { !inserted.contains($0 - head) }
    for (place, now) in zip(stayed, present) { places[place] = now }
  }

  /// The place in the edited text of the base's line; `nil` if it went, and behind the last one.
  subscript(place: Int) -> Int? {
    place < places.count ? places[place] : nil
  }
}

extension MemberMerger {
  /// Merges text by its lines: edits of both sides are taken where at least one line that both left
  /// alone lies between them. The next policy decides about edits that touch each other
  /// differently, and about what is no text.
  public static let lines = MemberMerger { base, here, there in
    guard let base = base?.string, let here = here.string, let there = there.string,
      let lines = LineMerge.merge(
        base: LineMerge.lines(of: base), here: LineMerge.lines(of: here),
        there: LineMerge.lines(of: there))
    else { return nil }
    return DocumentValue(
      String(decoding: Array(lines.joined(separator: [LineMerge.feed])), as: UTF8.self))
  }
}
