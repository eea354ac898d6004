/// All cases, in the order of the report.
enum GuardCases {
  static var all: [any GuardCase.Type] {
    [
      OpenCase.self, OpenUnindexedCase.self, DecodeCase.self, InsertCase.self, LookupCase.self,
      CommitCase.self, CommitViewCase.self, CommitTenViewsCase.self, CommitFilteredCase.self,
      CommitNumbersCase.self, CommitAggregatesCase.self,
      CallbackCommitsCase.self, TransactionCase.self,
      RowCommitCase<RowUpdate, InMemory, NoLog>.self,
      RowCommitCase<RowUpdate, InMemory, ChangeLogged>.self,
      RowCommitCase<RowInsertion, InMemory, NoLog>.self,
      RowCommitCase<RowInsertion, InMemory, ChangeLogged>.self,
      RowCommitCase<RowUpdate, OnFile, NoLog>.self,
      RowCommitCase<RowUpdate, OnFile, ChangeLogged>.self,
      RowCommitCase<RowInsertion, OnFile, NoLog>.self,
      RowCommitCase<RowInsertion, OnFile, ChangeLogged>.self,
    ]
  }

  static func named(_ name: String) throws -> any GuardCase.Type {
    guard let found = all.first(where: { $0.name == name }) else {
      let names = all.map { $0.name }.joined(separator: ", ")
      throw GuardError("there is no case '\(name)'; there are \(names)", code: 64)
    }
    return found
  }
}
