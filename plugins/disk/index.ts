import { createHash } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { definePlugin, withTimeout } from '../../core/index.js'
import type { Messages } from '../notify/index.js'
import { DiskWatch, inTime, type Trouble } from './disk-watch.js'

const LOOK_EVERY_MS = 120_000
const LONGEST_MS = 30_000
/** A plugin has 5 s to end. */
const CLOSE_MS = 3_000
/** Some file systems store what is smaller without a block. */
const TRIAL_BYTES = 8_192

const TITLES: Readonly<Record<Trouble, string>> = {
  low: 'The disk of the service is nearly full',
  full: 'The service cannot write to its disk'
}
const WHAT_TO_DO = 'Prints go on and are watched; records, recordings and the queue may lose what happens now. Free some room.'

/** Tells people when the disk of the data folder is full, nearly full or read-only. It stops nothing. */
export default definePlugin({
  name: 'disk',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Tells when the disk of the data folder is nearly full, or cannot be written',
  optional: ['messages'],
  uses: ['disk'],
  setup ({ kernel, optional: { messages }, log, folder, onReady, onClose }) {
    const { dataDir, now, printers } = kernel
    // Services of one database have disks of their own.
    const place = createHash('sha256').update(`${hostname()} ${dataDir}`).digest('hex').slice(0, 8)
    const send = (to: Messages, trouble: Trouble, words: string, day: string) => to.send({
      id: `disk-${trouble}-${place}-${day}`,
      kind: 'disk_full',
      severity: trouble === 'full' ? 'high' : 'medium',
      printers: printers.names,
      title: TITLES[trouble],
      text: `${words}. ${WHAT_TO_DO}`,
      payload: { day, problem: words }
    }, to.targets().map(({ name }) => name))
    const watch = new DiskWatch({
      free: inTime(() => statfs(dataDir).then(({ bavail, bsize }) => bavail * bsize), LONGEST_MS),
      tryOut: inTime(async () => {
        const file = join(await folder(), 'trial')
        try {
          await writeFile(file, Buffer.alloc(TRIAL_BYTES), { mode: 0o600 })
        } finally {
          await rm(file, { force: true }).catch(() => {})
        }
      }, LONGEST_MS),
      connect: () => kernel.connections.add({
        name: 'disk', plugin: 'disk', what: 'the disk of the data folder', address: 'this machine'
      }),
      tell: async (trouble, words, day) => messages ? await send(messages, trouble, words, day) : [],
      log,
      now
    })
    let looking: Promise<void> | undefined
    const look = () => { looking ??= watch.look().finally(() => { looking = undefined }) }
    const timer = setInterval(look, LOOK_EVERY_MS).unref()
    onReady(look)
    onClose(async () => {
      clearInterval(timer)
      if (looking) await withTimeout(CLOSE_MS, looking, () => new Error('the disk does not answer')).catch(() => {})
    })
  }
})
