import { join } from 'node:path'
import { Type } from 'typebox'
import { defineLiveTopic, definePlugin, privateFolder, type LiveTopic } from '../../core/index.js'
import { closedFolders, createHostPaths } from './host-paths.js'
import type { readFile } from './operations/read.js'
import { receiveFile } from './operations/receive.js'
import { createHostFiles } from './host-files.js'
import { serveUploads } from './host-upload.js'
import routes from './routes.js'
import { createFiles } from './service.js'
import { createSpool, emptyFolder } from './spool.js'
import { createDownloadCache } from './download-cache.js'
import tools from './tools.js'
import { serveTransfers } from './transfer-routes.js'
import type { PrintChecks } from './types.js'

export { CARD_ERRORS, FileInUse, FileMissing, UploadsFull } from './errors.js'
export type { HostFiles } from './host-files.js'
export { plainName } from './host-paths.js'
export { holds } from './protections.js'
export type { Protection } from './protections.js'
export type {
  CardEntry, CardFile, CardStream, FilesService, OpenOptions, PrintChecks, TransferOptions, TransferProgress,
  TransferRecord, Transfers
} from './types.js'

declare module 'prnd' {
  interface Operations { 'files.read': typeof readFile }
}

const MIB = 1024 ** 2
/** A paused browser may resume; the room of an abandoned one is freed. */
const STALL_MS = 120_000

const Options = Type.Object({
  hostFolders: Type.Optional(Type.Array(Type.String({ minLength: 1 }), {
    description: 'Folders of the host that tools may read and write, beside the files folder of the data directory; ' +
      'hidden files and the folders of the service itself stay closed'
  })),
  uploadMiB: Type.Number({ default: 150, minimum: 1, description: 'Largest file accepted over HTTP, MiB' }),
  uploadsMiB: Type.Number({ default: 4096, minimum: 1, description: 'Files in the uploads folder, MiB in all' }),
  ownUploadsMiB: Type.Number({
    default: 1024, minimum: 2, description: 'Uploads of a user with access to some printers only, MiB; the oldest are removed'
  }),
  cacheMiB: Type.Number({ default: 1024, minimum: 1, description: 'Local copies of card files, MiB in all' }),
  spoolMiB: Type.Number({
    default: 4096, minimum: 1, description: 'Data buffered for slow downloads from cards, MiB in all'
  })
})

/** Start, progress and end of transfers. */
const transferTopic: LiveTopic = defineLiveTopic({
  name: 'transfers',
  description: 'Files on their way to or from a card, at most once a second',
  current: ({ services }, printer) => services.files.transfers.list(printer)[0],
  watch: ({ services }, send) => services.files.transfers.watch(({ printer }) => send(printer))
})

/** Files on the printers' cards, and transfers to and from them. */
export default definePlugin({
  name: 'files',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Files on the printers’ cards',
  needs: ['http'],
  provides: ['files'],
  uses: ['files', 'network', 'disk'],
  options: Options,
  contributes: { routes, tools, operations: [receiveFile], liveTopics: [transferTopic] },
  async setup ({ app, log, options, kernel, printers, folder, provide }) {
    const { hostFolders = [], uploadMiB, uploadsMiB, ownUploadsMiB, cacheMiB, spoolMiB } = options
    const downloads = createDownloadCache(join(await folder(), 'copies'), cacheMiB * MIB)
    await downloads.sweep()
    const own = await privateFolder(join(kernel.dataDir, 'files'))
    const closed = closedFolders(kernel)
    const hostPaths = createHostPaths({ own, open: hostFolders, closed })
    const hostFiles = createHostFiles({
      dataDir: kernel.dataDir,
      paths: hostPaths,
      closed,
      mostBytes: uploadsMiB * MIB,
      mostOwnBytes: ownUploadsMiB * MIB,
      now: kernel.now
    })
    await hostFiles.removeOld()
    for (const path of hostFolders) {
      const tell = ({ message }: Error) => log.warn({ path }, `hostFolders: ${message}`)
      await hostPaths.target(join(path, 'file')).catch(tell)
    }
    const spooled = await emptyFolder(await folder(), 'spool')
    const spool = createSpool({ folder: async () => spooled, mostBytes: spoolMiB * MIB, stallMs: STALL_MS })
    const files = createFiles({ downloads, spool, now: kernel.now })
    printers.each(files.follow)
    let checks: PrintChecks = { checkPrintable: async () => {}, judgeUpload: async () => undefined }
    provide('files', {
      ...files,
      hostFiles: hostFiles.of,
      checkPrintsBy: given => { checks = given },
      checkPrintable: (path, name) => checks.checkPrintable(path, name),
      judgeUpload: (path, name) => checks.judgeUpload(path, name)
    })
    await app.register(async scope => {
      await serveUploads(scope, {
        filesOf: hostFiles.of,
        mostBytes: uploadMiB * MIB,
        kernel
      })
    })
    await app.register(async scope => serveTransfers(scope, files.transfers, kernel))
  }
})
