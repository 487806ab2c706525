import Foundation
package import SyncText

/// As much of JSON Schema as the schemas in the documentation use. A keyword that isn't known is a
/// complaint, so that the schema can't ask for what nobody checks.
package struct SchemaCheck {
  private let schema: JSONValue

  package init(schema: JSONValue) {
    self.schema = schema
  }

  /// What is wrong with a value by the schema at a place, such as `#/$defs/entry`.
  package func complaints(about value: JSONValue, at place: String = "#") -> [String] {
    guard let rules = rules(at: place) else { return ["no schema at \(place)"] }
    return complaints(about: value, by: rules)
  }

  private func rules(at place: String) -> JSONValue? {
    place.split(separator: "/").dropFirst().reduce(schema) { $0?[String($1)] }
  }

  private func complaints(about value: JSONValue, by rules: JSONValue) -> [String] {
    (rules.members ?? []).flatMap { rule in
      rule.nameText.trimmingQuotes == "additionalProperties"
        ? complaints(aboutOthersOf: value, rules, rule.value)
        : complaints(about: value, by: rule.nameText.trimmingQuotes, rule.value)
    }
  }

  /// What is wrong with the members that `properties` doesn't name.
  private func complaints(
    aboutOthersOf value: JSONValue, _ rules: JSONValue, _ want: JSONValue
  ) -> [String] {
    let others = (value.members ?? []).filter { rules["properties"]?[$0.name] == nil }
    return others.flatMap { other in
      want.bool == false
        ? ["\(other.nameText) is no property"] : complaints(about: other.value, by: want)
    }
  }

  private func complaints(about value: JSONValue, by rule: String, _ want: JSONValue) -> [String] {
    let complaint = ["\(value.text.prefix(60)) breaks \(rule) \(want.text.prefix(60))"]
    switch rule {
    case "$schema", "title", "$defs": return []
    // Dates are checked by the decoder.
    case "format": return []
    case "$ref": return complaints(about: value, at: want.string ?? "")
    case "allOf": return (want.elements ?? []).flatMap { complaints(about: value, by: $0) }
    case "enum":
      return (want.elements ?? []).contains { $0.text == value.text } ? [] : complaint
    case "const": return value.text == want.text ? [] : complaint
    case "type":
      let types = (want.elements ?? [want]).compactMap(\.string)
      return types.contains(where: value.isOf) ? [] : complaint
    case "required":
      guard value.isObject else { return [] }
      return (want.elements ?? []).compactMap(\.string).allSatisfy { value[$0] != nil }
        ? [] : complaint
    case "properties":
      return (want.members ?? []).flatMap { property in
        value[property.nameText.trimmingQuotes].map { complaints(about: $0, by: property.value) }
          ?? []
      }
    case "items": return (value.elements ?? []).flatMap { complaints(about: $0, by: want) }
    case "minItems":
      return Int64(value.elements?.count ?? .max) >= want.integer ?? 0 ? [] : complaint
    case "minLength":
      return Int64(value.string?.unicodeScalars.count ?? .max) >= want.integer ?? 0 ? [] : complaint
    case "prefixItems":
      return zip(value.elements ?? [], want.elements ?? []).flatMap {
        complaints(about: $0, by: $1)
      }
    case "maximum": return value.integer ?? .min <= want.integer ?? .max ? [] : complaint
    case "minimum": return value.integer ?? .max >= want.integer ?? .min ? [] : complaint
    case "pattern":
      guard let text = value.string, let pattern = try? Regex(want.string ?? "(") else {
        return value.isOf("string") ? complaint : []
      }
      return text.contains(pattern) ? [] : complaint
    default: return ["the schema says \(rule), which isn't checked"]
    }
  }
}

extension String {
  fileprivate var trimmingQuotes: String {
    trimmingCharacters(in: CharacterSet(charactersIn: "\""))
  }
}

extension JSONValue {
  fileprivate subscript(name: String) -> JSONValue? { self[name.utf8] }

  fileprivate subscript(name: some Sequence<UInt8>) -> JSONValue? {
    members?.first { $0.name.elementsEqual(name) }?.value
  }

  fileprivate func isOf(_ type: String) -> Bool {
    switch type {
    case "object": isObject
    case "array": isArray
    case "string": stringBytes != nil
    case "integer": integer != nil
    case "number": number != nil
    case "boolean": bool != nil
    case "null": isNull
    default: false
    }
  }
}
