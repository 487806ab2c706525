import DocumentSync
import SyncText

/// A row of a service as a document.
struct RestRow: Sendable, Equatable {
  let id: DocumentID
  /// The date of its last change, as the service wrote it in JSON; `nil` where rows have none.
  let date: String?
  /// What the row says besides; `nil` where it was deleted.
  let content: DocumentValue?
  /// Whether its key is a number, which is written so again. It's a part of the version also where
  /// all keys are said to be numbers: so stores know a row by the same, whoever was told that.
  var hasNumericKey = false
  /// Whether its version is a whole digest.
  var hasWholeDigest = false

  var state: DocumentState {
    guard let content else {
      return .deleted(date.map { version(date: $0, of: [:]) })
    }
    return .present(
      ServerCopy(
        value: content, version: version(date: date, of: content),
        time: date.flatMap { RestDate($0)?.time }))
  }

  private func version(date: String?, of content: DocumentValue) -> DocumentVersion {
    RestVersion(
      date: date, content: content, hasNumericKey: hasNumericKey, isWhole: hasWholeDigest
    ).version
  }
}

/// What was read of an entry.
enum RestReading: Sendable, Equatable {
  case row(RestRow)
  /// It is no row, for this reason; whose it is, if that can be read.
  case unreadable(DocumentID?, String)

  var row: RestRow? { if case .row(let row) = self { row } else { nil } }

  /// Whose it is, if that can be read.
  var id: DocumentID? {
    switch self {
    case .row(let row): row.id
    case .unreadable(let id, _): id
    }
  }
}

extension RestDialect {
  /// Reads an entry of a list, which may be no document.
  func row(read entry: JSONValue) -> RestReading {
    let value: DocumentValue
    do throws(DocumentProblem) {
      value = try DocumentValue(bytes: Array(entry.written))
    } catch {
      // Whose it is can still be read where rows are as they are written.
      let key = reading == nil ? entry[Array(key.utf8)] : nil
      return .unreadable(key.flatMap { id(writtenAs: $0) }, "\(error)")
    }
    return row(of: value)
  }

  func row(of written: DocumentValue) -> RestReading {
    let value: DocumentValue
    do {
      value = try reading?(written) ?? written
    } catch {
      return .unreadable(id(of: written), "\(error)")
    }
    guard value.isObject else { return .unreadable(nil, "it is no object") }
    guard let id = id(of: value) else {
      return .unreadable(nil, problem(withKey: value[key]))
    }
    let date = modified.flatMap { value[$0]?.text }
    if let modified {
      guard let date, RestDate(date) != nil else {
        return .unreadable(id, "its member \"\(modified)\" is no date")
      }
    }
    let isGone = deleted.flatMap { value[$0]?.isTrue } ?? false
    return .row(
      RestRow(
        id: id, date: date, content: isGone ? nil : content(of: value),
        hasNumericKey: !hasEntityTags && value[key]?.string == nil,
        hasWholeDigest: hasEntityTags))
  }

  /// The row as the service is to have it.
  ///
  /// - Parameters:
  ///   - id: its key; `nil` for one that the service makes.
  ///   - version: that it was changed from.
  func row(
    of content: DocumentValue, _ id: DocumentID?, changedFrom version: RestVersion?
  ) throws -> DocumentValue {
    var row = try writing?(content) ?? content
    let isNumber = hasNumericKeys || version?.hasNumericKey ?? false
    if let id {
      let text = DocumentValue(key(of: id) ?? id.text)
      row = row.replacing(ByteString(key), with: isNumber ? number(id) : text)
    }
    if let modified, let date = version?.date {
      row = row.replacing(ByteString(modified), with: try DocumentValue(parsing: date))
    }
    return row
  }

