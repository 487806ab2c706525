package import SyncText

package struct ObjectMember {
  /// The name, its escapes resolved.
  package let name: ByteString
  package var value: DocumentValue
  /// The name as it stands in the text, quotes included.
  private let writtenName: [UInt8]

  init(_ member: JSONValue.Member) {
    name = ByteString(bytes: member.name)
    value = DocumentValue(checked: member.value)
    writtenName = Array(member.nameText.utf8)
  }

  init(_ member: IndexedValue.Member, value: DocumentValue) {
    name = member.name
    self.value = value
    writtenName = member.writtenName
  }

  /// A member that stands in no text yet.
  init(name: ByteString, value: DocumentValue) {
    self.name = name
    self.value = value
    writtenName = JSONText.written(name.bytes)
  }

  /// The name as text, which it is in every document.
  package var text: String { String(decoding: name.bytes, as: UTF8.self) }

  fileprivate func write(to bytes: inout [UInt8]) {
    bytes += writtenName
    bytes.append(UInt8(ascii: ":"))
    bytes += value.json.written
  }
}

extension DocumentValue {
  package var objectMembers: [ObjectMember] { json.members?.map(ObjectMember.init) ?? [] }

  /// An object of members whose names differ, each as it is written.
  package init(joining members: some Sequence<ObjectMember>) {
    var bytes = [UInt8(ascii: "{")]
    for member in members {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      member.write(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    self.init(written: bytes)
  }

  /// An array of values, each as it is written.
  package init(joining elements: some Sequence<DocumentValue>) {
    var bytes = [UInt8(ascii: "[")]
    for element in elements {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes += element.json.written
    }
    bytes.append(UInt8(ascii: "]"))
    self.init(written: bytes)
  }

  /// A value from text that needs no check.
  init(written bytes: [UInt8]) {
    self.init(checked: JSONValue(bytes: bytes, checked: 0..<bytes.count))
  }
}
