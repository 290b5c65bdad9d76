import type { Test } from 'tap'
import { definePreset, type PrinterEntry } from '../../../core/index.js'
import { createVirtualPrinter, type VirtualPrinter, type VirtualPrinterOptions } from '../../../plugins/emulator/index.js'
import { queueWith } from '../../../plugins/queue/index.js'
import daemon from '../../../presets/daemon/index.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { recordedWith } from '../history/preset.js'
import { make3mf, type MadePlate } from '../projects/make-3mf.js'

export interface JobView {
  readonly id: string
  readonly state: string
  readonly reason: string
  readonly finished: number
  readonly waiting: number
  readonly printers: readonly { readonly printer: string, readonly reason: string }[]
  readonly runs: readonly {
    readonly printer: string, readonly state: string, readonly reason: string, readonly print: string
  }[]
  readonly [member: string]: unknown
}

/** The daemon with a queue that does not take its time. */
export const timing = { turnMs: 20, idleMs: 300, retryMs: 500, startMs: 3_000, settleMs: 300 }
export const fastDaemon = definePreset({
  name: daemon.name,
  plugins: (daemon.plugins as readonly { name?: string }[]).map(plugin =>
    plugin.name === 'queue' ? queueWith(timing) : plugin) as never
})

export const FAST = { speed: 600, reportEveryMs: 50 } as const

/** A sliced file: by default a white PLA part for the X1C, which its virtual printer can print. */
export const sliced = ({ model = 'BL-P001', type = 'PLA', color = '#FFFFFF', minutes = 10, plates = 1, salt = '', bed = '' } = {}) =>
  make3mf(Array.from({ length: plates }, (_, at): MadePlate => ({
    number: at + 1,
    filaments: [{ id: 1, type, color }],
    ...(bed !== '' && { map: { bbox_objects: [], bed_type: bed } }),
    metadata: {
      printer_model_id: model, nozzle_diameters: '0.4', prediction: String(minutes * 60), weight: '1.5', salt
    }
  })))

export async function upload ({ kernel }: Booted, content: Buffer, name = 'cube.gcode.3mf') {
  const answer = await kernel.app.inject({
    method: 'POST',
    url: `/api/queue/files?filename=${encodeURIComponent(name)}`,
    headers: { 'content-type': 'application/octet-stream' },
    payload: content
  })
  return { status: answer.statusCode, body: answer.json() as Record<string, any> }
}

export const queueOf = async ({ http }: Booted, state = 'open') =>
  (await http('GET', '/api/queue', { state })).body as unknown as {
    jobs: JobView[]
    printers: {
      printer: string, plate: string, seen: string, reason: string, is_ready: boolean, pending_start: object | null
    }[]
  }

export const jobOf = async ({ http }: Booted, id: string): Promise<JobView> =>
  (await http('GET', `/api/queue/jobs/${id}`)).body as unknown as JobView

/** Waits until the job is as wanted. */
export async function until (booted: Booted, id: string, test: (job: JobView) => boolean, ms = 60_000):
Promise<JobView> {
  let job: JobView | undefined
  try {
    await eventually(async () => test(job = await jobOf(booted, id)), ms)
  } catch {
    throw new Error(`the job did not become as wanted: ${JSON.stringify(job)}`)
  }
  return job as unknown as JobView
}

export const add = async ({ http }: Booted, fields: object): Promise<JobView> => {
  const { status, body } = await http('POST', '/api/queue', fields as never)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body as unknown as JobView
}

export const clear = async ({ http }: Booted, printer: string, fields: object = {}) =>
  await http('POST', '/api/queue/plate_clear', { printer, ...fields } as never)

export const entryOf = ({ name, host, serial, accessCode, ports, fingerprint }: VirtualPrinter): PrinterEntry =>
  ({ name, host, serial, accessCode, ports, tls: { mode: 'pin', fingerprint } })

/** Printers that go on when the service ends. */
export async function startPrinters (t: Test, models: readonly VirtualPrinterOptions[]): Promise<VirtualPrinter[]> {
  const printers = models.map(model => createVirtualPrinter(model))
  for (const printer of printers) {
    await printer.start()
    t.teardown(() => printer.stop())
  }
  return printers
}

/** Without pages. */
export const start = (t: Test, options: Parameters<typeof boot>[1] = {}): Promise<Booted> =>
  boot(t, { preset: recordedWith(queueWith(timing)), models: [{ model: 'X1C', name: 'x1c', ...FAST }], ...options })

export const sent = ({ requests }: VirtualPrinter) => requests.filter(({ command }) => command === 'project_file')