  /// Why a service could never have a document; `nil` if nothing is known against it.
  ///
  /// - Parameter id: its key; `nil` for one that the service makes.
  func problem(with id: DocumentID?, _ content: DocumentValue) -> String? {
    guard content.isObject else { return "a row is an object" }
    if let id {
      guard let key = key(of: id) else { return "ids of its model begin with \"\(prefix)\"" }
      if key.isEmpty || [".", ".."].contains(key) { return "a row can't have the key \"\(key)\"" }
    }
    if hasNumericKeys, let id, number(id) == nil {
      return "the service's keys are numbers, and \"\(id.text)\" is none; where it makes them"
        + " itself, declare that of the model with RestDialect(serverKeys:)"
    }
    for name in [key, modified, deleted, conflict].compactMap(\.self) where content[name] != nil {
      return "the member \"\(name)\" is the service's own; give it another name"
    }
    guard clearsNulls else { return nil }
    return content.objectMembers.contains { $0.value.isNull }
      ? "a member is null, which this service takes for one that isn't there; leave it out" : nil
  }

  private func content(of value: DocumentValue) -> DocumentValue {
    let own = Set([key, modified, deleted, conflict].compactMap(\.self).map { ByteString($0) })
    return DocumentValue(
      joining: value.objectMembers.filter {
        !own.contains($0.name) && !(clearsNulls && $0.value.isNull)
      })
  }

  /// Why what stands as a row's key is none.
  private func problem(withKey found: DocumentValue?) -> String {
    guard let found else { return "it has no key \"\(key)\"" }
    let value = "its key \"\(key)\", \(found.text.prefix(40)),"
    return hasNumericKeys
      ? "\(value) is no whole number, which RestDialect(hasNumericKeys:) says that keys are"
      : "\(value) is neither a text nor a whole number"
  }

  private func id(of value: DocumentValue) -> DocumentID? {
    value[key].flatMap { id(writtenAs: $0.json) }
  }

  private func id(writtenAs key: JSONValue) -> DocumentID? {
    let text =
      (hasNumericKeys ? nil : key.string) ?? key.number?.integer.map { "\($0)" }
    return text.flatMap { $0.isEmpty ? nil : DocumentID(prefix + $0) }
  }

  /// A key that is a number, as one; `nil` if it's none.
  func number(_ id: DocumentID) -> DocumentValue? {
    guard let key = key(of: id) else { return nil }
    return Int64(key).flatMap { "\($0)" == key ? DocumentValue($0) : nil }
  }
}

extension DocumentValue {
  /// Whether a flag is set: a value counts, not that it is there.
  var isTrue: Bool { bool ?? (integer.map { $0 != 0 } ?? false) }
}

/// The name of a row's version: its date, and a digest of what it says, since dates may be coarse.
struct RestVersion: Sendable, Equatable {
  let date: String?
  private let digest: String

  private static let numberMark = "#"

  /// - Parameter isWhole: whether all of the digest names it, as stores know the documents of a
  ///   plain document service, instead of its first half.
  init(
    date: String?, content: DocumentValue, hasNumericKey: Bool = false, isWhole: Bool = false
  ) {
    self.date = date
    let digest = "\(SHA256Digest(of: content.json.canonicalBytes))".prefix(isWhole ? 64 : 32)
    self.digest = (hasNumericKey ? Self.numberMark : "") + digest
  }

  init(_ version: DocumentVersion) {
    let cut = version.text.lastIndex(of: "/")
    date = cut.map { String(version.text[..<$0]) }
    digest = cut.map { String(version.text[version.text.index(after: $0)...]) } ?? version.text
  }

  var hasNumericKey: Bool { digest.hasPrefix(Self.numberMark) }

  var version: DocumentVersion {
    DocumentVersion(date.map { "\($0)/\(digest)" } ?? digest)
  }
}

/// A date as a service writes it.
struct RestDate: Sendable, Equatable {
  let text: String
  /// Milliseconds since 1970, or the number that it is: what dates are compared by.
  let order: Int64
  /// Milliseconds since 1970; `nil` for a number, which may count anything.
  let time: Int64?
  let parameter: String

  init?(_ json: String) {
    guard let value = try? DocumentValue(parsing: json) else { return nil }
    if let string = value.string {
      guard let time = Timestamp(string) else { return nil }
      (order, self.time, parameter) = (time.milliseconds, time.milliseconds, string)
    } else {
      guard let integer = value.integer else { return nil }
      (order, time, parameter) = (integer, nil, value.text)
    }
    text = json
  }
}
