// Texts of the page in its language, and how job states are shown.

/** @type {Record<string, string>} */
const texts = JSON.parse(document.body.dataset.texts ?? '{}')
/** @type {Record<string, { word: string, tone: string }>} by the state that printers report */
export const looks = JSON.parse(document.body.dataset.looks ?? '{}')

/** @param {string} key */
export const hasText = key => 'live.' + key in texts

/** @param {string} key @param {Record<string, unknown>} [values] */
export const t = (key, values = {}) =>
  (texts['live.' + key] ?? key).replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''))
