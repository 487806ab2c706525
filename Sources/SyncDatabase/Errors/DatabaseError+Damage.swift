extension DatabaseError {
  /// What `body` gives. Its statements all fit the schema that it left, and its values the types:
  /// where one doesn't, it is the file that isn't as it was left, and the error is `.damaged`.
  package static func asDamage<Result>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as DatabaseError {
      throw error.asDamage
    }
  }

  /// The same, of what blocks the calling thread.
  package static func asDamage<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw error.asDamage
    }
  }

  private var asDamage: DatabaseError {
    var error = self
    switch code {
    case .statement, .wrongType, .constraint: error.code = .damaged
    case .damaged, .newerVersion, .busy, .withoutLocks, .full, .readOnly, .cannotOpen,
      .inputOutput, .misuse, .other:
      break
    }
    return error
  }
}
