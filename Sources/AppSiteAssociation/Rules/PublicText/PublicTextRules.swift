let publicTextRules: [any ValidationRule.Type] = [
  SecretInComment.self,
  InternalHostInComment.self,
  TaskInComment.self,
  AddressInComment.self,
  LongComments.self,
]
