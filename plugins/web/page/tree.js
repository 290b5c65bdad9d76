import { hasPage, linkTo, t } from 'shell'
import { dateText, sizeText } from '../../shell/page/format.js'
import { html } from './lib.js'

const isFolder = node => Array.isArray(node.children)
const isProject = node => /\.3mf$/i.test(node.name)
const isPlate = node => !isFolder(node) && /\.(3mf|gcode)$/i.test(node.name)

const Actions = ({ node, on, busy }) => html`<details class="menu">
  <summary aria-label=${t('printer.files.actions', { name: node.name })}>⋯</summary><div>
    ${isProject(node) && html`<button type="button" disabled=${busy} onClick=${() => on.print(node)}>${t('printer.files.print')}</button>`}
    ${hasPage('plate') && isPlate(node) && html`<a href=${linkTo('plate', { file: node.id })}>${t('printer.files.layers')}</a>`}
    ${isFolder(node) && html`<button type="button" onClick=${() => on.create(node)}>${t('printer.files.inside')}</button>
      <button type="button" onClick=${() => on.upload(node)}>${t('printer.files.upload.here')}</button>`}
    ${!isFolder(node) && html`<button type="button" onClick=${() => on.download(node)}>${t('printer.files.download')}</button>`}
    ${node.id !== '/' && html`<button type="button" onClick=${() => on.rename(node)}>${t('printer.files.rename.ask')}</button>
      <button type="button" class="danger" onClick=${() => on.remove(node)}>${t('printer.files.delete.ask')}</button>`}
  </div></details>`

/** The folder of a search result. */
const Where = ({ node }) => node.where && node.where !== '/' && html` <small class="faint">${node.where}</small>`

const File = ({ node, on, busy }) => html`<li class="file">
  ${isProject(node)
    ? html`<button type="button" class="link" disabled=${busy} title=${t('printer.files.print')} onClick=${() => on.print(node)}>${node.name}<${Where} node=${node} /></button>`
    : html`<span>${node.name}<${Where} node=${node} /></span>`}
  <span class="faint size">${sizeText(node.size)}</span><span class="faint date">${dateText(node.timestamp)}</span>
  <${Actions} node=${node} on=${on} busy=${busy} />
</li>`

const Folder = ({ node, on, busy, open }) => html`<li class="folder">
  <details open=${open}><summary>${node.name}<${Where} node=${node} /> <span class="faint">${node.children.length}</span></summary>
    <ul>${node.children.map(child => html`<${Node} key=${child.id} node=${child} on=${on} busy=${busy} />`)}</ul></details>
  <${Actions} node=${node} on=${on} busy=${busy} />
</li>`

/**
 * A file or folder on the card.
 * @param {{ node: any, on: Record<string, (node: any) => void>, busy: boolean, open?: boolean }} props
 */
export const Node = ({ node, on, busy, open = false }) => isFolder(node)
  ? html`<${Folder} node=${node} on=${on} busy=${busy} open=${open} />`
  : html`<${File} node=${node} on=${on} busy=${busy} />`
