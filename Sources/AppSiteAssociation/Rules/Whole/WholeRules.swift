/// What is found of the file as a whole, after everything else.
let wholeRules: [any ValidationRule.Type] = [NothingPermitted.self]
