/// Rules that compare the languages of patterns: codes A080 to A084 are kept for them.
let reachabilityRules: [any ValidationRule.Type] = []
