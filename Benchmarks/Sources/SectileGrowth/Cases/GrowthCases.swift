/// All cases, in the order of the report.
enum GrowthCases {
  static var all: [any GrowthCase.Type] {
    [
      CommitGrowth.self, CommitInSectionsGrowth.self, TransactionGrowth.self,
      NewSectionsGrowth.self, StrangersGrowth.self, ConstantFiltersGrowth.self, FamilyGrowth.self,
      LongListGrowth.self,
      OpeningGrowth.self, FixedSectionsGrowth.self,
      ReleasingGrowth.self,
      SnapshotGrowth.self, HeldSnapshotGrowth.self, CallbackWritesGrowth.self,
      BusyQueueGrowth.self, SleepingConsumersGrowth.self, SleepingClientsGrowth.self,
      FeedCommitGrowth.self, FeedJoinGrowth.self, FeedResumeGrowth.self, MigrationGrowth.self,
      LongFilterGrowth.self, RequestChangeGrowth.self,
      ResyncGrowth.self, SelectionGrowth.self,
      LayersGrowth.self, LayerEditsGrowth.self, ArrangedSectionsGrowth.self,
      ArraySectionGrowth.self, NestedInsertionGrowth.self,
      CrawlGrowth.self,
      QueryChildGrowth.self, QueryParentGrowth.self, QueryGroupGrowth.self,
      QueryLargeGroupGrowth.self, QueryJoinedGroupsGrowth.self,
      QueryUnionGrowth.self, QueryExistsGrowth.self, QueryDistinctGrowth.self,
      OutsideQueryGrowth.self, OutsideCommitGrowth.self, OutsideViewsGrowth.self,
      OutsideTablesGrowth.self,
      LogTailGrowth.self, LogLengthGrowth.self, LogPruningGrowth.self,
      LoggedTransactionGrowth.self, LogReadersGrowth.self, LogResumeGrowth.self,
      LogHistoryGrowth.self, LogEnablingGrowth.self,
    ]
  }
}
