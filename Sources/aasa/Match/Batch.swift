internal import Posix

/// Answers each line of standard input immediately on standard output, so that another program can
/// wait for each answer.
///
/// Returns 1 if any line was invalid, otherwise 0.
func runBatch() -> Int32 {
  var lines = LineSplitter(limit: BatchMatcher.lineLimit)
  var matcher = BatchMatcher()
  var number = 0
  var hasErrors = false
  func answers(to events: [LineSplitter.Line]) -> String {
    var output = ""
    for event in events {
      number += 1
      let answer: BatchMatcher.Answer
      switch event {
      case .line(let bytes):
        // Skip empty lines.
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
        answer = matcher.answer(bytes)
      case .tooLong: answer = BatchMatcher.answerToLongLine
      }
      output += answer.line + "\n"
      if let error = answer.error {
        hasErrors = true
        printError("line \(number): \(error)")
      }
    }
    return output
  }
  do throws(SystemError) {
    var buffer: [UInt8] = []
    while try readStandardInput(appendingTo: &buffer) {
      writeToStandard(1, answers(to: lines.take(buffer)))
      buffer.removeAll(keepingCapacity: true)
    }
    writeToStandard(1, answers(to: lines.finish()))
  } catch {
    printError("error: \(error)")
    return 1
  }
  return hasErrors ? 1 : 0
}
