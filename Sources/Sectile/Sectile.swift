// What users import: Core, the store and the data sources, under one name.
@_exported public import SectileCore
@_exported public import SectileDataSources
@_exported public import SectileStore
