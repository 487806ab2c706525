import Console
import DocumentSync

extension DocumentReport {
  func write(to line: inout JSONMembers) {
    line.array("sent") { list in
      for sent in sent {
        list.object { object in
          object.add("id", sent.id.text)
          object.add("collection", sent.collection)
          object.add("deed", sent.isRemoval ? "removed" : "stored")
          if let version = sent.version { object.add("version", version.text) }
        }
      }
    }
    line.array("received") { list in
      for received in received {
        list.object { object in
          object.add("id", received.id.text)
          object.add("collection", received.collection)
          object.add("gone", received.isRemoval && !received.hasLeftFilter)
          if received.hasLeftFilter { object.add("leftFilter", true) }
        }
      }
    }
    writeTroubles(to: &line)
    line.array("older") { list in
      for older in older {
        list.object { object in
          object.add("id", older.id.text)
          object.add("collection", older.collection)
          object.add("version", older.version.text)
        }
      }
    }
    line.object("checkpoints") { object in
      for (name, checkpoint) in checkpoints.sorted(by: { $0.key < $1.key }) {
        object.add(name, checkpoint)
      }
    }
  }

  private func writeTroubles(to line: inout JSONMembers) {
    line.array("conflicts") { list in
      for conflict in conflicts {
        list.object { object in
          object.add("id", conflict.id.text)
          object.add("collection", conflict.collection)
          object.add("parked", conflict.isParked)
        }
      }
    }
    line.array("failures") { list in
      for failure in failures {
        list.object { object in
          object.add("id", failure.name)
          object.add("collection", failure.collection)
          object.add("words", failure.words)
        }
      }
    }
    line.array("lost") { list in
      for lost in lost {
        list.object { object in
          object.add("id", lost.id.text)
          LostText.write(lost.loss, to: &object)
        }
      }
    }
  }
}
