extension DocumentID: Codable {
  /// From a string, or from an integer as its digits, as services have them whose ids are numbers.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self.init(String(number))
    } else {
      self.init(try container.decode(String.self))
    }
  }

  /// As a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
