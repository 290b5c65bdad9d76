// How prints are watched now, and what computes networks on this machine.

import { t } from 'shell'
import { html, Icon } from 'components'
import { nameOf } from './names.js'

/** @returns {{ title: string, text: string }} in words */
function watching ({ trust, networks, remote, runtimes }) {
  const judging = networks.filter(({ judges }) => judges)
  const own = judging.filter(({ built_in: isBuiltIn }) => !isBuiltIn)
  const said = (key, values = {}) => ({ title: t(`monitor.now.${key}`, values), text: t(`monitor.now.${key.split('.')[0]}.text`) })
  if (trust === 0 && judging.length > 0) return { title: t('monitor.now.off'), text: t('monitor.now.comparison.text') }
  if (own.length > 0 && Object.keys(runtimes).length > 0) return said('own', { names: own.map(nameOf).join(', ') })
  if (remote !== null) return remote.url === null ? said('remote') : said('remote.named', { host: new URL(remote.url).host })
  return said(judging.some(({ built_in: isBuiltIn }) => isBuiltIn) ? 'builtin' : 'comparison')
}

export function Now ({ state, begin }) {
  const { networks, runtimes, task, may_change: mayChange } = state
  const versions = Object.entries(runtimes).map(([name, version]) => `${name} ${version}`).join(', ')
  const isMissing = versions === ''
  const isBlind = isMissing && networks.some(({ judges }) => judges)
  const { title, text } = watching(state)
  const isInstalling = task?.step === 'installing'
  return html`<section class="card" aria-labelledby="now-title">
    <header><h2 id="now-title">${t('monitor.now')}</h2></header>
    <div class="now"><span class="now-icon"><${Icon} name="camera" /></span>
      <div><p><b>${title}</b></p><p class="faint">${text}</p></div></div>
    ${isBlind && html`<p class="note bad">${t('monitor.now.missing')}</p>`}
    <p class="faint">${t('monitor.now.limits')}</p>
    ${isMissing
      ? html`<div class="row runtime"><span class="row-main"><b>${t('monitor.runtime.missing')}</b>
          <small>${t('monitor.runtime.missing.text')}</small>
          <small>${t('monitor.runtime.command', { command: 'prnd health runtime install' })}</small></span>
          ${mayChange && !isInstalling && html`<span class="row-end">
            <button class="primary" onClick=${() => begin('health/runtime')}>${t('monitor.runtime.install')}</button></span>`}</div>`
      : html`<p class="runtime faint">${t('monitor.runtime')} · ${t('monitor.runtime.installed', { versions })}</p>`}
  </section>`
}
