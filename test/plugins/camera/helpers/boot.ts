import type { Test } from 'tap'
import { definePreset, type AnyPlugin, type PrinterEntry } from '../../../../core/index.js'
import { cameraWith } from '../../../../plugins/camera/index.js'
import { CAMERA_TIMEOUTS, type CameraTimeouts } from '../../../../plugins/camera/timeouts.js'
import http from '../../../../plugins/http/index.js'
import mcp from '../../../../plugins/mcp/index.js'
import filament from '../../../../plugins/filament/index.js'
import state from '../../../../plugins/state/index.js'
import system from '../../../../plugins/system/index.js'
import { boot, type Booted, type BootOptions } from '../../../helpers/boot-features.js'
import { ownPorts } from '../../../helpers/ports.js'

export const CODE = '87654321'
export const A1_SERIAL = '03900A000000001'
export const X1_SERIAL = '00M00A000000002'

/** Short enough for tests that wait for something to be given up. */
export const QUICK: CameraTimeouts = {
  ...CAMERA_TIMEOUTS,
  firstFrame: { rtsps: 4_000, tcp_tls: 10_000 },
  upstream: {
    rtsps: { connect: 1_500, stall: 2_500, grace: 300 },
    tcp_tls: { connect: 1_500, stall: 400, grace: 0 }
  },
  retry: { rtsps: [50, 100], tcp_tls: [50, 100] },
  autoStop: 400,
  viewer: 400
}

export interface CameraBoot extends Omit<BootOptions, 'models' | 'preset'> {
  readonly printers: readonly Partial<PrinterEntry>[]
  readonly timeouts?: Partial<CameraTimeouts>
  readonly opened?: string[]
  readonly more?: readonly AnyPlugin[]
}

interface StreamReply { readonly status: number, readonly type: string, readonly bytes: Buffer, readonly json: any }

export interface CameraBooted extends Booted {
  /** Asks a stream server. */
  get (url: string, headers?: Record<string, string>): Promise<StreamReply>
}

/** A kernel with cameras whose printers answer on no other port, unless they are given. */
export async function bootCamera (t: Test, options: CameraBoot): Promise<CameraBooted> {
  const { printers, timeouts = {}, opened, more = [], config = {}, ...rest } = options
  const openBrowser = (address: string) => Promise.resolve(opened !== undefined && opened.push(address) > 0)
  const camera = cameraWith({ openBrowser, timeouts: { ...QUICK, ...timeouts } })
  const booted = await boot(t, {
    wait: false,
    ...rest,
    models: [],
    preset: definePreset({ name: 'test', plugins: [http, mcp, system, filament, state, camera, ...more] }),
    config: {
      api: { host: '127.0.0.1' },
      ports: ownPorts(0, 20),
      printers: printers.map(printer => ({ ...USUAL, ...printer, ports: { mqtt: 9, ...printer.ports } })),
      ...config
    }
  })
  return Object.assign(Object.create(booted), { get }) as CameraBooted
}

const USUAL: PrinterEntry = { name: 'cam', host: '127.0.0.1', serial: A1_SERIAL, accessCode: CODE }

async function get (url: string, headers: Record<string, string> = {}): Promise<StreamReply> {
  const reply = await fetch(url, { headers })
  const bytes = Buffer.from(await reply.arrayBuffer())
  const type = reply.headers.get('content-type') ?? ''
  return { status: reply.status, type, bytes, json: type.includes('json') ? JSON.parse(bytes.toString()) : undefined }
}
