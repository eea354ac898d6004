// What numbers and texts stand for: dates, money, links. The value itself is in the title of the cell, with all its digits.
import { el } from "./dom.js"
import { describe, plain, size, visible } from "./values.js"

/** The forms that there are: what the browser keeps, and what people read. */
export const forms = [
  ["seconds", "Date: seconds since 1970"], ["milliseconds", "Date: milliseconds since 1970"], ["reference", "Date: seconds since 2001 (Core Data)"], ["iso", "Date: text of ISO 8601"],
  ["boolean", "Yes or no"], ["money2", "Money in hundredths"], ["money3", "Money in thousandths"], ["money4", "Money in ten-thousandths"],
  ["duration", "Duration in seconds"], ["durationms", "Duration in milliseconds"], ["bytes", "Bytes"], ["link", "Link"], ["colour", "Colour"]
]

// Where Core Data counts from, in milliseconds since 1970.
const reference = Date.UTC(2001, 0, 1)
const day = 86_400_000

/**
 * What is shown of a value in a form: a text, or a node; null where the value is none of the form. Without `allowsLinks`
 * a link is no node that could be clicked.
 */
export function formatted(form, value, allowsLinks = true) {
  const { kind, text, isCut } = describe(value)
  if (isCut || (kind !== "number" && kind !== "text")) return null
  const isWhole = /^-?\d+$/.test(text)
  const real = kind === "number" && Number.isFinite(Number(text)) ? Number(text) : null
  switch (form) {
    case "seconds": return real === null ? null : date(real * 1000)
    case "milliseconds": return real === null ? null : date(real)
    case "reference": return real === null ? null : date(real * 1000 + reference)
    case "iso": return kind === "text" ? isoDate(text) : null
    case "boolean": return truth(text)
    case "money2": case "money3": case "money4": return kind === "number" && isWhole ? scaled(text, Number(form.at(-1))) : null
    case "duration": return real === null ? null : duration(real * 1000)
    case "durationms": return real === null ? null : duration(real)
    case "bytes": return kind === "number" && isWhole && real >= 0 ? size(real) : null
    case "link": return kind === "text" ? link(text, allowsLinks) : null
    case "colour": return colour(kind, text)
    default: return null
  }
}

/**
 * What a date stands for in a column of a form, as a number; null for what is none. At the end of a range a day without
 * a time is all of it.
 */
export function rawOf(form, text, isEnd = false) {
  if (!["seconds", "milliseconds", "reference"].includes(form)) return null
  const match = /^\s*(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)Z?)?\s*$/.exec(text)
  const start = match ? Date.parse(`${match[1]}T${match[2] ?? "00:00"}Z`) : NaN
  if (Number.isNaN(start)) return null
  const time = isEnd && !match[2] ? start + day - 1 : start
  if (form === "milliseconds") return String(time)
  return String((form === "reference" ? time - reference : time) / 1000)
}

function date(milliseconds) {
  const moment = new Date(milliseconds)
  if (Number.isNaN(moment.getTime())) return null
  const text = moment.toISOString()
  return `${text.slice(0, -14)} ${text.slice(-13, -5)}${text.endsWith(".000Z") ? "" : text.slice(-5, -1)}Z`
}

// One without a zone is told as it is: nobody knows which it has.
function isoDate(text) {
  const match = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/.exec(text)
  if (!match) return null
  const [, days, time = "00:00", zone] = match
  const at = Date.parse(`${days}T${time}${zone ? zone.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2") : "Z"}`)
  if (Number.isNaN(at)) return null
  return zone ? date(at) : match[2] ? `${days} ${time}` : days
}

const truths = { 1: "yes", 0: "no", true: "yes", false: "no", t: "yes", f: "no", yes: "yes", no: "no", y: "yes", n: "no" }

const truth = text => (Object.hasOwn(truths, text.toLowerCase()) ? truths[text.toLowerCase()] : null)

// Digits stay digits: no number is worked out.
function scaled(text, scale) {
  const sign = text.startsWith("-") ? "−" : ""
  const digits = text.replace("-", "").padStart(scale + 1, "0")
  return `${sign}${digits.slice(0, -scale).replace(/\B(?=(\d{3})+$)/g, ",")}.${digits.slice(-scale)}`
}

function duration(milliseconds) {
  const size = Math.abs(milliseconds)
  if (size > Number.MAX_SAFE_INTEGER) return null
  const two = number => String(number).padStart(2, "0")
  const whole = Math.floor(size / 1000)
  const rest = Math.floor(size % 1000)
  const days = Math.floor(whole / 86_400)
  const hours = Math.floor(whole / 3600) % 24
  return `${milliseconds < 0 ? "−" : ""}${days ? `${days} d ` : ""}${days ? two(hours) : hours}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}${rest ? `.${String(rest).padStart(3, "0")}` : ""}`
}

function link(text, allowsLinks) {
  if (!/^(https?:\/\/|mailto:)/i.test(text) || !URL.canParse(text)) return null
  const { protocol, href } = new URL(text)
  if (!["http:", "https:", "mailto:"].includes(protocol)) return null
  return allowsLinks ? el("a", { class: "link", href, rel: "noopener noreferrer", target: "_blank", tabindex: "-1" }, visible(text)) : plain(text)
}

function colour(kind, text) {
  const number = kind === "number" && /^\d{1,8}$/.test(text) ? Number(text) : NaN
  const code = number <= 0xffffff ? `#${number.toString(16).padStart(6, "0")}` : /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text) ? text : null
  if (!code) return null
  const swatch = el("span", { class: "colour", "aria-hidden": "true" })
  swatch.style.backgroundColor = code
  return el("span", {}, swatch, code)
}
