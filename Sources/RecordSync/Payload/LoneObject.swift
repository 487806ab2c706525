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

/// What the elements of a body tell of errors, held against a table.
struct ErrorElements {
  private let schema: RecordSchema
  private let place: Int
  private var first: (fault: [UInt8]?, excerpt: PayloadExcerpt)?
  /// Whether all so far tell of errors, and the table knows nothing of the first but a key.
  private var isOnly = true
  /// Whether all so far look like errors, and are no rows that are there.
  private var isInDoubt = true
  /// How the last one looks, where it looks like an error, and has no key.
  private var end: PayloadExcerpt?

  init(in schema: RecordSchema, _ place: Int) {
    (self.schema, self.place) = (schema, place)
  }

  /// Takes the elements of a window, unless some came already that are something else.
  ///
  /// - Parameter isThere: Whether the table has a row of the element's key.
  mutating func add(_ window: PayloadWindow, isThere: (_ index: Int) throws -> Bool) rethrows {
    for index in window.elements.indices where isOnly || isInDoubt {
      let members = window.tape.errorMembers(of: window.elements[index])
      let facts = ErrorFacts(members, in: schema, place)
      let fault = members.first(where: \.tells)?.name
      if first == nil {
        first = (fault, window.excerpt(of: index))
        isOnly = facts.isKeyed && !facts.isKnown
      }
      isOnly = isOnly && fault != nil
      isInDoubt = try isInDoubt && facts.mayBeErrorInList && !isThere(index)
    }
    guard let last = window.elements.indices.last else { return }
    let facts = ErrorFacts(
      window.tape.errorMembers(of: window.elements[last]), in: schema, place)
    end = !facts.isKeyed && facts.mayBeErrorInList ? window.excerpt(of: last) : nil
  }

  /// Throws where there were no others, and gives what is wrong if rows would go for these.
  func require() throws -> PayloadProblem? {
    guard let (fault, excerpt) = first else { return nil }
    if isOnly, let fault {
      throw PayloadProblem.errorElements(member: ByteString.escape(fault), excerpt)
    }
    let table = schema.tables[place].name
    return isInDoubt
      ? .likeErrors(table: table, excerpt) : end.map { .errorAtEnd(table: table, $0) }
  }
}

/// A member of an object, as one of an error would be.
private struct ErrorMember {
  var name: [UInt8]
  var word: ErrorWord.Meaning?
  /// What its value tells of an error.
  var told: ErrorWord.Meaning?
  /// Whether its value is how an error is called.
  var namesError: Bool

  /// Whether it says what went wrong.
  var tells: Bool { told == .fault || told == .message }
}

extension JSONTape {
  fileprivate func errorMembers(of element: Node) -> [ErrorMember] {
    guard kind(of: element) == .object else { return [] }
    var members: [ErrorMember] = []
    forEachMember(of: element) { name, value in
      let word = ErrorWord(name)
      members.append(
        ErrorMember(
          name: name, word: word?.meaning, told: word?.told(by: value, in: self),
          namesError: ErrorText(smallText(value)).namesError))
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
  private var hasForeignMessage = false
  private var hasCode = false
  private var hasForeignCode = false
  private var hasForeignOutcome = false
  /// Whether its key, its name or the like is how an error is called.
  private var isNamed = false
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
      let isWord = member.word != nil && member.word != .label
      isKeyed = isKeyed || isKey
      isOther = isOther || !isKey
      isKnown = isKnown || !isKey && meaning != nil
      isPlain = isPlain || !isKey && meaning != nil && !isWord
      isNamed = isNamed || isKey && member.namesError
      if !isKey { take(member, isColumn: meaning != nil) }
    }
  }

  private mutating func take(_ member: ErrorMember, isColumn: Bool) {
    switch member.told {
    case .fault, .verdict:
      if !isColumn { fault = fault ?? member.name }
    case .outcome, .status:
      hasCode = true
      hasForeignOutcome = hasForeignOutcome || !isColumn
    case .code:
      hasCode = true
      hasForeignCode = hasForeignCode || !isColumn
    case .message:
      hasMessage = true
      hasForeignMessage = hasForeignMessage || !isColumn
    case .label, .other: isNamed = true
    case nil: break
    }
  }

  /// Whether it says which error and why, and all that the table knows of it are words of errors,
  /// or the table doesn't know how it ended.
  var mustBeError: Bool { hasMessage && (isOfWords && hasCode || hasForeignOutcome) }

  /// Whether it looks like an error, unless the table has its row.
  var mayBeError: Bool {
    hasForeignOutcome || isOfWords && (hasCode || hasMessage)
      || hasMessage && (hasForeignCode || isNamed) || hasForeignMessage && hasCode
  }

  /// Whether one of a list looks like an error, unless the table has its row.
  var mayBeErrorInList: Bool { fault != nil || hasMessage && (hasCode || isNamed) }

  private var isOfWords: Bool { isThere && isKnown && !isPlain }
}
