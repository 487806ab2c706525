import CatalogMirror
import Console

extension Value {
  /// A limit on removals: a number, a share in percent, or `all`.
  static func removal(
    _ text: String, besides said: MirrorOptions.MaximumRemoval
  ) throws -> MirrorOptions.MaximumRemoval {
    guard said != .never else { throw contradiction }
    if text == "all" { return .all }
    if text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...100).contains(percent) {
      return .share(percent / 100)
    }
    guard let number = Int(text), number >= 0 else {
      throw UsageError("'\(text)' is no limit; write 100, 20% or all")
    }
    return .count(number)
  }

  /// Statuses of HTTP that refuse for good.
  static func statuses(_ text: String) throws -> Set<Int> {
    let passing: Set = [408, 425, 429]
    let statuses = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard statuses.allSatisfy({ (400..<500).contains($0) && !passing.contains($0) }) else {
      throw UsageError("'\(text)' names no refusals for good; write 404 or 403,404")
    }
    return Set(statuses)
  }

  /// The name of a format.
  static func format(_ text: String, besides mapping: JSONMapping?) throws -> String {
    guard mapping == nil else { throw twoFormats }
    return try oneOf(MirrorOptions.formats, text)
  }

  static func mapping(_ text: String, besides format: String?) throws -> JSONMapping {
    guard format == nil else { throw twoFormats }
    do {
      return try JSONMapping(text)
    } catch {
      let sentence = "\(error)"
      throw UsageError(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence)
    }
  }

  static func keyTemplate(_ text: String) throws -> KeyTemplate {
    do {
      return try KeyTemplate(text)
    } catch {
      throw UsageError("\(error)")
    }
  }

  static func limit(_ text: String) throws -> Duration {
    let limit = try duration(text)
    guard limit > .zero else { throw UsageError("'\(text)' is no time to wait; write 10s or 2m") }
    return limit
  }

  /// That nothing is to be removed.
  static func noRemoval(
    besides said: MirrorOptions.MaximumRemoval
  ) throws -> MirrorOptions.MaximumRemoval {
    guard said == .guarded || said == .never else { throw contradiction }
    return .never
  }

  private static let twoFormats = UsageError(
    "--map and --format contradict each other; say one of them")

  private static let contradiction = UsageError(
    "--max-delete and --no-delete contradict each other; say one of them")

  /// A time of at least a second.
  static func positiveDuration(_ text: String) throws -> Duration {
    let time = try duration(text)
    guard time > .zero else {
      throw UsageError("'\(text)' won't do; give a time of a second or more")
    }
    return time
  }
}
