import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { BadInput } from '../../../core/index.js'
import type { SlicingJobView } from '../../../plugins/slicing/index.js'
import type { Service } from '../service.js'
import { bar, printable } from '../table.js'
import { writeNewFile } from '../write-new-file.js'
import { connect, screen, type Screen } from './jobs.js'

export interface SliceOptions {
  readonly config?: string
  readonly printer?: string
  readonly material?: string
  readonly quality?: string
  readonly profile?: string
  readonly engine?: string
  readonly copies?: number
  readonly supports?: boolean
  readonly brim?: number
  readonly infill?: number
  readonly layFlat?: boolean
  readonly repair?: boolean
  readonly out?: string
  readonly queue?: boolean
}

type Sender = Pick<Service, 'call' | 'send' | 'download'>

interface UploadedModel {
  readonly id: string
  readonly name: string
  readonly problems: readonly { readonly message: string }[]
  readonly parts: readonly { readonly problems: readonly { readonly message: string }[] }[]
}

const POLL_EVERY_MS = 300
const S_PER_MIN = 60
/** Models are read before the answer comes. */
const PLACE_WITHIN_MS = 120_000

/** Sends a model, and says what is wrong with it. @throws PRN_ERR_BAD_INPUT, PRN_ERR_SERVICE */
async function sendModel (service: Sender, { say }: Screen, path: string): Promise<UploadedModel> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true) throw new BadInput(`There is no file '${path}'`)
  const name = basename(path)
  const model = await service.send<UploadedModel>(`/api/slicing/models?filename=${encodeURIComponent(name)}`,
    createReadStream(path), 'application/octet-stream')
  for (const { message } of [...model.problems, ...model.parts.flatMap(({ problems }) => problems)]) {
    say(`${printable(name)}: ${printable(message)}`)
  }
  return model
}

/** Waits until the plate is sliced. @throws PRN_ERR_BAD_INPUT with the reason if it cannot be */
async function follow (service: Sender, { redraw }: Screen, id: string): Promise<SlicingJobView> {
  for (;;) {
    const job = await service.call<SlicingJobView>('GET', `/api/slicing/jobs/${id}`)
    if (job.state === 'done' || job.state === 'failed' || job.state === 'cancelled') {
      redraw?.('')
      if (job.state !== 'done') throw new BadInput(job.error ?? 'It was cancelled')
      return job
    }
    redraw?.(job.state === 'waiting' ? 'Waiting for other plates' : `${bar(job.percent)} ${printable(job.step)}`)
    await delay(POLL_EVERY_MS)
  }
}

/** Slices local models for a printer; nothing is sent to it. */
export async function sliceFiles (
  service: Sender, output: Screen, files: readonly string[],
  { out, queue, printer, copies = 1, ...options }: SliceOptions
): Promise<void> {
  const { say } = output
  const models = []
  for (const file of files) models.push(await sendModel(service, output, file))
  const { material, quality, profile, engine, supports, brim, infill, layFlat, repair } = options
  const { id } = await service.call<SlicingJobView>('POST', '/api/slicing/jobs', {
    parts: models.map(({ id }) => ({
      model: id, copies, ...layFlat === true && { lay_flat: true }, ...repair === true && { repair: true }
    })),
    ...printer !== undefined && { printer },
    ...material !== undefined && { material },
    ...quality !== undefined && { quality },
    ...profile !== undefined && { profile },
    ...engine !== undefined && { engine },
    ...supports !== undefined && { supports },
    ...brim !== undefined && { brim },
    ...infill !== undefined && { infill }
  }, PLACE_WITHIN_MS)
  const { result, printer: name } = await follow(service, output, id)
  if (result === null) throw new BadInput('The service does not say what it sliced')
  const minutes = Math.max(1, Math.round(result.seconds / S_PER_MIN))
  const figures = `${minutes} min, ${result.grams.toFixed(1)} g, ${result.layers} layers` +
    (result.cost === undefined ? '' : `, ${result.cost.toFixed(2)} for filament`)
  say(`${printable(result.name)}: ${figures}, by ${printable(result.slicer)}`)
  for (const { message, remedy } of result.findings) say(`  ${printable(message)}. ${printable(remedy)}`)
  if (out !== undefined) {
    await writeNewFile(out, await service.download(`/api/slicing/jobs/${id}/plate`))
    say(`Saved as ${out}.`)
  }
  if (queue === true) {
    await service.call('POST', '/api/queue', { file: result.file, printers: [name] })
    say(`It is in the queue of ${name}.`)
  } else if (out === undefined) say('It is in the library of sliced files: print it from the queue page, or add --queue or --out.')
}

export default async function slice (files: readonly string[], options: SliceOptions): Promise<void> {
  await sliceFiles(await connect(options), screen(), files, options)
}
