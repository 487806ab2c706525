/// Which documents are asked for, and in which order.
///
/// ```swift
/// var query = DocumentQuery(in: "notes", where: .greater(["meta", "stars"], 3))
/// query.order = [DocumentOrder(["title"])]
/// query.limit = 20
/// ```
///
/// Documents that are deleted or may not be read are never found, and what programs never see of a
/// document (the times of its members) isn't there.
public struct DocumentQuery: Sendable, Hashable {
  /// The collection that they are at home in; `nil` for any.
  public var collection: String?
  /// The server, by the address that it's known by; `nil` for any.
  public var server: String?
  /// Whose they are; `nil` for anybody's.
  public var account: String?
  /// What they must be like; `nil` if nothing is said of that.
  public var condition: DocumentCondition?
  /// What they are sorted by. What is equal in all of it is sorted by id, by its bytes.
  public var order: [DocumentOrder] = []
  /// How many are wanted at most; `nil` for all.
  public var limit: Int?
  /// How many of the first are left out.
  public var offset = 0

  /// All of a collection, or of the whole store, that are so.
  public init(in collection: String? = nil, where condition: DocumentCondition? = nil) {
    self.collection = collection
    self.condition = condition
  }

  /// All of a collection, as one account of a server has it, that are so.
  package init(in scope: DocumentScope, where condition: DocumentCondition? = nil) {
    (server, account, collection) = (scope.server, scope.account, scope.collection)
    self.condition = condition
  }

  /// Also asks for this.
  public mutating func add(_ condition: DocumentCondition) {
    self.condition = self.condition.map { .and([$0, condition]) } ?? condition
  }

  package func means(_ scope: DocumentScope) -> Bool {
    [(server, scope.server), (account, scope.account), (collection, scope.collection)].allSatisfy {
      wanted, name in wanted.map { $0.utf8.elementsEqual(name.utf8) } ?? true
    }
  }
}

/// What documents are sorted by: the value at a path.
///
/// Those without one come first, then `null`, false, true, numbers, strings, arrays and objects,
/// the latter two in an order that means nothing and is always the same.
public struct DocumentOrder: Sendable, Hashable {
  /// The path.
  public var path: DocumentPath
  /// Whether it's the other way round.
  public var isDescending: Bool

  /// By the value at a path.
  public init(_ path: DocumentPath, isDescending: Bool = false) {
    self.path = path
    self.isDescending = isDescending
  }

  /// Reads it as people write it: a path, behind a `-` if it's the other way round.
  public init(parsing text: String) throws(DocumentQueryProblem) {
    isDescending = text.hasPrefix("-")
    path = try DocumentPath(parsing: isDescending ? String(text.dropFirst()) : text)
  }
}
