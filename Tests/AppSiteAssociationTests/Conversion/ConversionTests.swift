import AppSiteAssociation
import Diagnostics
import Foundation
import JSON
import Testing

@Suite struct `Conversion between forms` {
  @Test(arguments: [
    // paths become components
    (
      #"{"applinks":{"apps":[],"details":[{"appID":"A.b","paths":["NOT /a","*"]}]}}"#, "components",
      #"{"applinks":{"details":[{"appIDs":["A.b"],"components":[{"/":"/a","exclude":true},{"/":"*"}]}]}}"#
    ),
    // the oldest form; of a repeated app the last one counts
    (
      #"{"applinks":{"details":{"A.b":{"paths":["/x"]},"A.c":{"paths":[]},"A.b":{"paths":["/a"]}}}}"#,
      "components",
      #"{"applinks":{"details":[{"appIDs":["A.c"],"components":[]},{"appIDs":["A.b"],"components":[{"/":"/a"}]}]}}"#
    ),
    // defaults that a legacy path does not take
    (
      #"{"applinks":{"defaults":{"?":"a","exclude":true,"caseSensitive":false},"details":[{"appID":"A.b","paths":["/a"]}]}}"#,
      "components",
      #"{"applinks":{"defaults":{"?":"a","exclude":true,"caseSensitive":false},"details":[{"appIDs":["A.b"],"components":[{"/":"/a","?":"*","exclude":false}]}]}}"#
    ),
    // unknown parts stay
    (
      #"{"webcredentials":{"apps":["A.b"]},"applinks":{"x":1e2,"details":[7,{"appID":"A.b","paths":["/é"],"y":{}}]}}"#,
      "components",
      #"{"webcredentials":{"apps":["A.b"]},"applinks":{"x":1e2,"details":[7,{"appIDs":["A.b"],"components":[{"/":"/é"}],"y":{}}]}}"#
    ),
    // components become paths, one entry for each app
    (
      #"{"applinks":{"details":[{"appIDs":["A.b","A.c"],"components":[{"/":"/a","exclude":true,"comment":"no"},{}]}]}}"#,
      "paths",
      #"{"applinks":{"apps":[],"details":[{"appID":"A.b","paths":["NOT /a","*"]},{"appID":"A.c","paths":["NOT /a","*"]}]}}"#
    ),
    // variables are put in
    (
      #"{"applinks":{"substitutionVariables":{"v":["x","y*"]},"details":[{"appID":"A.b","components":[{"/":"/$(v)/$(v)"}]}]}}"#,
      "paths",
      #"{"applinks":{"apps":[],"details":[{"appID":"A.b","paths":["/x/x","/x/y*","/y*/x","/y*/y*"]}]}}"#
    ),
    // a path that only resembles an exclusion
    (
      #"{"applinks":{"details":[{"appID":"A.b","components":[{"/":"NOT /a"}]}]}}"#, "paths",
      #"{"applinks":{"apps":[],"details":[{"appID":"A.b","paths":["/NOT /a"]}]}}"#
    ),
  ])
  func `Files are written in the other form`(old: String, form: String, new: String) throws {
    let tree = try convert(old, Conversion(form: Conversion.Form(rawValue: form)))
    #expect(String(decoding: tree.minified, as: UTF8.self) == new)
  }

  @Test(arguments: [
    (#"{"?":"a"}"#, "the rule tests a query, but a pattern in `paths` tests only the path"),
    (
      #"{"?":{"a":"?*"}}"#,
      "the rule tests query items, but a pattern in `paths` tests only the path"
    ),
    (##"{"#":"top"}"##, "the rule tests a fragment, but a pattern in `paths` tests only the path"),
    (#"{"/":"/$(lang)"}"#, "the rule uses $(lang), which systems before iOS 13.5 do not know"),
    (
      #"{"/":"/a","caseSensitive":false}"#,
      "the result would not mean the same: /A opens A.b now, but stays in the browser "
        + "for A.b after the conversion"
    ),
  ])
  func `Rules that paths cannot express are refused`(component: String, message: String) throws {
    let file =
      #"{"applinks":{"details":[{"appID":"A.b","components":[\#(component)]}]}}"#
    let fault = #expect(throws: ConversionFault.self) {
      try convert(file, Conversion(form: .paths))
    }
    #expect(fault?.message == message)
  }

  @Test func `Comments are left out, but not items and variables of that name`() throws {
    let old =
      #"{"applinks":{"substitutionVariables":{"comment":["a"]},"details":[{"appID":"A.b","comment":1,"components":[{"/":"/$(comment)","?":{"comment":"x"},"comment":"x"}]}]}}"#
    let tree = try convert(old, Conversion(stripsComments: true))
    #expect(
      String(decoding: tree.minified, as: UTF8.self)
        == #"{"applinks":{"substitutionVariables":{"comment":["a"]},"details":[{"appID":"A.b","components":[{"/":"/$(comment)","?":{"comment":"x"}}]}]}}"#
    )
  }

  @Test func `The indented form is stable`() throws {
    let tree = JSONTree(
      try document(#"{"a":{"b":[1,"\u00e9"],"c":{}},"d":[{"e":null}],"f":[]}"#).root)
    let text = String(decoding: tree.indented, as: UTF8.self)
    #expect(
      text == #"""
        {
          "a": {
            "b": [1, "\u00e9"],
            "c": {}
          },
          "d": [
            { "e": null }
          ],
          "f": []
        }

        """#)
    #expect(JSONTree(try document(text).root) == tree)
  }

  static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/corpus")

  @Test(.enabled(if: FileManager.default.fileExists(atPath: corpus.path)))
  func `Every file of the corpus keeps its meaning`() throws {
    var (converted, refused) = (0, 0)
    for url in try FileManager.default.contentsOfDirectory(
      at: Self.corpus, includingPropertiesForKeys: nil)
    {
      let bytes = Array(try Data(contentsOf: url))
      let source = SourceText(path: url.lastPathComponent, bytes: bytes)
      guard let old = try? Document(parsing: source), old.root.kind == .object else { continue }
      for form in [Conversion.Form.components, .paths] {
        let tree: JSONTree
        do throws(ConversionFault) {
          tree = try Conversion(form: form, stripsComments: true).convert(old)
        } catch {
          refused += 1
          #expect(form == .paths, "\(source.path): \(error.message)")
          continue
        }
        converted += 1
        let new = try Document(parsing: SourceText(path: "new", bytes: tree.minified))
        let all = differences(old: Association(old.root), new: Association(new.root))
        #expect(all.isEmpty, "\(source.path)")
      }
    }
    #expect(converted > refused)
  }

  private func document(_ json: String) throws -> Document {
    try Document(parsing: SourceText(path: "test.json", bytes: Array(json.utf8)))
  }

  private func convert(_ json: String, _ conversion: Conversion) throws -> JSONTree {
    try conversion.convert(document(json))
  }
}
