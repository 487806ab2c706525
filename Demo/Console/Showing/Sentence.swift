import SyncText

/// Sentences as a person reads them.
public enum Sentence {
  /// A text that ends as a sentence does.
  public static func ending(_ text: String) -> String {
    text.hasSuffix(".") || text.hasSuffix("?") || text.hasSuffix("!") ? text : text + "."
  }
}

extension String {
  /// The text fit for every output: printable text as it is, a backslash doubled, and every byte of
  /// anything else as `\xHH`, so that a name from elsewhere can't steer a terminal.
  public var escaped: String { ByteString.escape(self) }

  /// The text with every byte of what isn't printable as `\xHH`; all else, a backslash too, as it
  /// is.
  public var printable: String { ByteString.printable(self) }
}
