// Preact as every page gets it: what throws while it is drawn is said in its place, and the frame of the page stays.

import { Component, h, render as draw } from 'preact-itself'
import { showBroken } from './broken.js'

export * from 'preact-itself'

class Boundary extends Component {
  /** @override @param {unknown} error */
  static getDerivedStateFromError (error) { return { failed: { error } } }

  /** For those who look for the mistake. @override @param {unknown} error */
  componentDidCatch (error) { window.reportError(error) }

  /** @override */
  render () {
    const { children } = /** @type {any} */ (this.props)
    const { failed } = /** @type {any} */ (this.state)
    return failed ? h('div', { ref: place => { if (place) showBroken(place, failed.error) } }) : children
  }
}

/** @param {any} page @param {any} place */
export function render (page, place) { draw(h(Boundary, null, page), place) }
