import SyncText

/// An object that stands alone where a list would be: its members, and whether it looks like one of
/// a table's. An error of a service is such an object, too, and may have a key.
struct LoneObject: Sendable {
  /// What the payload begins with, and all that it has.
  let window: PayloadWindow
  private let members: [ErrorMember]

  init(_ window: PayloadWindow) {
    self.window = window
    members = window.tape.errorMembers(of: window.elements[0])
  }

  /// Throws where it is none of the table's objects.
  ///
  /// - Parameters:
  ///   - place: The table, if it is there already.
  ///   - isThere: Whether the table has a row of its key.
  func require(
    in schema: RecordSchema, _ place: Int?, named table: String, isThere: () throws -> Bool
  ) throws {
    let facts = ErrorFacts(members, in: schema, place)
    // What has no key is told as that.
    guard facts.isKeyed || place == nil else { return }
    let excerpt = window.excerpt(of: 0)
    if let fault = facts.fault {
      throw PayloadProblem.errorBody(member: ByteString.escape(fault), excerpt)
    }
    guard place == nil || !facts.isOther || facts.isKnown else {
      throw PayloadProblem.strangeObject(table: table, excerpt)
    }
    guard try facts.mustBeError || facts.mayBeError && !isThere() else { return }
    throw PayloadProblem.likeError(table: table, excerpt)
  }
}

/// The elements of a list that tell of errors, and are nothing else: a list of nothing but these is
/// none of the table's.
struct ErrorElements {
  private var first: (members: [ErrorMember], PayloadExcerpt)?
  private var isOnly = true

  /// Takes the elements of a window, unless one came already that is something else.
  mutating func add(_ window: PayloadWindow) {
    for index in window.elements.indices where isOnly {
      let members = window.tape.errorMembers(of: window.elements[index])
      isOnly = members.contains(where: \.tells)
      if isOnly, first == nil { first = (members, window.excerpt(of: index)) }
    }
  }

  /// Throws where there were no others.
  func require(in schema: RecordSchema, _ place: Int) throws {
    guard isOnly, let (members, excerpt) = first else { return }
    let facts = ErrorFacts(members, in: schema, place)
    guard facts.isKeyed, !facts.isKnown, let fault = members.first(where: \.tells) else { return }
    throw PayloadProblem.errorElements(member: ByteString.escape(fault.name), excerpt)
  }
}

/// A member of an object, as one of an error would be.
private struct ErrorMember {
  var name: [UInt8]
  var meaning: ErrorWord.Meaning?
  var speaks: Bool

  /// Whether it says what went wrong.
  var tells: Bool { speaks && (meaning == .fault || meaning == .message) }
}

extension JSONTape {
  fileprivate func errorMembers(of element: Node) -> [ErrorMember] {
    guard kind(of: element) == .object else { return [] }
    var members: [ErrorMember] = []
    forEachMember(of: element) { name, value in
      let word = ErrorWord(name)
      members.append(
        ErrorMember(
          name: name, meaning: word?.meaning, speaks: word?.speaks(value, in: self) ?? false))
    }
    return members
  }
}

/// What an object's members tell of it, beside what a table knows of them.
private struct ErrorFacts {
  /// Whether it has a member of the key; any other; and one that the table knows.
  private(set) var isKeyed = false
  private(set) var isOther = false
  private(set) var isKnown = false
  /// A member that tells of an error and is nothing that the table knows.
  private(set) var fault: [UInt8]?
  private var isPlain = false
  private var hasMessage = false
  private var hasCode = false
  private var hasForeignCode = false
  private let isThere: Bool

  /// - Parameter place: The table; `nil` where it isn't there.
  init(_ members: [ErrorMember], in schema: RecordSchema, _ place: Int?) {
    isThere = place != nil
    for member in members {
      let meaning = place.flatMap { schema.meaning(of: member.name, in: schema.members[$0]) }
      let column = meaning?.column
      let isKey =
        place.map { place in
          column.map {
            $0.table == place && schema.tables[place].key.columns.contains($0.column)
          } ?? false
        } ?? false
      isKeyed = isKeyed || isKey
      isOther = isOther || !isKey
      isKnown = isKnown || !isKey && meaning != nil
      isPlain = isPlain || !isKey && meaning != nil && member.meaning == nil
      if !isKey { take(member, isColumn: meaning != nil) }
    }
  }

  private mutating func take(_ member: ErrorMember, isColumn: Bool) {
    guard member.speaks else { return }
    switch member.meaning {
    case .fault, .verdict:
      if !isColumn { fault = fault ?? member.name }
    case .outcome, .status, .code:
      hasCode = true
      hasForeignCode = hasForeignCode || !isColumn
    case .message: hasMessage = true
    case .other, nil: break
    }
  }

  /// Whether all that the table knows of it are words of errors, and it says which one and why.
  var mustBeError: Bool { isOfWords && hasCode && hasMessage }

  /// Whether it looks like an error, unless the table has its row.
  var mayBeError: Bool { isOfWords && (hasCode || hasMessage) || hasForeignCode && hasMessage }

  private var isOfWords: Bool { isThere && isKnown && !isPlain }
}
