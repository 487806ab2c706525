import Console
import OneWaySynchronizer
import RecordSync

/// What a command line asks for.
struct Invocation: CommandRequest {
  /// What is to be done.
  enum Command: String, CaseIterable, Sendable {
    case sync
    case verify
    case schema
    case completion
    case manual
  }

  /// How what happens is shown.
  enum Style: Sendable, Equatable {
    /// Sentences.
    case people
    /// One JSON object a line.
    case json
    /// Errors only.
    case quiet
  }

  var command: Command
  /// The path of the database.
  var database = ""
  /// The file of overrides.
  var schemaFile: String?
  var syncing = SyncRequest()
  /// What `manual` or `completion` is asked for.
  var guided: String?
  var style = Style.people

  init(command: Command) {
    self.command = command
  }

  mutating func take(_ operands: [String]) throws {
    switch command {
    case .sync, .verify:
      database = operands[0]
      syncing.table = operands[1]
      syncing.payload = operands[2]
      try syncing.check()
    case .schema: database = operands[0]
    case .completion, .manual: guided = operands.first
    }
  }
}

/// What `sync` and `verify` need to know of a payload and of the rows that it speaks of.
struct SyncRequest: Sendable, Equatable {
  var table = ""
  /// A file, or `-` for standard input.
  var payload = ""
  /// Where in the body the objects are.
  var items: PayloadPath?
  /// Which rows the payload speaks of, in SQL, with `?` for each value.
  var condition: String?
  var values: [RecordValue] = []
  var parent: ParentReference?
  /// What may be done; `nil` for everything.
  var operations: Operations?
  var removalLimit = RemovalLimit.unlimited
  var isStrict = false
  /// Whether `sync` only shows what it would do.
  var isPlan = false

  /// What can't be seen from one option alone.
  func check() throws {
    guard condition != nil || values.isEmpty else {
      throw UsageError("--bind is for a value of a condition, and there is none; say --where, too")
    }
  }

  /// The payload, read when it is asked for its objects.
  var source: RecordPayload {
    var source = payload == "-" ? RecordPayload.standardInput : .file(payload)
    if let items { source.form = .items(items) }
    return source
  }

  /// What the library is asked for. A parent is looked for in the schema, since it is the schema
  /// that tells where in the text its key ends.
  func options(in schema: RecordSchema) throws -> RecordOptions {
    var options = RecordOptions()
    options.operations = operations ?? .all
    options.removalLimit = removalLimit
    options.isStrict = isStrict
    options.isPlan = isPlan
    if condition != nil || parent != nil {
      options.scope = RecordScope(
        condition: condition, values: values, parent: try parent?.parent(of: table, in: schema))
    }
    return options
  }
}
