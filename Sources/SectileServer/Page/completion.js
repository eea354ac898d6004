// The list below the caret of a field for SQL. The field stays as it is: the list only follows what is written.
import { el } from "./dom.js"
import { completionsOf } from "./sqlwords.js"
import { plain, visible } from "./values.js"

// What the letters of a field depend on.
const copied = ["fontFamily", "fontSize", "fontWeight", "fontStyle", "letterSpacing", "lineHeight", "tabSize", "paddingTop", "paddingRight", "paddingBottom", "paddingLeft",
  "borderTopWidth", "borderRightWidth", "borderBottomWidth", "borderLeftWidth", "boxSizing", "textIndent", "wordSpacing"]

export class Completion {
  #found = null
  #at = 0
  #isInserting = false

  /** `tables` gives the tables and views of the schema. */
  constructor(field, tables) {
    this.field = field
    this.tables = tables
    this.list = el("ul", { id: "completions", class: "completions", role: "listbox", "aria-label": "Completions", hidden: true })
    document.body.append(this.list)
    for (const [name, value] of Object.entries({ "aria-autocomplete": "list", "aria-controls": "completions", "aria-haspopup": "listbox" })) field.setAttribute(name, value)
    field.addEventListener("input", event => {
      if (this.#isInserting) return
      // What is pasted is whole; what is taken away only makes a list longer that is there.
      const isTyped = event.inputType === "insertText" && (event.data ?? "").length <= 2 && !event.isComposing
      const isTakenAway = event.inputType === "deleteContentBackward" && this.#found
      if (isTyped || isTakenAway) this.#open(false)
      else this.close()
    })
    field.addEventListener("compositionend", () => this.#open(false))
    field.addEventListener("keydown", event => this.#key(event))
    field.addEventListener("blur", () => this.close())
    field.addEventListener("scroll", () => this.#found && this.#place())
    field.addEventListener("pointerdown", () => this.close())
    addEventListener("resize", () => this.close())
    // The field keeps the focus.
    this.list.addEventListener("pointerdown", event => event.preventDefault())
    this.list.addEventListener("click", event => {
      const option = event.target.closest("li")
      if (option) this.#accept([...this.list.children].indexOf(option))
    })
  }

  close() {
    this.#found = null
    this.list.hidden = true
    this.list.replaceChildren()
    this.field.removeAttribute("aria-activedescendant")
  }

  #open(isAsked) {
    const { selectionStart, selectionEnd, value } = this.field
    this.#found = selectionStart === selectionEnd ? completionsOf(value, selectionStart, this.tables(), isAsked) : null
    if (!this.#found) return this.close()
    this.list.replaceChildren(...this.#found.candidates.map(({ title, kind }, i) => el("li", { id: `completion-${i}`, role: "option", "aria-selected": "false" },
      el("span", { class: "completion-title" }, visible(title)), el("span", { class: "quiet" }, plain(kind)))))
    this.list.hidden = false
    this.#place()
    this.#pick(0)
  }

  #pick(at) {
    const { children } = this.list
    this.#at = (at + children.length) % children.length;
    [...children].forEach((option, i) => option.setAttribute("aria-selected", String(i === this.#at)))
    this.field.setAttribute("aria-activedescendant", `completion-${this.#at}`)
    children[this.#at].scrollIntoView({ block: "nearest" })
  }

  #key(event) {
    if (event.isComposing || event.defaultPrevented) return
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
    if (event.key === " " && event.ctrlKey && !event.altKey && !event.metaKey) this.#open(true)
    else if (!this.#found) return
    else if (isPlain && event.key === "ArrowDown") this.#pick(this.#at + 1)
    else if (isPlain && event.key === "ArrowUp") this.#pick(this.#at - 1)
    else if (isPlain && (event.key === "Tab" || event.key === "Enter")) this.#accept(this.#at)
    else if (event.key === "Escape") this.close()
    else {
      // The caret goes elsewhere, or the SELECT is run.
      if (["ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", "Tab"].includes(event.key) || (event.key === "Enter" && !isPlain)) this.close()
      return
    }
    event.preventDefault()
  }

  #accept(at) {
    const { field } = this
    const { start, end, candidates } = this.#found
    const { insert } = candidates[at]
    this.close()
    // A parenthesis or a blank that is there already is not written twice.
    const text = insert.length > 1 && /[( ]$/.test(insert) && field.value[end] === insert.at(-1) ? insert.slice(0, -1) : insert
    this.#isInserting = true
    field.focus()
    field.setSelectionRange(start, end)
    // By this command what was typed can be undone; a browser may not know it.
    if (!document.execCommand("insertText", false, text)) {
      field.setRangeText(text, start, end, "end")
      field.dispatchEvent(new Event("input"))
    }
    this.#isInserting = false
  }

  // Under the letters that are completed: a copy of the field says where these are.
  #place() {
    const { field, list } = this
    const style = getComputedStyle(field)
    const copy = el("div", { class: "completion-copy", "aria-hidden": "true" })
    for (const name of copied) copy.style[name] = style[name]
    const box = field.getBoundingClientRect()
    // Without the bar that scrolls it.
    copy.style.width = `${field.clientWidth + parseFloat(style.borderLeftWidth) + parseFloat(style.borderRightWidth)}px`
    const sign = el("span", {}, "\u200b")
    copy.append(field.value.slice(0, this.#found.start), sign)
    document.body.append(copy)
    const { offsetLeft, offsetTop, offsetHeight } = sign
    copy.remove()
    const top = box.top + Math.min(offsetTop - field.scrollTop + offsetHeight, box.height)
    const line = Math.max(box.top, box.top + offsetTop - field.scrollTop)
    const isAbove = top + list.offsetHeight > innerHeight - 4 && line - list.offsetHeight > 4
    list.style.left = `${Math.max(4, Math.min(box.left + offsetLeft - field.scrollLeft, innerWidth - list.offsetWidth - 4))}px`
    list.style.top = `${isAbove ? line - list.offsetHeight - 2 : top + 2}px`
  }
}
