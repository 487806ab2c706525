import SyncText

/// An object that stands alone where a list would be. An error of a service is such an object, too,
/// and may have a key.
struct LoneObject: Sendable {
  let window: PayloadWindow

  /// Throws where it is none of the table's objects.
  ///
  /// - Parameters:
  ///   - place: The table, if it is there already.
  ///   - isThere: Whether the table has a row of its key.
  func require(
    in schema: RecordSchema, _ place: Int?, named table: String, isThere: () throws -> Bool
  ) throws {
    let facts = ErrorFacts(of: 0, in: window, schema, place)
    // What has no key is told as that.
    guard facts.isKeyed || place == nil else { return }
    let excerpt = window.excerpt(of: 0)
    if let error = facts.error {
      throw PayloadProblem.errorBody(member: ByteString.escape(error), excerpt)
    }
    guard place == nil || !facts.isOther || facts.isKnown else {
      throw PayloadProblem.strangeObject(table: table, excerpt)
    }
    guard try facts.isFailure && !isThere() else { return }
    throw PayloadProblem.likeError(excerpt)
  }
}

/// What the elements of a body tell of errors, held against a table.
struct ErrorElements {
  private let schema: RecordSchema
  private let place: Int
  private let grows: Bool
  private var first: (fault: [UInt8]?, excerpt: PayloadExcerpt)?
  /// Whether all so far tell of errors, and the table knows nothing of the first but a key.
  private var isOnly = true
  /// Whether all so far look like errors, and are no rows that are there.
  private var isInDoubt = true
  /// How the last one looks, where it looks like an error, and has no key.
  private var end: PayloadExcerpt?

  /// - Parameter grows: Whether the table gets columns for what it doesn't know: then a message may
  ///   be one.
  init(in schema: RecordSchema, _ place: Int, grows: Bool = false) {
    (self.schema, self.place, self.grows) = (schema, place, grows)
  }

  /// Takes the elements of a window, unless some came already that are something else.
  ///
  /// - Parameter isThere: Whether the table has a row of the element's key.
  mutating func add(_ window: PayloadWindow, isThere: (_ index: Int) throws -> Bool) rethrows {
    for index in window.elements.indices where isOnly || isInDoubt {
      let facts = ErrorFacts(of: index, in: window, schema, place)
      let fault = facts.fault ?? (grows ? nil : facts.message)
      if first == nil {
        first = (fault, window.excerpt(of: index))
        isOnly = facts.isKeyed && !facts.isKnown
      }
      isOnly = isOnly && fault != nil
      isInDoubt = try isInDoubt && facts.isInDoubt && !isThere(index)
    }
    guard let last = window.elements.indices.last else { return }
    let facts = ErrorFacts(of: last, in: window, schema, place)
    end = !facts.isKeyed && facts.isInDoubt ? window.excerpt(of: last) : nil
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

extension RecordSchema {
  fileprivate func isKey(_ meaning: MemberMap.Meaning, of table: Int?) -> Bool {
    guard let column = meaning.column, column.table == table else { return false }
    return tables[column.table].key.columns.contains(column.column)
  }
}

/// What an object's members tell of an error, beside what a table knows of them.
private struct ErrorFacts {
  /// Whether it has a member of the key; any other; and one that the table knows.
  private(set) var isKeyed = false
  private(set) var isOther = false
  private(set) var isKnown = false
  /// The member `error` or `errors`, where that is nothing that the table knows.
  private(set) var error: [UInt8]?
  /// A member that tells of an error by its name, and one that says what happened.
  private(set) var fault: [UInt8]?
  private(set) var message: [UInt8]?
  /// Whether the table doesn't know one that tells of an error by its name.
  private var hasForeignFault = false
  private var hasCode = false
  /// Whether the table doesn't know the code, or what happened.
  private var isForeign = false
  /// Whether its key, its name or the like is how an error is called.
  private var isNamed = false

  /// - Parameter place: The table; `nil` where it isn't there.
  init(of index: Int, in window: PayloadWindow, _ schema: RecordSchema, _ place: Int?) {
    let element = window.elements[index]
    guard window.tape.kind(of: element) == .object else { return }
    window.tape.forEachMember(of: element) { name, value in
      let meaning = place.flatMap { schema.meaning(of: name, in: schema.members[$0]) }
      var isKey = meaning.map { schema.isKey($0, of: place) } ?? false
      if let inside = meaning?.inside, window.tape.kind(of: value) == .object {
        window.tape.forEachMember(of: value) { name, _ in
          let meaning = schema.meaning(of: name, in: inside)
          isKey = isKey || meaning.map { schema.isKey($0, of: place) } ?? false
        }
      }
      if isKey {
        isKeyed = true
        isNamed = isNamed || ErrorText(window.tape.smallText(value)).namesError
      } else {
        isOther = true
        isKnown = isKnown || meaning != nil
        let told = ErrorWord(name)?.told(by: value, in: window.tape)
        take(name, told, isColumn: meaning != nil)
      }
    }
  }

  private mutating func take(_ name: [UInt8], _ told: ErrorWord.Meaning?, isColumn: Bool) {
    switch told {
    case .error, .fault:
      fault = fault ?? name
      if told == .error, !isColumn { error = error ?? name }
      hasForeignFault = hasForeignFault || !isColumn
    case .verdict: hasForeignFault = hasForeignFault || !isColumn
    case .outcome, .status, .code:
      hasCode = true
      isForeign = isForeign || !isColumn
    case .message:
      message = message ?? name
      isForeign = isForeign || !isColumn
    case .label: isNamed = true
    case nil: break
    }
  }

  /// Whether it can hardly be anything else than an error: it says what happened beside a code of
  /// failure, and the table doesn't know both.
  var isFailure: Bool { message != nil && hasCode && isForeign }

  /// Whether it may be an error, so that no row should go for it.
  var isInDoubt: Bool { hasForeignFault || message != nil && (hasCode || isNamed) }
}
