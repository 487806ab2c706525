/// Reads metrics as ``MetricFamily`` writes them, so that a file of several mirrors can be written
/// anew by a run that knows only one of them.
///
/// It goes by scalars, not by characters: a combining mark behind a quote would hide it.
public enum MetricText {
  private typealias Scalars = Substring.UnicodeScalarView

  /// The families of a text; `nil` when anything in it is otherwise than it is written here: then
  /// somebody else has written it, or it isn't whole.
  public static func families(of text: String) -> [MetricFamily]? {
    let scalars = text[...].unicodeScalars
    guard scalars.isEmpty || scalars.last == "\n" else { return nil }
    var families: [MetricFamily] = []
    var hasType = true
    for line in scalars.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.starts(with: "# HELP ".unicodeScalars) {
        guard hasType, let family = help(line.dropFirst(7)) else { return nil }
        if families.contains(where: { $0.name == family.name }) { return nil }
        families.append(family)
        hasType = false
      } else if line.first == "#" {
        guard !hasType, let name = families.last?.name, String(line) == "# TYPE \(name) gauge"
        else { return nil }
        hasType = true
      } else {
        guard hasType, let name = families.last?.name, let sample = sample(line, of: name) else {
          return nil
        }
        families[families.count - 1].samples.append(sample)
      }
    }
    return hasType && families.allSatisfy { !$0.samples.isEmpty } ? families : nil
  }

  private static func help(_ line: Scalars) -> MetricFamily? {
    let parts = line.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, isName(parts[0]), let help = unescape(parts[1], quotes: false) else {
      return nil
    }
    return MetricFamily(String(parts[0]), help)
  }

  private static func sample(_ line: Scalars, of name: String) -> MetricFamily.Sample? {
    guard line.starts(with: name.unicodeScalars) else { return nil }
    var rest = line.dropFirst(name.unicodeScalars.count)
    var labels: [MetricFamily.Label] = []
    if rest.first == "{" {
      repeat {
        guard let label = takeLabel(&rest) else { return nil }
        labels.append(label)
      } while rest.first == ","
      guard rest.popFirst() == "}" else { return nil }
    }
    guard rest.popFirst() == " ", let value = Double(String(rest)) else { return nil }
    return MetricFamily.Sample(labels, value)
  }

  /// Takes a label with the sign before it.
  private static func takeLabel(_ rest: inout Scalars) -> MetricFamily.Label? {
    let name = rest.dropFirst().prefix { $0 != "=" }
    rest = rest[name.endIndex...]
    guard isName(name), rest.popFirst() == "=", rest.popFirst() == "\"" else { return nil }
    var value = Scalars()
    while let scalar = rest.popFirst(), scalar != "\"" {
      value.append(scalar)
      if scalar == "\\", let next = rest.popFirst() { value.append(next) }
      if rest.isEmpty { return nil }
    }
    return unescape(value, quotes: true).map { MetricFamily.Label(String(name), $0) }
  }

  private static func isName(_ scalars: Scalars) -> Bool {
    guard let first = scalars.first, first == "_" || first.properties.isAlphabetic else {
      return false
    }
    return scalars.allSatisfy {
      $0.isASCII && ($0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0))
    }
  }

  private static func unescape(_ scalars: Scalars, quotes: Bool) -> String? {
    var plain = String.UnicodeScalarView()
    var rest = scalars
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        plain.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "\\": plain.append("\\")
      case "n": plain.append("\n")
      case "\"" where quotes: plain.append("\"")
      default: return nil
      }
    }
    return String(plain)
  }
}
