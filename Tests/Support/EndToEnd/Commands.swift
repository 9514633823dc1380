import Foundation

extension Workspace {
  /// Runs the program to its end in this folder.
  func aasa(_ arguments: [String], input: String? = nil) throws -> Finished {
    try run(Server.program, arguments, folder: root, input: input)
  }

  func aasa(_ arguments: String..., input: String? = nil) throws -> Finished {
    try aasa(arguments, input: input)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// The names in the folder, sorted, including broken links.
  func names(in folder: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
  }
}

/// The app of the files that commands are tried on.
let shop = "K27TX9P4QD.org.swift.shop"

/// An association file that gives the shop these components.
func shopFile(components: String) -> String {
  #"{"applinks":{"details":[{"appIDs":["\#(shop)"],"components":\#(components)}]}}"#
}

/// The same in the form of before iOS 13.
func shopFile(paths: String) -> String {
  #"{"applinks":{"apps":[],"details":[{"appID":"\#(shop)","paths":\#(paths)}]}}"#
}
