import Console
import DocumentSync

/// The life of a document, for programs.
enum LifeText {
  /// - Parameter answer: what the server answered last, or that nothing is kept of it, where that
  ///   was asked for; `nil` where it wasn't.
  static func json(
    _ id: DocumentID, _ type: String?, _ life: DocumentLife, answer: EndpointCall??
  ) -> String {
    JSONMembers.text { object in
      StatusText.write(id, type, life.status, life.files, to: &object)
      object.array("moments") { list in
        for moment in life.moments {
          list.object { write(moment, to: &$0) }
        }
      }
      guard let answer else { return }
      guard let answer else { return object.add("answer", orNull: nil) }
      object.object("answer") { write(answer, to: &$0) }
    }
  }

  private static func write(_ moment: DocumentLife.Moment, to object: inout JSONMembers) {
    object.add("when", orNull: Moments.text(moment.date))
    object.add("what", orNull: moment.name)
    object.add("version", orNull: moment.version?.text)
    object.add("lost", moment.lost)
    object.add("sentence", moment.sentence)
  }

  private static func write(_ answer: EndpointCall, to object: inout JSONMembers) {
    object.add("when", orNull: answer.time.flatMap { Moments.text($0) })
    object.add("request", answer.request)
    if let status = answer.status {
      object.add("status", status)
    } else {
      object.add("status", orNull: nil)
    }
    object.array("fields") { list in
      for field in answer.fields {
        list.object { object in
          object.add("name", field.name)
          object.add("value", field.value)
        }
      }
    }
    object.add("body", answer.body)
    object.add("bodyBytes", answer.bodyBytes)
    object.add("problem", orNull: answer.problem)
  }
}
