import Testing

@testable import aasa

@Suite struct BatchMatcherTests {
  private static let file =
    #"{"applinks": {"details": [{"appID": "A.b", "components": [{"/": "/buy/*"}, {"exclude": true}]}]}}"#

  @Test(
    arguments: [
      (
        #"{"id": 1, "aasa": \#(file), "domain": "a.b", "appId": "A.b", "url": "https://a.b/buy"}"#,
        #"{"id":1,"decision":"match"}"#
      ),
      // Any order, any id.
      (
        #"{"url": "/x", "appId": "A.b", "aasa": \#(file), "domain": "a.b", "id": [1, "é\u0041"]}"#,
        #"{"id":[1, "é\u0041"],"decision":"exclude"}"#
      ),
      (
        #"{"aasa": {}, "domain": "a.b", "appId": "A.b", "url": "https://a.b/"}"#,
        #"{"id":null,"decision":"no_match"}"#
      ),
      (
        #"{"id": 2, "aasa": \#(file), "domain": "a.b", "appId": "A.b", "url": "https://c.d/buy"}"#,
        #"{"id":2,"decision":"no_match"}"#
      ),
      (
        #"{"id": 3, "aasa": \#(file), "domain": "a.b", "appId": "A.b", "url": "x:/buy"}"#,
        #"{"id":3,"decision":"no_match"}"#
      ),
    ]) func `a question is answered`(line: String, expected: String)
  {
    var matcher = BatchMatcher()
    let answer = matcher.answer(Array(line.utf8))
    #expect(answer.line == expected && answer.error == nil)
  }

  @Test(
    arguments: [
      ("", "null"), ("nonsense", "null"), ("[1]", "null"), (#"{"id": 1"#, "null"),
      (#"{"id": 1}"#, "1"), (#"{"id": 1, "aasa": "{}"}"#, "1"),
      (#"{"id": 1, "aasa": {}, "domain": 5}"#, "1"), (#"{"id": 1, "aasa": {}, "domain": ""}"#, "1"),
      (#"{"id": 1, "aasa": {}, "domain": "a", "url": "/"}"#, "1"),
      (#"{"id": 1, "aasa": {}, "domain": "a", "appId": "b", "url": null}"#, "1"),
      (#"{"id": 1, "aasa": {}, "domain": "a", "appId": "b", "url": "x"}"#, "1"),
    ]) func `an invalid question gets an answer with an error`(line: String, id: String)
  {
    var matcher = BatchMatcher()
    let answer = matcher.answer(Array(line.utf8))
    #expect(answer.line.hasPrefix(#"{"id":\#(id),"decision":"no_match","error":""#))
    #expect(answer.error != nil)
  }

  @Test func `each question is answered by its own file`() {
    func line(_ path: String) -> [UInt8] {
      let file = #"{"applinks":{"details":[{"appID":"A.b","components":[{"/":"\#(path)"}]}]}}"#
      return Array(
        #"{"id":1,"aasa":\#(file),"domain":"a.b","appId":"A.b","url":"/buy/1"}"#.utf8)
    }
    let match = #"{"id":1,"decision":"match"}"#
    let noMatch = #"{"id":1,"decision":"no_match"}"#
    var matcher = BatchMatcher()
    for (path, expected) in [
      ("/buy/*", match), ("/sell/*", noMatch), ("/buy/*", match), ("/buy/*", match),
    ] {
      #expect(matcher.answer(line(path)).line == expected)
    }
  }

  @Test func `an error leaves the matcher as it was`() {
    var matcher = BatchMatcher()
    let line = Array(
      #"{"aasa": \#(Self.file), "domain": "a.b", "appId": "A.b", "url": "/buy"}"#.utf8)
    let first = matcher.answer(line).line
    _ = matcher.answer([0xFF])
    let second = matcher.answer(line).line
    #expect(first == second)
  }
}

@Suite struct LineSplitterTests {
  private func lines(_ chunks: [String], limit: Int = 5) -> [LineSplitter.Line] {
    var splitter = LineSplitter(limit: limit)
    return chunks.flatMap { splitter.take(Array($0.utf8)) } + splitter.finish()
  }

  private func line(_ text: String) -> LineSplitter.Line { .line(Array(text.utf8)) }

  @Test func `lines are cut wherever the bytes are`() {
    let expected = [line("ab"), line(""), line("cde")]
    #expect(lines(["ab\n\ncde"]) == expected)
    #expect(lines(["a", "b\n", "\nc", "", "de"]) == expected)
    #expect(lines(["ab\n\ncde\n"]) == expected)
    #expect(lines([]) == [] && lines([""]) == [])
  }

  @Test func `a line at the limit is taken, one past it is not, the next one is`() {
    #expect(lines(["12345\nx\n"]) == [line("12345"), line("x")])
    #expect(lines(["123456\nx\n"]) == [.tooLong, line("x")])
    #expect(lines(["123", "456", "789", "\nx"]) == [.tooLong, line("x")])
    #expect(lines(["123456"]) == [.tooLong])
  }
}

@Suite struct MatchCommandTests {
  @Test(arguments: [
    ["match"], ["match", "file"], ["match", "--batch", "file"], ["match", "--batch", "--json"],
    ["match", "file", "/", "--domain", "*."],
  ]) func `wrong usage is 2`(arguments: [String]) {
    var errors = ""
    let code = Program.run(
      arguments, output: { Issue.record("\($0)") }, errors: { errors += $0 })
    #expect(code == 2 && errors.contains("Usage:"))
  }

  @Test func `a file that is not there is 2`() {
    #expect(Program.run(["match", "/nonexistent/file", "/"]) == 2)
  }
}
