import { t } from 'shell'
import { attempt, confirm } from './dialogs.js'
import { call, callBlob, has, linkOf } from './api.js'
import { MOST_FOUND, searched } from './card-search.js'
import { Card } from './ui.js'
import { html, useEffect, useRef, useState } from './lib.js'
import { NameDialog } from './name-dialog.js'
import { PrintDialog } from './print-dialog.js'
import { useStore } from './store.js'
import { currentToken } from './token.js'
import { Node } from './tree.js'
import { upload, uploads } from './upload.js'

/** A card takes about a megabyte a second, and the service ends the transfer when the page no longer waits for it. */
const LONGEST_MS = 3_600_000

const parentOf = id => id.slice(0, id.replace(/\/$/, '').lastIndexOf('/') + 1)

function save (href, name) {
  const link = Object.assign(document.createElement('a'), { href, download: name })
  link.click()
}

/** Downloads by a call, because a link would send no token. */
async function download (node) {
  const params = { src: node.id }
  if (currentToken() === '') return save(linkOf('download_file_from_printer', params), node.name)
  await attempt('', async () => {
    const address = URL.createObjectURL(await callBlob('download_file_from_printer', params))
    save(address, node.name)
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
  })
}

async function remove (node, setTree) {
  const isFolder = node.id.endsWith('/')
  const yes = await confirm({
    title: t('printer.files.delete.title', { name: node.name }),
    text: t(isFolder ? 'printer.files.delete.folder' : 'printer.files.delete.file'),
    action: t('printer.files.delete'),
    danger: true
  })
  const tree = yes && await attempt(t('printer.files.deleted', { name: node.name }), () => call('delete_sdcard_file', { file: node.id }))
  if (tree) setTree(tree)
}

const Transfers = () => html`<div role="status">${useStore(uploads).map(({ id, name, text, part }) => html`
  <p key=${id} class="transfer"><span>${name} <span class="faint">${text}</span></span>
    <progress max="1" value=${part} aria-label=${`${name} ${text}`}></progress></p>`)}</div>`

/** The dialog for an action on a node. */
function Doing ({ doing, view, printer, onClose, setTree }) {
  const { what, node } = doing
  const finish = async (done, name, params) => {
    const tree = await attempt(done, () => call(name, params))
    if (tree) { setTree(tree); onClose() }
  }
  if (what === 'print') return html`<${PrintDialog} file=${node.id} name=${node.name} view=${view} printer=${printer} onClose=${onClose} />`
  if (what === 'create') {
    return html`<${NameDialog} title=${t('printer.files.folder.in', { name: node.name })} action=${t('printer.files.create')} onClose=${onClose}
      onName=${name => finish(t('printer.files.made', { name }), 'make_sdcard_directory', { dir: node.id + name })} />`
  }
  const end = node.id.endsWith('/') ? '/' : ''
  return html`<${NameDialog} title=${t('printer.files.rename.title', { name: node.name })} action=${t('printer.files.rename')} initial=${node.name} onClose=${onClose}
    onName=${name => finish(t('printer.files.renamed', { name }), 'rename_sdcard_file', { src: node.id, dest: parentOf(node.id) + name + end })} />`
}

const saidOf = (count, text) => count === 0
  ? t('printer.files.none', { text })
  : count > MOST_FOUND ? t('printer.files.found.first', { count, shown: MOST_FOUND }) : t('printer.files.found', { count })

/** The card's contents, or the search results. */
function Tree ({ tree, on, busy }) {
  const [text, setText] = useState('')
  const found = searched(tree, text)
  return html`<input type="search" class="search" maxlength="200" placeholder=${t('printer.files.search')}
      aria-label=${t('printer.files.search')} value=${text} onInput=${event => setText(event.currentTarget.value)} />
    <p class="faint" role="status">${found && saidOf(found.count, text.trim())}</p>
    <ul class="tree">${(found?.nodes ?? tree.children ?? []).map(node => html`
      <${Node} key=${node.id} node=${node} on=${on} busy=${busy} />`)}</ul>`
}

/** The printer's card. */
export function Files ({ printer, view }) {
  const [tree, setTree] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  const [doing, setDoing] = useState(/** @type {any} */ (undefined))
  const input = useRef(/** @type {HTMLInputElement | null} */ (null))
  const folder = useRef('/')
  const show = next => { setTree(next); setProblem('') }
  const list = () => call('get_sdcard_contents').then(show, error => setProblem(error.message))
  useEffect(() => { setTree(undefined); void list() }, [printer])
  const pick = id => { folder.current = id; input.current?.click() }
  const send = async (files, to) => {
    for (const file of files) {
      const next = await attempt(t('printer.files.stored', { name: file.name }), () =>
        upload(file, to, { printer, tells: has('file_transfers'), signal: AbortSignal.timeout(LONGEST_MS) }))
      if (next) show(next.tree)
    }
  }
  const on = {
    download,
    print: node => setDoing({ what: 'print', node }),
    create: node => setDoing({ what: 'create', node }),
    rename: node => setDoing({ what: 'rename', node }),
    remove: node => remove(node, show),
    upload: node => pick(node.id)
  }
  const chosen = event => { void send([...event.currentTarget.files], folder.current); event.currentTarget.value = '' }
  const buttons = html`<div class="buttons small">
    <button type="button" onClick=${() => pick('/')}>${t('printer.files.upload')}</button>
    <button type="button" onClick=${() => on.create({ id: '/', name: t('printer.card') })}>${t('printer.files.new')}</button>
    <button type="button" onClick=${list}>${t('printer.refresh')}</button></div>`
  return html`<${Card} id="files" title=${t('printer.files')} className="wide" extra=${buttons}>
    <input ref=${input} class="hidden" type="file" multiple tabindex="-1" aria-label=${t('printer.files.chosen')} onChange=${chosen} />
    <${Transfers} />
    ${problem && html`<p class="bad" role="alert">${problem}</p>`}
    ${!tree && !problem && html`<p class="faint" role="status">${t('printer.files.reading')}</p>`}
    ${tree && html`<${Tree} tree=${tree} on=${on} busy=${view.job.isBusy} />`}
    ${doing && html`<${Doing} doing=${doing} view=${view} printer=${printer} setTree=${show} onClose=${() => setDoing(undefined)} />`}
  <//>`
}
