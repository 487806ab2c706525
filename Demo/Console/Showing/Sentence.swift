/// Sentences as a person reads them.
package enum Sentence {
  /// A text that ends as a sentence does.
  package static func ending(_ text: String) -> String {
    text.hasSuffix(".") || text.hasSuffix("?") || text.hasSuffix("!") ? text : text + "."
  }
}
