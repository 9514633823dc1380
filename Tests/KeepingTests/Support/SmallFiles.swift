/// The smallest association file without errors. White space after it makes another version.
let small = #"{"webcredentials":{"apps":["K27TX9P4QD.a.b"]}}"#

/// A statement list in which the rules find nothing.
let statements = #"[{"include":"https://a.test/links.json"}]"#

/// One that differs in a remark.
func noted(_ remark: String) -> String {
  #"{"webcredentials":{"apps":["K27TX9P4QD.a.b"]},"_note":"\#(remark)"}"#
}

/// A good file that is another one for each mark.
func version(_ mark: String) -> String {
  #"{"webcredentials":{"apps":["K27TX9P4QD.a.\#(mark)"]}}"#
}
