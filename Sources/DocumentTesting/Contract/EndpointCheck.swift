/// One of the things that ``EndpointContract`` checks.
public enum EndpointCheck: String, Sendable, Hashable, CaseIterable {
  /// The list of an empty collection is empty, ends, and gives a checkpoint.
  case emptyCollection
  /// A document that was stored is listed and shown as it was sent, under the version that was
  /// answered.
  case createdDocument
  /// Documents and ids that are hard to carry come back as they went.
  case oddDocuments
  /// A list of several pages ends, and names every document.
  case pages
  /// What comes after the checkpoint of any page, with the pages up to that one, is everything.
  case checkpoints
  /// What changes while pages are asked for is told with a later page, or after the checkpoint.
  case changesWhilePaging
  /// Where nothing has changed, nothing is told that wasn't known.
  case nothingNew
  /// Of documents that are stored at the same time, none is missed after the checkpoint of another.
  case equalTimes
  /// A document that was changed is told, with its new content and another version.
  case updatedDocument
  /// A document that was removed is told, or missing from the next whole list.
  case deletedDocument
  /// To create what is there already is a conflict, and changes nothing.
  case createOverExisting
  /// To change what has been changed since is a conflict, and changes nothing.
  case staleUpdate
  /// To remove what has been changed since is a conflict, and changes nothing.
  case staleDeletion
  /// To change what was removed brings it not back.
  case updateOfDeleted
  /// To remove what was removed is answered with its absence, and is no failure.
  case repeatedDeletion
  /// The same request, sent again under the same key, has no second effect and the same answer.
  case repeatedKey
  /// The parts of a batch are judged one by one, and as many may be sent as the server says.
  case batch
  /// A document that can't be read is told, doesn't end the list, and isn't taken for removed.
  case unreadableDocument
  /// A checkpoint of a server that has forgotten it is answered so.
  case forgetting
  /// A document that was made anew under the id of a removed one is told as such.
  case revival
  /// What is stored in another collection isn't told of this one.
  case collections
  /// What a cancelled call says of its effect is true, and cancelling is no error of the server's.
  case cancelling
  /// A page that isn't the server's is taken for no success, no empty list, and no removal.
  case portal
  /// A request whose answer is lost is said to be lost, and not to have left no trace.
  case noAnswer
  /// What a busy server asks for is heard, and a refusal of the credentials is told as such.
  case refusals
  /// A refusal comes with the server's whole answer, and nowhere stands a secret.
  case notes
}
