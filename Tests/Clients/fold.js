// Folds messages with sectile.js, as a view does whose connection gives it one after the other. Tests in a browser and
// in node put this text into a function; `sectile` is the module.
function fold(sectile, messages) {
  const told = []
  const errors = []
  let reopened = 0
  const connection = { base: "", state: "open", reopen() { reopened += 1 }, leave() {} }
  const note = kind => view => told.push([kind, view.version, view.sections.map(({ header, count }) => [header.title, count])])
  const view = new sectile.View(connection, {}, {
    onReset: (view, reason) => note(reason === "keyed" ? "keyed" : "reset")(view),
    onChanges: note("changes"),
    onError: (view, error) => {
      errors.push([error.code, error.message])
      note("failed")(view)
    },
    onRecovered: note("recovered")
  }, {})
  view.stand("joined")
  // It keeps sections with their counts, and asks for rows elsewhere: rows that a feed tells are counted here.
  let arriving = []
  for (const { event, data, id } of messages) {
    const body = JSON.parse(data)
    if (event === "reset") arriving = []
    if (event === "rows") {
      for (const { header, rows } of body.sections) {
        if (header) arriving.push({ section: arriving.length, header, count: 0 })
        arriving.at(-1).count += rows.length
      }
      continue
    }
    if (event === "complete" && arriving.length) {
      view.receive("sections", { format: 2, version: body.version, sections: arriving }, "")
    }
    view.receive(event, body, id)
  }
  return { told, errors, reopened, position: view.position, state: view.state, misfits: view.statistics.misfits, aggregates: view.aggregates }
}
