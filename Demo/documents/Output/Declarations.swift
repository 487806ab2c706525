/// The library names what is to be declared as a program in Swift writes it; whoever uses this one
/// says it with an option.
enum Declarations {
  private static let options: KeyValuePairs = [
    "RestDialect(serverKeys:)": "'documents init … --server-keys'",
    "RestDialect(hasNumericKeys:)": "'documents init … --numeric-keys'",
  ]

  /// A sentence of the library with this program's options.
  static func asOptions(_ sentence: String) -> String {
    options.reduce(sentence) { $0.replacing($1.key, with: $1.value) }
  }
}
