// How devices come to trust the encrypted pages of this service.

import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, dateTime, shell, t } from 'shell'
import { html } from 'components'

/** Steps for each system, in texts `encryption.NAME.1` and so on. */
const SYSTEMS = { iphone: 3, android: 2, mac: 2, windows: 2, linux: 2, firefox: 1 }

/** The system of this device is unfolded. */
function likelySystem () {
  const { userAgent } = navigator
  if (/Firefox\//.test(userAgent) && !/Android/.test(userAgent)) return 'firefox'
  return /iPhone|iPad/.test(userAgent)
    ? 'iphone'
    : /Android/.test(userAgent) ? 'android' : /Mac OS/.test(userAgent) ? 'mac' : /Windows/.test(userAgent) ? 'windows' : 'linux'
}

const isEncrypted = location.protocol === 'https:'
const encrypted = () => `https://${location.host}${new URL(`${shell.base}encryption`, location.href).pathname}`

const State = () => isEncrypted
  ? html`<p class="note good" role="status">${t('encryption.is')}</p>`
  : html`<section class="card" aria-labelledby="state-title"><header><h2 id="state-title">${t('encryption.isnot')}</h2>
      <a class="button primary" href=${encrypted()}>${t('encryption.open')}</a></header>
    <p>${t('encryption.why')}</p><p class="faint">${t('encryption.warns')}</p></section>`

/** @param {{ root: any }} options */
const Root = ({ root }) => html`<section class="card" aria-labelledby="root-title">
  <header><h2 id="root-title">${t('encryption.root.title')}</h2>
    <a class=${isEncrypted ? 'button primary' : 'button'} href=${shell.base + root.path.slice(1)} download="prnd-root.crt">${t('encryption.root.download')}</a></header>
  <p>${t('encryption.root.what')}</p>
  <div class="systems">${Object.entries(SYSTEMS).map(([name, steps]) => html`<details key=${name} open=${name === likelySystem()}>
    <summary>${t(`encryption.${name}`)}</summary>
    <ol>${Array.from({ length: steps }, (_, index) => html`<li key=${index}>${t(`encryption.${name}.${index + 1}`)}</li>`)}</ol></details>`)}</div>
  <p class="faint">${t('encryption.root.limits', { time: dateTime(root.valid_until) })}</p>
  <div><p>${t('encryption.root.compare')}</p><p class="fingerprint"><code>${root.fingerprint}</code></p>
    <p class="faint">${t('encryption.root.command')} <code>prnd certificate</code></p></div></section>`

/** @param {{ addresses: string[] }} options */
const Addresses = ({ addresses }) => html`<section class="card" aria-labelledby="addresses-title">
  <header><h2 id="addresses-title">${t('encryption.addresses')}</h2></header>
  <ul class="rows">${addresses.map(address => html`<li class="row" key=${address}><a href=${address}>${address}</a></li>`)}</ul>
  <p class="faint">${t('encryption.addresses.more')} <code>plugins.https.names</code></p></section>`

function Encryption () {
  const [known, setKnown] = useState(/** @type {any} */ (null))
  const [problem, setProblem] = useState('')
  useEffect(() => {
    call('GET', 'https').then(setKnown, error => setProblem(t('encryption.failed', { reason: error.message })))
  }, [])
  return html`${problem !== '' && html`<p class="note warn" role="alert">${problem}</p>`}
    ${known && html`<${State} />
      ${known.root === null ? html`<p class="note">${t('encryption.own')}</p>` : html`<${Root} root=${known.root} /><${Addresses} addresses=${known.addresses} />`}`}`
}

render(html`<${Encryption} />`, /** @type {any} */ (document.getElementById('encryption')))
