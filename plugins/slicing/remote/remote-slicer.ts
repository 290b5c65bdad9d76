import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Static } from 'typebox'
import { BadConfig, secretOf, timeoutSignal, validationError, type Secret } from '../../../core/index.js'
import { SlicerFailed } from '../errors.js'
import type { EngineJob, EngineOptions, EngineResult, FoundSlicer, Slicer } from '../types.js'
import { FramedReader } from './framed-reader.js'
import { LONGEST_STEP, Offer, REMOTE_SLICERS, Step, type RemoteJob, type RemoteSlicerName } from './types.js'

const FIND_WITHIN_MS = 3_000
/** A slicer that is off would otherwise be waited for with every look at the page. */
const KNOWN_FOR_MS = 30_000
const LONGEST_OFFER = 65_536
const MIB = 1024 ** 2
const NEWLINE = Buffer.from('\n')

export interface RemoteSlicerOptions {
  /** As in requests. */
  readonly name: string
  readonly url: string
  readonly slicer: RemoteSlicerName
  readonly token: () => Promise<string | undefined>
  readonly timeoutMs: number
  /** Of a plate. */
  readonly fileMiB: number
}

/** As the configuration has it. */
export interface RemoteOptions extends Pick<RemoteSlicerOptions, 'name' | 'url' | 'slicer'> { readonly token?: Secret }

/** For who only asks whether it is there. */
const NO_LIMITS = { timeoutMs: 60_000, fileMiB: 1 }

/** The job as one line, and its models. */
async function * bodyOf ({ instances, settings, presets, target }: EngineJob): AsyncGenerator<Uint8Array> {
  const sizes = await Promise.all(instances.map(async ({ file }) => (await stat(file)).size))
  const job: RemoteJob = {
    settings,
    ...presets && { presets: presets as unknown as NonNullable<RemoteJob['presets']> },
    printer: target.model.model,
    nozzleMm: target.nozzleMm,
    models: instances.map(({ id, name, box, heightMm, triangles }, index) =>
      ({ id, name, box: [...box], heightMm, triangles, bytes: sizes[index] ?? 0 }))
  }
  yield Buffer.concat([Buffer.from(JSON.stringify(job)), NEWLINE])
  for (const { file } of instances) yield * createReadStream(file)
}

function stepIn (line: string | undefined): Step {
  const step: unknown = line === undefined ? undefined : JSON.parse(line)
  if (validationError(Step, step) !== undefined) throw new Error('it did not answer as a slicer does')
  return step as Step
}

/** Follows the answer to its end. @returns the path of the plate */
async function plateFrom (
  reader: FramedReader, folder: string, mostBytes: number, { signal, onProgress }: EngineOptions
): Promise<EngineResult> {
  for (;;) {
    const step = stepIn(await reader.line(LONGEST_STEP))
    if ('error' in step) throw new Error(step.error)
    if ('percent' in step) {
      onProgress(step.percent, step.step)
      continue
    }
    const { plate, bytes } = step
    if (bytes > mostBytes) throw new Error(`its plate has more than ${mostBytes / MIB} MiB`)
    const path = join(folder, plate === 'gcode' ? 'plate.gcode' : 'plate.gcode.3mf')
    await pipeline(reader.bytes(bytes), createWriteStream(path, { mode: 0o600 }), { signal })
    return plate === 'gcode' ? { gcode: path } : { archive: path }
  }
}

/** The cause of a failed request, which `fetch` hides in its error. */
const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message || message : message
}

/** A slicer on another machine or in a container, where `prnd slicer` serves it. */
export function remoteSlicer (options: RemoteSlicerOptions): Slicer {
  const { name, url, slicer, token, timeoutMs, fileMiB } = options
  const { takes, title: program } = REMOTE_SLICERS[slicer]
  const title = `${program} (${name})`
  const base = url.replace(/\/*$/, '/')
  let known: { readonly at: number, readonly found: FoundSlicer | undefined } | undefined

  async function ask (path: string, init: RequestInit): Promise<FramedReader> {
    const pass = await token()
    const reply = await fetch(base + path, {
      ...init, redirect: 'error', headers: pass === undefined ? {} : { authorization: `Bearer ${pass}` }
    })
    if (reply.status === 401) throw new Error('it takes another token: set the one that it was started with')
    if (reply.status === 503) throw new Error('too many plates wait there already; try again later')
    if (!reply.ok || reply.body === null) throw new Error(`it answered with status ${reply.status}`)
    return new FramedReader(reply.body)
  }

  async function look (): Promise<FoundSlicer | undefined> {
    try {
      const reader = await ask('', { signal: timeoutSignal(FIND_WITHIN_MS) })
      const offer = JSON.parse(await reader.line(LONGEST_OFFER) ?? '') as unknown
      if (validationError(Offer, offer) !== undefined) return undefined
      const offered = (offer as Static<typeof Offer>).slicers.find(one => one.name === slicer)
      return offered && { place: url, version: offered.version }
    } catch {
      return undefined // it is off
    }
  }

  return {
    name,
    title,
    takes,
    async find () {
      if (known === undefined || performance.now() - known.at > KNOWN_FOR_MS) {
        known = { found: await look(), at: performance.now() }
      }
      return known.found
    },
    async slice (job, { signal, onProgress }) {
      const limit = AbortSignal.any([signal, timeoutSignal(timeoutMs)])
      try {
        const init = { method: 'POST', body: ReadableStream.from(bodyOf(job)), duplex: 'half', signal: limit }
        const reader = await ask(`slice/${slicer}`, init as RequestInit)
        return await plateFrom(reader, job.folder, fileMiB * MIB, { signal: limit, onProgress })
      } catch (error) {
        signal.throwIfAborted()
        const reason = limit.aborted ? `it took more than ${Math.round(timeoutMs / 1_000)} s` : reasonOf(error)
        throw new SlicerFailed(title, reason, { cause: error })
      }
    }
  }
}

/** The slicers elsewhere that a configuration names. @throws PRN_ERR_CONFIG for a name that is taken */
export function remoteSlicers (
  remotes: readonly RemoteOptions[] = [], limits: Pick<RemoteSlicerOptions, 'timeoutMs' | 'fileMiB'> = NO_LIMITS
): Slicer[] {
  const names = new Set<string>(Object.keys(REMOTE_SLICERS))
  return remotes.map(({ token, ...remote }, index) => {
    const where = `plugins.slicing.remotes[${index}]`
    if (names.has(remote.name)) throw new BadConfig(`${where}.name: '${remote.name}' is the name of another slicer`)
    names.add(remote.name)
    return remoteSlicer({ ...remote, ...limits, token: async () => token && await secretOf(token, `${where}.token`) })
  })
}
