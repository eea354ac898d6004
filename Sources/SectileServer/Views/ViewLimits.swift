#if Server
  /// What views may cost.
  struct ViewLimits: Sendable {
    /// How many views there are at a time.
    var views = 64
    /// How long the rows of a view may take to be read, and a look for what others have written.
    var queryTime = Duration.seconds(10)
    /// How long a view stays that nobody uses.
    var graceTime = Duration.seconds(30)
    /// How many versions of a view can be read.
    var heldVersions = 16
    /// How long a version can be read after there is another one.
    var holdingTime = Duration.seconds(30)
    /// How often a file is looked at where nothing tells of commits.
    var interval = Duration.milliseconds(250)
    /// How many rows are answered at once, at most.
    var rowsPerAnswer = 1_000
    /// How many bytes of rows are answered at once; an answer with more has fewer rows than were
    /// asked for.
    var answerBytes = 4 << 20
    /// How many bytes a value may have that is handed out.
    var cellBytes = 64 << 20
    /// How many bytes a value may have that is read, or made by a function: nothing interrupts one
    /// that makes it.
    var valueBytes = 64 << 20
    /// How many exports run at a time.
    var exports = 4
    /// How long an export may take, and hold a state of the file.
    var exportTime = Duration.seconds(600)
    /// How long rows are looked for by all keys of a request: columns without an index are searched
    /// from end to end.
    var lookupTime = Duration.milliseconds(500)
    /// How long the values of a column may take to be counted, and again those of few rows.
    var countTime = Duration.seconds(1)
  }
#endif
