import type { Test } from 'tap'
import audit from '../../../plugins/audit/index.js'
import broker from '../../../plugins/broker/index.js'
import { createManualClock } from '../../../plugins/emulator/index.js'
import { energyWith, type PlugEvent } from '../../../plugins/energy/index.js'
import motion from '../../../plugins/motion/index.js'
import { queueWith } from '../../../plugins/queue/index.js'
import { boot, type BootOptions } from '../../helpers/boot.js'
import { recordedWith } from '../history/preset.js'
import { sliced, timing as queueTiming, upload } from '../queue/helpers.js'

export const timing = { tickMs: 20, loadMs: 100, reportMs: 3_000, confirmMs: 600 }
export const START = Date.UTC(2026, 10, 29, 12)
export const MINUTE = 60_000

/** Printers whose prints are recorded, a queue, and plugs, all by one clock. */
export async function bootEnergy (t: Test, options: BootOptions = {}, begin = START) {
  const clock = createManualClock(begin)
  const preset = recordedWith(queueWith(queueTiming), broker, audit, energyWith(timing), motion)
  const booted = await boot(t, { preset, clock, ...options })
  const { http, kernel } = booted
  const events: PlugEvent[] = []
  kernel.events.on('energy:plug', event => { events.push(event) })
  const raised: string[] = []
  kernel.events.on('alert', ({ type }) => { raised.push(type) })
  /** Moves the clock in steps, so that reports, questions and answers keep up. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 5_000) {
      clock.advance(Math.min(left, 5_000))
      await new Promise(resolve => setTimeout(resolve, 4))
    }
  }
  /** The same until something holds. */
  const passUntil = async (test: () => unknown, what = test.toString()) => {
    for (let turn = 0; turn < 2_000; turn++) {
      if (await test()) return
      await pass(5_000)
    }
    throw new Error(`did not come about: ${what}`)
  }
  const add = async (fields: object): Promise<string> => {
    const { status, body } = await http('POST', '/api/energy/plugs', { name: 'Plug', kind: 'shelly_http', ...fields } as never)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return String(body.id)
  }
  const plugOf = async (id: string): Promise<any> =>
    ((await http('GET', '/api/energy')).body as any).plugs.find((one: any) => one.id === id)
  /** A print of so many minutes begins by the queue, on a plate that is confirmed clear. */
  const print = async (printer: string, minutes = 20) => {
    await upload(booted, sliced({ minutes }))
    const { body } = await http('POST', '/api/queue', { file: 'cube.gcode.3mf', printers: [printer] } as never)
    await http('POST', '/api/queue/plate_clear', { printer } as never)
    return String(body.id)
  }
  return { ...booted, clock, events, raised, pass, passUntil, add, plugOf, print }
}

export type WithPlugs = Awaited<ReturnType<typeof bootEnergy>>

export const off = async ({ http }: WithPlugs, id: string) => await http('POST', '/api/energy/plugs/off', { id })
export const on = async ({ http }: WithPlugs, id: string) => await http('POST', '/api/energy/plugs/on', { id })

/** The state that a printer reports. */
export const stateOf = ({ kernel, name }: WithPlugs) => kernel.printers.get(name)?.state?.job.gcodeState
