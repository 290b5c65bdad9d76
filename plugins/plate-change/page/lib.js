import { call } from 'shell'

export { useEffect, useMemo, useRef, useState } from 'preact/hooks'
export { render } from 'preact'
export { Dialog, html, Icon } from 'components'

/** Calls a route, and says what went wrong. @param {(text: string) => void} say */
export async function attempt (say, method, path, params, options = {}) {
  say('')
  try {
    return await call(method, path, params, options)
  } catch (error) {
    say(/** @type {Error} */ (error).message)
    return undefined
  }
}

/** @param {string} printer @param {string} id */
export const pictureOf = (printer, id, version = 0) =>
  `api/plate-change/pictures/${encodeURIComponent(id)}?printer=${encodeURIComponent(printer)}&v=${version}`
