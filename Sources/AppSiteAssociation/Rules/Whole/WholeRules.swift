/// Rules about the file as a whole, after all others.
let wholeRules: [any ValidationRule.Type] = [NothingPermitted.self]
