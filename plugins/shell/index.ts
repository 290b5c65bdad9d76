import type { FastifyReply, FastifyRequest } from 'fastify'
import { definePage, definePlugin, preferencesOf, readPageFile, mayUse, rightsOf, viewFor, type Kernel, type ShellPage } from '../../core/index.js'
import { sendBytes } from '../http/index.js'
import { createDocuments } from './document.js'
import { checkPages } from './check-pages.js'
import { shellTexts } from './texts.js'

export { missingTexts, strayTexts } from './check-pages.js'
export { shellTexts } from './texts.js'

/** Sends the document of a page, filled for a request. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply, id: string) => FastifyReply

declare module 'prnd' {
  interface Services {
    /** Pages in their common frame. */
    shell: { readonly send: SendPage, readonly pages: readonly ShellPage[] }
  }
}

const NAME = 'shell'
const HIDDEN = { schema: { hide: true } } as const

/** Appearance, language and shortcuts of all pages. */
const settings = definePage({
  id: 'settings',
  path: '/settings',
  icon: 'settings',
  order: 90,
  key: 's',
  texts: shellTexts,
  content: { files: NAME, html: 'settings.html', script: 'settings.js', styles: [] }
})

/** A file that was dropped on a page, or shared by another application, and where it can be printed. */
const share = definePage({
  id: 'share',
  path: '/share',
  icon: 'printer',
  order: 95,
  unlisted: true,
  texts: shellTexts,
  content: { files: NAME, html: 'share.html', script: 'share.js', styles: ['share.css'] }
})

/** How long alerts and the audit log are kept. */
const storage = definePage({
  id: 'storage',
  path: '/storage',
  icon: 'history',
  order: 79,
  within: 'settings',
  texts: shellTexts,
  content: { files: NAME, html: 'storage.html', script: 'storage.js', styles: [] }
})

/** Headers of the service worker. Browsers ask for it again at each visit, and it may call this service only. */
const WORKER = {
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'none'; connect-src 'self'",
  'x-content-type-options': 'nosniff'
} as const

const printerOf = ({ query }: FastifyRequest, { printers }: Kernel): string => {
  const { printer } = query as Readonly<Record<string, unknown>>
  return typeof printer === 'string' && printers.names.includes(printer) ? printer : ''
}

/** The frame of all pages: entries, appearance, texts, shortcuts. */
export default definePlugin({
  name: NAME,
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Frame that all pages share: navigation, appearance, languages, shortcuts',
  needs: ['http'],
  provides: ['shell'],
  uses: ['network'],
  contributes: { pages: [settings, share, storage] },
  setup ({ app, kernel, services: { http }, contributed, provide }) {
    const pages = contributed('pages')
    checkPages(pages, page => kernel.originOf(page) ?? NAME)
    const documents = createDocuments(pages)
    const known = new Map(pages.map(page => [page.id, page]))
    const folders = { SHELL_FOLDER: documents.shell, SHELL_FOLDERS: documents.served.map(({ folder }) => folder) }
    const worker = [
      `Object.assign(self, ${JSON.stringify(folders)})`,
      ...['sw-messages.js', 'sw-offline.js', 'sw-share.js'].map(file => readPageFile(NAME, file))
    ].join('\n')
    const send: SendPage = (request, reply, id) => {
      const page = known.get(id)
      if (page === undefined) throw new Error(`there is no page ${id}`)
      const caller = http.callerOf(request)
      const view = viewFor(kernel, caller)
      const { html, policy } = documents.render(page, {
        preferences: preferencesOf(request.headers),
        printer: printerOf(request, view),
        printers: view.printers.names,
        path: request.url.split('?')[0] ?? '/',
        isViewer: rightsOf(caller)?.role === 'view',
        account: http.access.locked ? rightsOf(caller)?.name ?? null : undefined,
        isShown: ({ operation }) => operation === undefined || mayUse(kernel, operation, caller),
        redact: kernel.redact
      })
      reply.type('text/html; charset=utf-8').headers({
        'cache-control': 'no-store',
        'content-security-policy': policy,
        'referrer-policy': 'same-origin', // the origin check of writes needs it
        'x-content-type-options': 'nosniff'
      })
      return sendBytes(reply, Buffer.from(html))
    }
    for (const { id, path, hasDetails = false } of pages.filter(({ content }) => content !== undefined)) {
      for (const address of hasDetails ? [path, `${path}/:id`] : [path]) app.get(address, HIDDEN, (request, reply) => send(request, reply, id))
    }
    app.get('/sw.js', HIDDEN, (_request, reply) => reply.type('text/javascript; charset=utf-8').headers(WORKER).send(worker))
    http.servePageFiles(app, new Map(documents.served.map(({ folder, files }) => [`/${folder}`, files])))
    provide('shell', { send, pages })
  }
})
