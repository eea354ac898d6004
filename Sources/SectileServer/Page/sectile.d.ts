// Types of sectile.js, the client of Sectile's live requests.

/** A value of SQLite as JSON: what JSON has no word for is tagged. */
export type Value =
  | null | number | string
  | { $integer: string } | { $real: string } | { $blob: string } | { $text: string }
  | { $cut: "text" | "blob"; length: number; head: string }

/** The identity of a row: the values of its key. */
export type RowID = Value[] | Value

export interface Header {
  identity: Value
  title: string
  indexTitle?: string
  aggregates?: Record<string, Value>
}

export interface Section { header: Header; count: number }

export interface Path { section: number; item: number }

export interface Row {
  id: RowID
  /** A text that is equal for equal identities. */
  key: string
  /** The values, in the order of `View.columns`. */
  cells: Value[]
  /** Whether it was changed since it was read. */
  stale: boolean
}

/** What is asked for: the parameters of the server's requests. */
export interface Request {
  table?: string
  "section-by"?: string
  sort?: string | string[]
  where?: string
  limit?: number | string
  key?: string | string[]
  aggregate?: string | string[]
  column?: string | string[]
  view?: string
}

/** A changeset without the items of rows. */
export interface Changeset {
  sourceVersion: number
  targetVersion: number
  contents?: { before: Record<string, Value>; after: Record<string, Value> }
  sections: {
    deletes: { section: number; header: Header }[]
    inserts: { section: number; header: Header }[]
    moves: { source: number; target: number; header: Header }[]
    updates: { source: number; target: number; before: Header; header: Header }[]
  }
  rows: {
    deletes: { path: Path; id: RowID }[]
    inserts: { path: Path; id: RowID }[]
    moves: { source: Path; target: Path; id: RowID; contentChanged: boolean }[]
    updates: { source: Path; target: Path; id: RowID }[]
  }
}

export class SectileError extends Error {
  readonly status: number
  readonly code: string
  readonly hint: string
  readonly body: unknown
}

/** Sections with counts, as of a version. */
export class Structure {
  constructor(version: number, sections: Section[], aggregates?: Record<string, Value> | null)
  readonly version: number
  readonly sections: readonly Section[]
  readonly aggregates: Record<string, Value> | null
  readonly total: number
  start(section: number): number
  rank(path: Path): number
  path(rank: number): Path
  /** Throws `RangeError` where the changeset does not fit. */
  applying(changeset: Changeset): Step
}

/** From one structure to the next. */
export class Step {
  readonly before: Structure
  readonly after: Structure
  readonly changeset: Changeset
  /** Where a row is now; null where it is gone. */
  forward(rank: number): { rank: number; changed: boolean; moved: boolean; id?: RowID } | null
  identity(rank: number): RowID | undefined
}

/** How many rows changes concern, each once, by what it will be: one that came and went is nothing. */
export interface Pending {
  readonly inserted: number
  readonly changed: number
  readonly moved: number
  readonly deleted: number
  /** How often sections came, went, moved or got another header. */
  readonly sections: number
  /** Whether there is more, which is not counted: too much, or contents that were given anew. */
  readonly isMore: boolean
}

/**
 * How a connection or a view stands; only "open" is live.
 *
 * "waiting": other streams of this browser have the connections to the server; it goes on when one of them ends. Pages that
 * share a stream do not wait. "lost": the server was not heard of for three heartbeats, or does not answer; it is tried again.
 * "asleep": the page has been hidden for a minute, and goes on where it was when it is shown. Of a view also "reading": the server does not follow it yet;
 * "slow": an answer has been due for five seconds; "refused": see `onError`.
 */
export type State =
  | "connecting" | "waiting" | "open" | "lost" | "asleep" | "unauthorized" | "closed" | "reading" | "slow" | "refused"

export interface Handlers {
  /** The contents were given anew; `reason` is the server's, or "otherSource": its file is another one, and nothing is held. */
  onReset?(view: View, reason: string): void
  /** A changeset was folded; `view` is after it. */
  onChanges?(view: View, step: Step): void
  /** Rows were read. */
  onRows?(view: View, range: { from: number; count: number }): void
  onError?(view: View, error: SectileError): void
  /** The rows, of which `onError` said that they could not be read, are read again; `onReset` says so, too. */
  onRecovered?(view: View): void
  /** The schema of the file changed. */
  onSchema?(view: View): void
  /** A change came while the view is paused. */
  onWaiting?(view: View): void
  /** It stands otherwise: whether it is live. */
  onState?(view: View, state: State): void
}

