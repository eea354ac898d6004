@_exported public import SectileCore
@_exported public import SectileDataSources
@_exported public import SectileStore
