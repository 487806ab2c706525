import SyncText

/// An object that stands alone where a list would be: its members, and whether it looks like one of
/// a table's. An error of a service is such an object, too, and may have a key.
struct LoneObject: Sendable {
  private var names: [[UInt8]] = []
  /// Members that tell of an error.
  private var faults: [[UInt8]] = []
  private let excerpt: PayloadExcerpt

  /// - Parameter window: What the payload begins with, and all that it has.
  init(_ window: PayloadWindow) {
    excerpt = window.excerpt(of: 0)
    let element = window.elements[0]
    guard window.tape.kind(of: element) == .object else { return }
    var (names, faults): ([[UInt8]], [[UInt8]]) = ([], [])
    window.tape.forEachMember(of: element) { name, value in
      names.append(name)
      let isFault = name.elementsEqual("error".utf8) || name.elementsEqual("errors".utf8)
      if isFault, window.tape.isAnything(value) { faults.append(name) }
    }
    (self.names, self.faults) = (names, faults)
  }

  /// Throws where it is none of the table's objects.
  ///
  /// - Parameter place: The table, if it is there already.
  func require(in schema: RecordSchema, _ place: Int?, named table: String) throws {
    var (isKeyed, isOther, isKnown) = (place == nil, false, false)
    if let place {
      let key = schema.tables[place].key.columns
      for name in names {
        let meaning = schema.meaning(of: name, in: schema.members[place])
        let column = meaning?.column
        let isKey = column.map { $0.table == place && key.contains($0.column) } ?? false
        isKeyed = isKeyed || isKey
        isOther = isOther || !isKey
        isKnown = isKnown || !isKey && meaning != nil
      }
    }
    // What has no key is told as that.
    guard isKeyed else { return }
    let fault = faults.first { fault in
      place.map { schema.meaning(of: fault, in: schema.members[$0]) == nil } ?? true
    }
    if let fault {
      throw PayloadProblem.errorBody(member: ByteString.escape(fault), excerpt)
    }
    guard place == nil || !isOther || isKnown else {
      throw PayloadProblem.strangeObject(table: table, excerpt)
    }
  }
}
