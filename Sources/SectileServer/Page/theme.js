// Light, dark, or as the system has it; the browser remembers what was chosen.
const place = "sectile.theme"

/** What can be chosen. */
export const themes = { "": "as the system", light: "light", dark: "dark" }

/** What is chosen. */
export function theme() {
  try {
    const name = localStorage.getItem(place) ?? ""
    return Object.hasOwn(themes, name) ? name : ""
  } catch {
    return document.documentElement.dataset.theme ?? ""
  }
}

/** Shows what is chosen. */
export function applyTheme(name = theme()) {
  if (name) document.documentElement.dataset.theme = name
  else delete document.documentElement.dataset.theme
}

/** Chooses one. */
export function choose(name) {
  try {
    localStorage.setItem(place, name)
  } catch {
    // A browser may keep nothing: it lasts as long as the page.
  }
  applyTheme(name)
}
