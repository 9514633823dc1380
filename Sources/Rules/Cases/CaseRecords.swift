internal import Diagnostics

/// One line of a file of expectations, or one record of a CSV file, split into fields.
struct CaseRecord {
  struct Field {
    let text: String
    let range: Range<Int>
  }

  var fields: [Field] = []
  var range: Range<Int>
  var isFirst = false
  var fault: String?
}

/// The maximum number of fields of one record. A record with more fields is reported as faulty.
private let mostFields = 1_000

/// Splits lines into words at white space. A word that begins with `#` starts a comment.
///
/// - Parameter mostRecords: The maximum number of records to return, because a record takes many
///   times the memory of its line.
func plainRecords(_ bytes: [UInt8], _ mostRecords: Int) -> [CaseRecord] {
  var result: [CaseRecord] = []
  var rest = bytes.dropFirst(lengthOfMark(bytes))
  while !rest.isEmpty, result.count < mostRecords {
    let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.endIndex
    let line = rest[..<end]
    rest = rest[end...].dropFirst()
    var record = CaseRecord(range: line.indices)
    let words = line.split(maxSplits: mostFields) { $0 == 0x20 || $0 == 0x09 }
    for word in words {
      if word.first == UInt8(ascii: "#") { break }
      record.fields.append(field(bytes, word.indices))
    }
    if record.fields.count > mostFields { record.fault = tooManyFields }
    if !record.fields.isEmpty { result.append(record) }
  }
  return result
}

private let tooManyFields = "the line has more than \(mostFields) fields"

/// The length of the byte order mark; 0 if the text does not begin with a byte order mark.
private func lengthOfMark(_ bytes: [UInt8]) -> Int {
  bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
}

/// Splits CSV (RFC 4180) into records. Skips lines that are empty or begin with `#`.
///
/// - Parameter mostRecords: The maximum number of records to return.
func csvRecords(_ source: SourceText, _ mostRecords: Int) -> [CaseRecord] {
  let bytes = source.bytes
  var result: [CaseRecord] = []
  var index = lengthOfMark(bytes)
  var isFirst = true
  while index < bytes.count, result.count < mostRecords {
    if bytes[index] == 0x0A || bytes[index] == 0x0D {
      index += 1
      continue
    }
    if bytes[index] == UInt8(ascii: "#") {
      while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
      continue
    }
    var record = CaseRecord(range: index..<index, isFirst: isFirst)
    readFields(bytes, &index, &record)
    record.range = record.range.lowerBound..<index
    isFirst = false
    if !record.fields.allSatisfy({ $0.text.isEmpty }) || record.fault != nil {
      result.append(record)
    }
  }
  return result
}

/// Reads the fields of a record, up to the end of the record.
private func readFields(_ bytes: [UInt8], _ index: inout Int, _ record: inout CaseRecord) {
  while true {
    if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
      readQuoted(bytes, &index, &record)
      if record.fault != nil {
        // After a fault, it is unknown where the field ends, so skip the rest of the line.
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        return
      }
    } else {
      let start = index
      while index < bytes.count, !isFieldEnd(bytes[index]) { index += 1 }
      record.fields.append(trimmedField(bytes, start..<index))
    }
    guard index < bytes.count, bytes[index] == UInt8(ascii: ",") else { return }
    index += 1
    if record.fields.count == mostFields {
      record.fault = tooManyFields
      while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
      return
    }
  }
}

/// Reads a quoted field: escaped = DQUOTE *(TEXTDATA / COMMA / CR / LF / 2DQUOTE) DQUOTE
private func readQuoted(_ bytes: [UInt8], _ index: inout Int, _ record: inout CaseRecord) {
  let start = index
  var text: [UInt8] = []
  index += 1
  while index < bytes.count {
    let byte = bytes[index]
    index += 1
    if byte != UInt8(ascii: "\"") {
      text.append(byte)
    } else if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
      text.append(byte)
      index += 1
    } else {
      if index < bytes.count, !isFieldEnd(bytes[index]) {
        record.fault = "text follows the closing quote of a quoted field"
      }
      record.fields.append(
        CaseRecord.Field(text: String(decoding: text, as: UTF8.self), range: start..<index))
      return
    }
  }
  record.fault = "a quoted field is not closed"
  index = bytes.count
}

private func isFieldEnd(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: ",") || byte == 0x0A || byte == 0x0D
}

private func trimmedField(_ bytes: [UInt8], _ range: Range<Int>) -> CaseRecord.Field {
  var (start, end) = (range.lowerBound, range.upperBound)
  while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
  while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
  return field(bytes, start..<end)
}

private func field(_ bytes: [UInt8], _ range: Range<Int>) -> CaseRecord.Field {
  CaseRecord.Field(text: String(decoding: bytes[range], as: UTF8.self), range: range)
}
