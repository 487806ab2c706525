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
  /// By what the rows of the table that is synced are told apart, where that is said.
  var key: [String] = []
  /// The column by which rows are marked in place of being deleted.
  var deletedAt: String?
  var keepsHistory = false
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
      syncing.payload = try Value.address(operands[2])
      try syncing.check()
      syncing.condition = try condition.checked()
    case .export, .get:
      database = operands[0]
      exporting.table = operands[1]
      exporting.key = operands.dropFirst(2).first
      exporting.condition = try condition.checked()
      try exporting.check(needsRows: command == .get)
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

struct SyncRequest: Sendable {
  var table = ""
  /// A file, an address, or `-` for standard input.
  var payload = ""
  var items: PayloadPath?
  /// How an address is asked.
  var address = RecordAddress("")
  /// What stands between fields, where the payload is a table in text whatever its name says, and
  /// what stands for null in it.
  var separator: CSVForm.Separator?
  var nullOfTable: String?
  /// How its service pages, where that is known.
  var preset: PagingPreset?
  /// Where in a page the value is that this parameter says in the next request.
  var cursor: PayloadPath?
  var cursorParameter: String?
  /// What of the payload says that rows are gone.
  var deleted: DeletedMark?
  /// The column by which only what is new is asked for, and how.
  var since: String?
  var sinceParameter: String?
  var sinceForm: ExportedDates?
  var condition = WrittenCondition()
  var parent: ParentReference?
  /// What may be done; `nil` for everything.
  var operations: Operations?
  /// The options that a command line says as they are.
  var options = RecordOptions()
  /// Where what takes the sync back is kept.
  var undoFile: String?

  /// What can't be seen from one option alone.
  func check() throws {
    guard !options.isPlan || undoFile == nil else {
      throw UsageError("--plan and --undo contradict each other: a plan does nothing to take back")
    }
    if !isAddress, let scheme {
      throw UsageError(
        "the scheme \(scheme):// isn't known: name a file, - or an address of http or https")
    }
    guard isAddress || address.paging == .links && cursor == nil && preset == nil else {
      throw UsageError(
        "\(pager) is for a payload from an address: a file has no next page")
    }
    guard nullOfTable == nil || separator != nil else {
      throw UsageError("--csv-null goes with --csv; say both")
    }
    guard (since == nil) == (sinceParameter == nil), since != nil || sinceForm == nil else {
      throw UsageError("--since and --since-param go together; say both")
    }
    guard isAddress || since == nil else {
      throw UsageError("--since is for a payload from an address: a file is read as it is")
    }
    guard (cursor == nil) == (cursorParameter == nil) else {
      throw UsageError("--cursor and --cursor-param go together; say both")
    }
  }

  var source: RecordPayload {
    var address = address
    address.url = payload
    if let cursor, let cursorParameter {
      address.paging = .cursor(cursor, parameter: cursorParameter)
    }
    if let since, let sinceParameter {
      address.since = RecordSince(column: since, parameter: sinceParameter)
      address.since?.dates = sinceForm ?? .rfc3339
    }
    var source = RecordPayload.address(address)
    if !isAddress {
      source = payload == "-" ? .standardInput : .file(payload)
    } else if let preset {
      source = .pages(address, as: preset)
    }
    if let items { source.form = .items(items) }
    source.deleted = deleted
    if let separator { source.form = .csv(CSVForm(separator: separator, null: nullOfTable)) }
    return source
  }

  /// The option that speaks of pages.
  private var pager: String {
    switch address.paging {
    case .next: "--next"
    case .offset: "--offset-param"
    case .page: "--page-param"
    case .links, .after, .cursor: cursor == nil ? "--paging" : "--cursor"
    }
  }

  /// What stands before `://`, if it looks like the scheme of an address.
  private var scheme: Substring? {
    guard let end = payload.firstRange(of: "://")?.lowerBound else { return nil }
    let scheme = payload[..<end]
    let isScheme = scheme.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.".utf8.contains($0)
    }
    return isScheme && !scheme.isEmpty ? scheme : nil
  }

  private var isAddress: Bool {
    ["http://", "https://"].contains { payload.lowercased().hasPrefix($0) }
  }

  /// What the library is asked for. A parent is looked for in the schema, since it is the schema
  /// that tells where in the text its key ends.
  func options(in store: RecordStore) async throws -> RecordOptions {
    var options = options
    options.operations = operations ?? .all
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