export interface ConnectionOptions {
  /** Whether views stay open while the page is hidden; otherwise it lets go of them after a minute. */
  staysWhenHidden?: boolean
  /**
   * Whether it uses the stream that all pages of the browser share; true unless told. Where the browser has no Web Locks (a
   * page of plain HTTP that is not of this machine) or no BroadcastChannel, each connection has a stream of its own.
   */
  sharesStream?: boolean
}

export interface ViewOptions {
  /** How many rows are held: 4,000 unless told. */
  cachedRows?: number
}

export class View {
  readonly request: Request
  readonly structure: Structure
  readonly version: number
  readonly total: number
  readonly sections: readonly Section[]
  readonly aggregates: Record<string, Value> | null
  readonly columns: string[]
  /** Where the server goes on; empty at first. */
  readonly position: string
  readonly isLoaded: boolean
  readonly isClosed: boolean
  /** How it stands; what it holds is live in the state "open" alone. */
  readonly state: State
  readonly isPaused: boolean
  /** How many changesets came while it was paused. */
  readonly waiting: number
  /** What they change in all; null where none came. */
  readonly pending: Pending | null
  /** Whether all wanted rows are here as of this version. */
  readonly isSettled: boolean
  readonly statistics: Record<"resets" | "changesets" | "keyed" | "reads" | "gone" | "misfits", number>
  /** The row at a rank, where it was read. */
  row(rank: number): Row | undefined
  rows(): IterableIterator<[number, Row]>
  /** Says which ranks are looked at; they are read, and kept up to date. */
  want(from: number, count: number): void
  /** The same of several ranges, in order: what is between them is not read. */
  want(ranges: { from: number; count: number }[]): void
  /**
   * Goes on showing what is shown now; where that is nothing yet, what comes first. Rows that are read later are shown
   * as they were, or not: see `lost`. The server holds nothing for it.
   */
  pause(): void
  /** Shows what was waiting: `onChanges` for each changeset, `onReset` where `pending.isMore`. */
  resume(): void
  /** Why `row` gives nothing while it is paused, and will not; null where the row is here, or can be read. */
  lost(rank: number): "deleted" | "changed" | "unknown" | null
  /** How many of the changes that wait concern some ranks; null where that is not known. */
  pendingWithin(from: number, count: number): number | null
  /** By which parameters the server finds a row, for `url("cell", …)`; null where it cannot any more. */
  placeOf(rank: number): { version: number; at: number; after?: string } | null
  /** The names of the parts that differ from what the server says of the same version; empty where none does. */
  verify(attempts?: number): Promise<string[]>
  url(resource: string, more?: Record<string, unknown>): string
  close(): void
}

export class Connection {
  readonly base: string
  readonly state: State
  /** Tells the server's file from others; null where the server does not say. */
  readonly source: string | null | undefined
  /** Whether the stream that it uses is held by this page, for itself or for all pages of the browser. */
  readonly carriesStream: boolean
  open(request: Request, handlers?: Handlers, options?: ViewOptions): View
  /** Begins another stream; the views go on from their positions. */
  restart(): void
  close(): void
}

/** Opens a connection; views are opened on it. All connections of a browser to one server share one stream of events. */
export function connect(url?: string, handlers?: {
  onState?(connection: Connection, state: State): void
  /** The server is one of another file: called before anything of it is read. */
  onSource?(connection: Connection): void
  /** The schema of the file changed. */
  onSchema?(connection: Connection): void
}, options?: ConnectionOptions): Connection

/** Opens one view on a connection of its own, which is closed with it. */
export function subscribe(url: string, request: Request, handlers?: Handlers, options?: ViewOptions & ConnectionOptions): View

export function keyOf(id: RowID): string
/** What is waiting in words: "12 new, 3 changed". */
export function pendingText(pending: Pending): string
export function queryOf(request: Request, more?: Record<string, unknown>): string
export function getJSON(url: string, signal?: AbortSignal): Promise<any>
