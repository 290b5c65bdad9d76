import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { BadInput, createKeyedQueue, MODELS, validationError } from '../../../core/index.js'
import type { Presets } from '../imported/read-presets.js'
import type { EngineJob, Slicer } from '../types.js'
import { FramedReader } from './framed-reader.js'
import { LONGEST_JOB, RemoteJob, type Step } from './types.js'

export interface SlicerServerOptions {
  readonly slicers: readonly Slicer[]
  readonly host: string
  /** 0 for any. */
  readonly port: number
  /** Undefined: whoever can reach it may slice. */
  readonly token: string | undefined
  /** Where jobs have their folders. */
  readonly folder: string
  /** Most bytes of all models of a plate. */
  readonly mostBytes: number
  readonly say: (line: string) => void
}

export interface SlicerServer {
  readonly port: number
  /** Ends what is being sliced. */
  close (): Promise<void>
}

/** Plates that may wait for the one that is being sliced. */
const MOST_WAITING = 4
const MOST_CONNECTIONS = 32
/** Without a byte in either direction; the server says every 10 s that it is at work. */
const SILENT_MS = 60_000
const BEAT_MS = 10_000
const UPLOAD_WITHIN_MS = 900_000
const HEADERS_WITHIN_MS = 10_000
const LONGEST_WORDS = 200
const LONGEST_REASON = 1_000

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** @throws PRN_ERR_BAD_INPUT that says what is wrong with it */
function jobIn (line: string | undefined): RemoteJob {
  let job: unknown
  try {
    job = JSON.parse(line ?? '')
  } catch {
    throw new BadInput('The first line of a job is JSON')
  }
  const problem = validationError(RemoteJob, job)
  if (problem !== undefined) throw new BadInput(problem)
  return job as RemoteJob
}

/** Receives a job with its models. */
async function receive (
  request: IncomingMessage, folder: string, { mostBytes }: SlicerServerOptions
): Promise<EngineJob> {
  const reader = new FramedReader(request)
  const { settings, presets, printer, nozzleMm, models } = jobIn(await reader.line(LONGEST_JOB))
  const model = MODELS.find(model => model.model === printer)
  if (model === undefined) throw new BadInput(`The model ${printer} is not known here: use the same version of prnd on both sides`)
  const all = models.reduce((sum, { bytes }) => sum + bytes, 0)
  if (all > mostBytes) throw new BadInput(`The models have more than ${mostBytes} bytes`)
  const instances = []
  for (const { bytes, box, ...rest } of models) {
    const file = join(folder, `${instances.length + 1}.stl`)
    await pipeline(reader.bytes(bytes), createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    instances.push({ ...rest, box: box as unknown as [number, number, number, number], file })
  }
  const known = { instances, settings, target: { model, nozzleMm }, folder: await mkdtemp(join(folder, 'work-')) }
  return presets === undefined ? known : { ...known, presets: presets as unknown as Presets }
}

const answer = (response: ServerResponse, status: number, content: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(content)}\n`)
}

interface Work {
  readonly options: SlicerServerOptions
  /** One plate at a time. */
  readonly queue: ReturnType<typeof createKeyedQueue>
  /** The server ends. */
  readonly ending: AbortSignal
}

/** Slices what a request sends. The reason of a failure is a line of the answer, whose status has been sent by then. */
async function answerJob (
  slicer: Slicer, request: IncomingMessage, response: ServerResponse, { options, queue, ending }: Work
): Promise<void> {
  const { folder, say } = options
  const gone = new AbortController()
  response.once('close', () => { gone.abort() })
  const signal = AbortSignal.any([gone.signal, ending])
  const send = (step: Step) => { response.write(`${JSON.stringify(step)}\n`) }
  let last: Step = { percent: 0, step: 'waiting' }
  const beat = setInterval(() => { send(last) }, BEAT_MS)
  const onProgress = (percent: number, step: string) => {
    last = { percent: Math.min(100, Math.max(0, percent)), step: step.slice(0, LONGEST_WORDS) }
    send(last)
  }
  const own = await mkdtemp(join(folder, 'job-'))
  response.writeHead(200, { 'content-type': 'application/octet-stream' })
  try {
    const job = await receive(request, own, options)
    const result = await queue.run('', async () => {
      signal.throwIfAborted()
      return await slicer.slice(job, { signal, onProgress })
    })
    const [plate, path] = 'gcode' in result ? ['gcode', result.gcode] as const : ['archive', result.archive] as const
    clearInterval(beat)
    send({ plate, bytes: (await stat(path)).size })
    await pipeline(createReadStream(path), response) // ends when the client goes away
    say(`${slicer.title}: a plate of ${job.instances.length} for ${job.target.model.model}`)
  } catch (error) {
    const reason = (error as Error).message.replace(/^.* could not slice the plate: /, '').slice(0, LONGEST_REASON)
    if (signal.aborted) response.destroy()
    else response.end(`${JSON.stringify({ error: reason })}\n`)
    say(`${slicer.title}: ${signal.aborted ? 'cancelled' : reason}`)
  } finally {
    clearInterval(beat)
    await rm(own, { recursive: true, force: true })
  }
}

async function answerOffer (slicers: readonly Slicer[], response: ServerResponse): Promise<void> {
  const all = await Promise.all(slicers.map(async slicer => ({ name: slicer.name, found: await slicer.find() })))
  answer(response, 200, { slicers: all.flatMap(({ name, found }) => found ? [{ name, version: found.version }] : []) })
}

/** Serves slicers of this machine to services elsewhere, one plate at a time. */
export async function serveSlicers (options: SlicerServerOptions): Promise<SlicerServer> {
  const { slicers, host, port, token, say } = options
  const ending = new AbortController()
  const queue = createKeyedQueue()
  const known = token === undefined ? undefined : digest(`Bearer ${token}`)
  let waiting = 0

  const isAllowed = ({ headers: { authorization = '' } }: IncomingMessage): boolean =>
    known === undefined || timingSafeEqual(digest(authorization), known)

  async function handle (request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isAllowed(request)) return answer(response, 401, { error: 'the token is missing or another one' })
    const { method, url = '' } = request
    if (method === 'GET' && url === '/') return await answerOffer(slicers, response)
    const slicer = method === 'POST' ? slicers.find(({ name }) => url === `/slice/${name}`) : undefined
    if (slicer === undefined) return answer(response, 404, { error: 'there is nothing here' })
    if (waiting > MOST_WAITING) return answer(response, 503, { error: 'too many plates wait' })
    waiting++
    try {
      await answerJob(slicer, request, response, { options, queue, ending: ending.signal })
    } finally {
      waiting--
    }
  }

  const limits = { headersTimeout: HEADERS_WITHIN_MS, requestTimeout: UPLOAD_WITHIN_MS }
  const server = createServer(limits, (request, response) => {
    request.on('error', () => {}) // it is told by what reads it
    handle(request, response).catch((error: unknown) => {
      say((error as Error).message)
      response.destroy()
    })
  })
  server.maxConnections = MOST_CONNECTIONS
  server.setTimeout(SILENT_MS)
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close () {
      ending.abort(new Error('the server ends'))
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      await queue.run('', async () => {})
    }
  }
}
