import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import closeWithGrace from 'close-with-grace'
import { BadInput, environment, readNamedText } from '../../../core/index.js'
import { bambuStudio, orcaSlicer, prusaSlicer, serveSlicers, type SlicerServer } from '../../../plugins/slicing/index.js'

interface Options {
  readonly host: string
  readonly port: number
  readonly tokenEnv?: string
  readonly tokenFile?: string
  readonly memoryMib: number
  readonly timeoutMinutes: number
}

const MIB = 1024 ** 2
const MOST_FILE_MIB = 2_048
const SHORTEST_TOKEN = 8
const LOCAL = new Set(['127.0.0.1', '::1', 'localhost'])

async function tokenOf ({ host, tokenEnv, tokenFile }: Options): Promise<string | undefined> {
  const token = tokenFile === undefined
    ? tokenEnv === undefined ? undefined : environment()[tokenEnv]?.trim() ?? ''
    : (await readNamedText(tokenFile)).trim()
  if (token === undefined && LOCAL.has(host)) return undefined
  if (token === undefined || token.length < SHORTEST_TOKEN) {
    throw new BadInput(`Name a token of at least ${SHORTEST_TOKEN} characters with --token-env or --token-file: ` +
      `others can reach ${host} too`)
  }
  return token
}

/** Serves the slicers of this machine to a service elsewhere, until a signal. */
export default async function slicer (options: Options): Promise<void> {
  const { host, port, memoryMib: memoryMiB, timeoutMinutes } = options
  const token = await tokenOf(options)
  const limits = { timeoutMs: timeoutMinutes * 60_000, memoryMiB, fileMiB: MOST_FILE_MIB }
  const slicers = [prusaSlicer(limits), orcaSlicer(limits), bambuStudio(limits)]
  const folder = await mkdtemp(join(tmpdir(), 'prnd-slicer-'))
  let server = undefined as SlicerServer | undefined
  closeWithGrace({ delay: 10_000, logger: false }, async () => {
    await server?.close()
    await rm(folder, { recursive: true, force: true })
  })
  server = await serveSlicers({
    slicers, host, port, token, folder, mostBytes: MOST_FILE_MIB * MIB, say: line => { console.error(line) }
  })
  const found = await Promise.all(slicers.map(async slicer => ({ ...slicer, found: await slicer.find() })))
  const there = found.flatMap(({ title, found }) => found ? [`${title} ${found.version}`] : [])
  console.error(`Slicing at ${host}, port ${server.port}: ${there.join(', ') || 'there is no slicer yet'}`)
}
