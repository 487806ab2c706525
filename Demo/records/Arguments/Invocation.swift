import Console
import RecordSync

struct Invocation: CommandRequest {
  enum Command: String, CaseIterable, Sendable {
    case sync
    case verify
    case export
    case get
    case put
    case update
    case delete
    case undo
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
  var database = ""
  var schemaFile: String?
  var syncing = SyncRequest()
  var exporting = ExportRequest()
  var row = RowRequest()
  var undoFile = ""
  var guided: String?
  var style = Style.people
  /// Which rows are meant, in SQL.
  var condition = WrittenCondition()

  /// The files that it reads, and what SQLite has beside the database.
  var neededFiles: [String] {
    let database = ["", "-wal", "-shm", "-journal"].map { self.database + $0 }
    return database + [syncing.payload] + [schemaFile].compactMap { $0 }
  }

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
      syncing.condition = try condition.checked()
    case .export, .get:
      database = operands[0]
      exporting.table = operands[1]
      exporting.key = operands.dropFirst(2).first
      exporting.condition = try condition.checked()
      try exporting.check()
    case .put: (database, row.table, row.object) = (operands[0], operands[1], operands[2])
    case .update:
      (database, row.table) = (operands[0], operands[1])
      (row.key, row.object) = (operands[2], operands[3])
    case .delete: (database, row.table, row.key) = (operands[0], operands[1], operands[2])
    case .undo: (database, undoFile) = (operands[0], operands[1])
    case .schema: database = operands[0]
    case .completion, .manual: guided = operands.first
    }
  }
}

/// What `sync` and `verify` need to know of a payload and of the rows that it speaks of.
struct SyncRequest: Sendable {
  var table = ""
  /// A file, or `-` for standard input.
  var payload = ""
  var items: PayloadPath?
  /// Where in a body the address of the next page stands.
  var next: PayloadPath?
  /// What a server is told and shown.
  var access = SourceAccess()
  /// Hosts that may be at private or loopback addresses besides the payload's own.
  var allowedHosts: Set<String> = []
  /// How often a failure that may pass is tried again.
  var retries = 5
  var condition = WrittenCondition()
  var parent: ParentReference?
  /// What may be done; `nil` for everything.
  var operations: Operations?
  /// How many rows may be deleted; `nil` for what the payload's source allows.
  var removalLimit: RemovalLimit?
  var isStrict = false
  var creates = false
  /// Whether tables that are made keep numbers to the digit.
  var keepsDigits = false
  var isPlan = false
  /// Where what takes the sync back is kept.
  var undoFile: String?

  /// What can't be seen from one option alone.
  func check() throws {
    guard !isPlan || undoFile == nil else {
      throw UsageError("--plan and --undo contradict each other: a plan does nothing to take back")
    }
    guard next == nil || isAddress else {
      throw UsageError("--next is for a payload from an address: a file has no next page")
    }
  }

  var source: RecordPayload {
    var source =
      isAddress ? RecordPayload.address(address) : payload == "-" ? .standardInput : .file(payload)
    if let items { source.form = .items(items) }
    return source
  }

  private var isAddress: Bool {
    ["http://", "https://"].contains { payload.lowercased().hasPrefix($0) }
  }

  private var address: RecordAddress {
    var address = RecordAddress(payload)
    address.next = next
    address.access = access
    address.allowedHosts = allowedHosts
    address.retries = retries
    return address
  }

  /// What the library is asked for. A parent is looked for in the schema, since it is the schema
  /// that tells where in the text its key ends.
  func options(in store: RecordStore) async throws -> RecordOptions {
    var options = RecordOptions()
    options.creates = creates
    options.keepsDigits = keepsDigits
    options.operations = operations ?? .all
    options.removalLimit = removalLimit
    options.isStrict = isStrict
    options.isPlan = isPlan
    options.recordsUndo = undoFile != nil
    if condition.sql != nil || parent != nil {
      options.scope = RecordScope(
        condition: condition.sql, values: condition.values,
        parent: try await parent(in: store))
    }
    return options
  }

  private func parent(in store: RecordStore) async throws -> RecordScope.Parent? {
    guard let parent else { return nil }
    return try parent.parent(of: table, in: try await store.schema())
  }
}
