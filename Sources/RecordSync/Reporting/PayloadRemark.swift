/// What is to be said of a payload as a whole.
public enum PayloadRemark: Sendable, Equatable {
  /// It is one object that stands in no array, which was put; nothing was deleted.
  case putAlone(table: String)
  /// It isn't all there is, so that nothing was deleted nor unlinked.
  case partial(Reason)
  /// Only what is new was asked for: what has at least this value in a column; all, where no row
  /// had one. No row was deleted for being absent.
  case incremental(column: String, since: String?)
  /// Only what is new was to be asked for, and the greatest value of a column can't be asked by:
  /// it is no date, where it should be. So all was asked for, and no row deleted for being absent.
  case unusableSince(column: String, value: String)
  /// Objects of one key are one row of a table, though they differ: the key and the member in which
  /// they do, where that is known. Told where tables grow with the payload.
  case merged(table: String, key: String?, member: String?)
  /// Rows of a table hang on one other each, and the payload has some under several: they hang on
  /// the last. Told where tables grow with the payload.
  case severalParents(table: String, under: String)

  /// Why a payload isn't all there is.
  public enum Reason: Sendable, Equatable {
    /// Beside the elements, this member tells of an error.
    case errors(String)
    /// Beside the elements, this member says that there is more.
    case more(String)
    /// Beside the elements, this member counts more of them than came.
    case total(String, Int64, came: Int64)
    /// No page has this path, where the next page's address should stand.
    case noNext(String)
    /// So many elements of arrays on this path lead to no object: which rows they are isn't known.
    case lacking(String, Int)
    /// Lists of a relation within elements stand beside a member that says that there is more:
    /// only of these nothing was deleted nor unlinked.
    case lists(table: String, relation: String)
    /// Elements that came or went while pages were fetched by their numbers may have hidden others.
    case sliding
  }
}

extension PayloadRemark {
  /// Whether it says that the payload isn't all there is.
  var isOfPart: Bool {
    switch self {
    case .merged, .severalParents: false
    case .putAlone, .partial, .incremental, .unusableSince: true
    }
  }

  /// Whether it says that something is missing, of what came, too.
  var isOfRest: Bool { if case .partial = self { true } else { false } }

  /// What strictness doesn't let pass of it.
  var strictFault: RecordError.StrictFault? {
    switch self {
    case .merged, .severalParents: .merged(self)
    case .partial(let reason): .partial(reason)
    case .putAlone, .incremental, .unusableSince: nil
    }
  }
}

extension PayloadRemark: CustomStringConvertible {
  /// What it is, as a sentence without its end.
  public var description: String {
    switch self {
    case .putAlone(let table):
      "the payload is one object and no list: it was put into \(table.quoted), and nothing is "
        + "deleted; put it into an array if it is all there is"
    case .partial(let reason) where reason.isOfLists:
      "\(reason.words): nothing that such a list lacks is deleted nor unlinked"
    case .partial(let reason):
      "\(reason.words): what came is taken for a part, and nothing that it lacks is deleted nor "
        + "unlinked"
    case .incremental(let column, let value?):
      "what is new since \(value.quoted) in \(column.quoted) was asked for: no row is deleted for "
        + "being absent"
    case .incremental(let column, nil):
      "no row has a value in \(column.quoted) yet, so that all was asked for: no row is deleted "
        + "for being absent"
    case .unusableSince(let column, let value):
      "the greatest value in \(column.quoted), \(value.quoted), is none to ask by, so that all was "
        + "asked for: no row is deleted for being absent"
    case .merged(let table, let key?, let member?):
      "objects for \(table.quoted) with the key \(key.shown) differ in \(member.quoted), and are "
        + "one row, as the last one says; declare another key if they are several"
    case .severalParents(let table, let name):
      "rows of \(table.quoted) stand under several rows by \(name.quoted), and hang on one each: "
        + "on the last"
    case .merged(let table, _, _):
      "objects for \(table.quoted) with one key differ from place to place, and are one row, as "
        + "the last one says; declare another key if they are several"
    }
  }
}

extension PayloadRemark.Reason {
  fileprivate var isOfLists: Bool { if case .lists = self { true } else { false } }

  /// What the payload says, as a sentence without its end.
  var words: String {
    switch self {
    case .errors(let member): "the payload tells of errors under \(member.quoted)"
    case .more(let member):
      "the payload says under \(member.quoted) that there is more; follow its pages"
    case .total(let member, let count, let came):
      "the payload counts \(count) under \(member.quoted), and \(came) came; follow its pages"
    case .lacking(let path, let count):
      "\(count) of the elements on the way to \(path.shown) lead to nothing"
    case .lists(let table, let relation):
      "objects for \(table.quoted) say under \(relation.quoted) that there is more than they list"
    case .sliding:
      "pages that are fetched by their numbers may lack elements where the list changes meanwhile, "
        + "and these don't all tell the number of those that came"
    case .noNext(let path):
      "no page has \(path.shown), where the address of the next one should stand; correct the path"
    }
  }
}
