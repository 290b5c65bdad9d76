import { callBlob } from './api.js'
import { html, useEffect, useState } from './lib.js'

/** A picture from a route; nothing while it loads or when there is none. */
export function Picture ({ route, params, alt }) {
  const [source, setSource] = useState('')
  const key = JSON.stringify(params)
  useEffect(() => {
    let address = ''
    let gone = false
    callBlob(route, params).then(blob => {
      if (gone) return
      address = URL.createObjectURL(blob)
      setSource(address)
    }, () => {}) // the project may have no picture
    return () => { gone = true; URL.revokeObjectURL(address) }
  }, [route, key])
  return html`<span class="picture">${source && html`<img src=${source} alt=${alt} />`}</span>`
}
