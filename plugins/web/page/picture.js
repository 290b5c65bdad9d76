import { callBlob } from './api.js'
import { html, useEffect, useState } from './lib.js'

/** A picture that a route gives; nothing while it comes or when there is none. */
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
    }, () => {}) // a project may have none
    return () => { gone = true; URL.revokeObjectURL(address) }
  }, [route, key])
  return html`<span class="picture">${source && html`<img src=${source} alt=${alt} />`}</span>`
}
