package import SyncDatabase
private import SyncText

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

  /// The other forms of a key in which programs are known to store it, without those that an index
  /// finds anyway.
  package func forms(of value: StoredValue) -> [StoredValue] {
    let meaning = canonical(value)
    var forms: [StoredValue] = []
    for form in knownForms(of: value) + [value] where canonical(form) == meaning {
      if !forms.contains(where: { $0.isIdentical(to: form) }) { forms.append(form) }
    }
    return forms.filter { !$0.isIdentical(to: value) }
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
  /// A to Z in capitals.
  fileprivate var asciiUppercased: String {
    String(decoding: utf8.map(\.asCapital), as: UTF8.self)
  }

  fileprivate var asciiCapitalized: String { String(prefix(1)).asciiUppercased + dropFirst() }
}
