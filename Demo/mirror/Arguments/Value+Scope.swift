import CatalogMirror
import Console

extension Value {
  static func pattern(_ text: String) throws -> KeyPattern {
    do {
      return try KeyPattern(text)
    } catch {
      throw UsageError("the pattern '\(text.escaped)' \(error)")
    }
  }

  static func filters(inFile path: String) throws -> [ScopeRule] {
    let text = try bytes(ofFile: path)
    do {
      return try ScopeRule.rules(inLines: text)
    } catch {
      throw UsageError("the file of filters '\(path)' \(error)")
    }
  }

  static func names(inFile path: String) throws -> KeyList {
    KeyList(lines: try bytes(ofFile: path))
  }

  private static func bytes(ofFile path: String) throws -> [UInt8] {
    guard let bytes = NamedFile.bytes(of: path) else {
      throw UsageError("the file '\(path)' can't be read; check its name and rights")
    }
    return bytes
  }
}
