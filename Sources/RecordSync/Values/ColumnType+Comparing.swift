package import SyncDatabase
private import SyncText

extension ColumnType {
  /// Whether a column already holds what is to be stored in it, so that nothing need be written.
  ///
  /// To the byte, but for values that mean the same in another form, whoever put them there: JSON
  /// with its members in another order, the same moment, truth value or UUID, bytes that were
  /// stored as text. A value that isn't of the column's type is the same as what its own export
  /// gives.
  /// - Parameter new: As ``stored(_:in:)`` gives it.
  package func isSame(_ stored: StoredValue?, _ new: StoredValue?) -> Bool {
    guard let stored, let new else { return stored == nil && new == nil }
    if stored == new { return true }
    return isAlike(stored, new) ?? exports(stored, as: new)
  }

  /// Whether two values that differ mean the same; `nil` if one of them isn't of this type.
  private func isAlike(_ stored: StoredValue, _ new: StoredValue) -> Bool? {
    switch kind {
    case .json:
      return compare(stored.json, new.json) { $0.means(theSameAs: $1) }
    case .date(let storage):
      // Whole seconds are all that a column of integers is given.
      let isRounded = storage == .seconds && affinity != .real
      return compare(stored.moment(as: storage), new.moment(as: storage)) {
        isRounded ? $0.seconds == $1.seconds : $0 == $1
      }
    case .boolean:
      return compare(stored.truth, new.truth, by: ==)
    case .uuid:
      return compare(UUIDText(stored), UUIDText(new), by: ==)
    case .blob:
      if stored.bytes == new.bytes { return true }
      guard case (.text, .text) = (stored, new) else { return nil }
      return compare(stored.json, new.json) { $0.means(theSameAs: $1) }
    case .text, .integer, .real, .decimal, .url, .any:
      return stored.hasType(of: new) ? false : nil
    }
  }

  private func compare<Meaning>(
    _ one: Meaning?, _ other: Meaning?, by areEqual: (Meaning, Meaning) -> Bool
  ) -> Bool? {
    guard let one, let other else { return nil }
    return areEqual(one, other)
  }

  /// Whether a value comes back as the other one when its export is read.
  private func exports(_ stored: StoredValue, as new: StoredValue) -> Bool {
    var text: [UInt8] = []
    json(of: stored, to: &text)
    var tape = JSONTape(nesting: 512)
    tape.begin(text)
    guard let (root, _) = try? tape.append(at: 0),
      case .stored(let again?, _) = self.stored(root, in: tape)
    else { return false }
    return again == new
  }
}

/// Keys that mean the same row in several forms, whoever stored them.
extension ColumnType {
  /// Whether a key of this type may stand in a column in more forms than one.
  package var hasForms: Bool {
    switch kind {
    case .uuid, .date, .boolean, .any, .blob: true
    case .text, .integer, .real, .decimal, .url, .json: false
    }
  }

  /// What is equal for all forms of a key: not always what a column would hold.
  package func canonical(_ value: StoredValue) -> StoredValue {
    switch kind {
    case .uuid: return UUIDText(value).map { .text($0.canonical) } ?? value
    case .date(let storage):
      guard let moment = value.moment(as: storage) else { return value }
      // Whole seconds are all that a column of integers holds.
      let isRounded = storage == .seconds && affinity != .real
      return .integer(isRounded ? moment.seconds * 1_000 : moment.milliseconds)
    case .boolean: return value.truth.map { .integer($0 ? 1 : 0) } ?? value
    case .any: return value.wholeNumber.map { .integer($0) } ?? value
    case .blob: return value.bytes.map { .blob($0) } ?? value
    case .text, .integer, .real, .decimal, .url, .json: return value
    }
  }

  /// The other forms in which programs store a key, without those that an index finds anyway.
  package func forms(of value: StoredValue) -> [StoredValue] {
    let meaning = canonical(value)
    var forms: [StoredValue] = []
    for form in knownForms(of: value) + [value] where canonical(form) == meaning {
      if !forms.contains(form) { forms.append(form) }
    }
    return forms.filter { $0 != value }
  }

  private func knownForms(of value: StoredValue) -> [StoredValue] {
    switch kind {
    case .uuid: return UUIDText(value)?.forms ?? []
    case .date(let storage): return value.moment(as: storage)?.forms ?? []
    case .boolean:
      let words = value.truth == true ? ["true", "yes", "1"] : ["false", "no", "0"]
      let spelled = words + words.map(\.asciiUppercased) + words.map(\.asciiCapitalized)
      return spelled.map { .text($0) } + (value.truth.map { [.integer($0 ? 1 : 0)] } ?? [])
    case .any: return value.wholeNumber.map { [.integer($0), .text(String($0))] } ?? []
    case .blob:
      guard let bytes = value.bytes else { return [] }
      return [.blob(bytes)] + (String(validating: bytes, as: UTF8.self).map { [.text($0)] } ?? [])
    case .text, .integer, .real, .decimal, .url, .json: return []
    }
  }
}

extension StoredValue {
  /// The whole number that a value without a type is: a number, or the text that is written for it.
  fileprivate var wholeNumber: Int64? {
    switch self {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number)
    case .text(let text): Int64(text).flatMap { String($0) == text ? $0 : nil }
    case .blob: nil
    }
  }
}

extension UUIDText {
  /// As SQLite programs keep it: text with hyphens or without, in either case, or 16 bytes.
  fileprivate var forms: [StoredValue] {
    let plain = canonical.filter { $0 != "-" }
    let texts = [canonical, canonical.asciiUppercased, plain, plain.asciiUppercased]
    return texts.map { .text($0) } + [.blob(bytes)]
  }
}

extension Timestamp {
  /// As SQLite programs keep it: text with `T` or a blank, a fraction or none, a zone or none, the
  /// day alone; or a Unix time.
  fileprivate var forms: [StoredValue] {
    let full = text
    let (day, time) = (full.prefix(10), full.dropFirst(11).dropLast())
    var texts = [String(day)]
    for clock in [time, time.dropLast(4), time.dropLast(7)] {
      for zone in ["", "Z", "+00:00"] {
        texts += ["T", " "].map { "\(day)\($0)\(clock)\(zone)" }
      }
    }
    texts += ["T", " "].flatMap { ["\(day)\($0)\(time)000", "\(day)\($0)\(time)000+00:00"] }
    return texts.map { .text($0) } + [.integer(milliseconds), .integer(seconds)]
      + [.real(Double(milliseconds) / 1_000)]
  }
}

extension String {
  fileprivate var asciiUppercased: String {
    String(decoding: utf8.map(\.asCapital), as: UTF8.self)
  }

  fileprivate var asciiCapitalized: String { String(prefix(1)).asciiUppercased + dropFirst() }
}
