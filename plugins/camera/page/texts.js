// What the page says, in the language that was asked for, and how it shows the states of a job.

/** @type {Record<string, string>} */
const texts = JSON.parse(document.body.dataset.texts ?? '{}')
/** @type {Record<string, { word: string, tone: string }>} by the state as printers report it */
export const looks = JSON.parse(document.body.dataset.looks ?? '{}')

/** @param {string} key @param {Record<string, unknown>} [values] */
export const t = (key, values = {}) =>
  (texts['live.' + key] ?? key).replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''))
