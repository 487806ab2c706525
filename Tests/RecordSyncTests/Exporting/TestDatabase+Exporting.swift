@testable import RecordSync

extension TestDatabase {
  /// Rows of a table as JSON, without the line ends.
  func export(
    _ table: String, _ selection: RecordSelection = .all,
    overrides: SchemaOverrides = SchemaOverrides(),
    _ change: (inout ExportOptions) -> Void = { _ in }
  ) async throws -> String {
    var options = ExportOptions()
    change(&options)
    let store = try await RecordStore(path: path, overrides: overrides)
    let text = try await store.exported(table, selection, options: options)
    return String(decoding: text, as: UTF8.self).replacing("\n", with: "")
  }
}
