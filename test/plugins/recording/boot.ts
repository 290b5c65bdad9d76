import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { definePreset } from '../../../core/index.js'
import alerts from '../../../plugins/alerts/index.js'
import camera from '../../../plugins/camera/index.js'
import http from '../../../plugins/http/index.js'
import mcp from '../../../plugins/mcp/index.js'
import { recordingWith, type Recording } from '../../../plugins/recording/index.js'
import shell from '../../../plugins/shell/index.js'
import state from '../../../plugins/state/index.js'
import filament from '../../../plugins/filament/index.js'
import system from '../../../plugins/system/index.js'
import { boot, type BootOptions } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { findProgram } from '../../helpers/programs.js'
import { ownPorts } from '../../helpers/ports.js'

/** Why tests with encoding cannot run here. */
export const noFfmpeg =
  (findProgram('ffprobe') === undefined || findProgram('ffmpeg') === undefined) && 'ffmpeg or ffprobe is not installed'

const SMALL = { width: 320, height: 180, fps: 10 }
/** One that sends pictures, and one that sends video. */
export const PICTURES = { model: 'P1S', name: 'p1s', camera: SMALL } as const
export const VIDEO = { model: 'X1C', name: 'x1c', camera: SMALL } as const

/** A service with the recording plugin, whose evidence goes on for a short time only. */
export async function bootRecording (t: Test,
  { connectMs = 60_000, ...options }: BootOptions & { connectMs?: number } = {}) {
  const recording = [recordingWith({ beforeMs: 5_000, afterMs: 700, connectMs }), { keepFreeMiB: 0 }] as const
  const plugins = [http, mcp, system, filament, state, camera, alerts, shell, recording]
  const booted = await boot(t, {
    models: [PICTURES],
    preset: definePreset({ name: 'test', plugins }),
    ...options,
    config: { ports: ownPorts(0, 20), ...options.config }
  })
  const { kernel, http: ask } = booted
  const list = async (query = {}): Promise<Recording[]> => (await ask('GET', '/api/recordings', query)).body.recordings
  return {
    ...booted,
    get printer () { return booted.printer },
    get name () { return booted.name },
    list,
    /** Waits for a recording that is whole, or that has failed. */
    async finished (query = {}): Promise<Recording> {
      await eventually(async () => (await list(query)).some(({ status }) => status === 'ready' || status === 'failed'), 60_000, 50)
      return (await list(query)).find(({ status }) => status === 'ready' || status === 'failed') as Recording
    },
    /** Keeps the camera connected, and waits for what it shows: then evidence has something to begin with. */
    async shows () {
      const session = kernel.printers.resolve(booted.name)
      let units = 0
      const off = kernel.services.camera.tap(session, { onUnit: () => { units++ } })
      t.teardown(kernel.services.camera.hold(session))
      await eventually(() => units > 15, 60_000)
      off()
    },
    alert (printer: string, type: string, payload = {}) {
      const timestamp = '2026-01-02T03:04:05+00:00'
      kernel.events.emit('alert', { type, printer, timestamp, severity: 'high', payload })
    }
  }
}

/** What another program finds in a video. */
export async function probe (path: string) {
  const { stdout, stderr } = await promisify(execFile)('ffprobe', ['-v', 'warning', '-count_frames', '-show_entries',
    'stream=codec_name,width,height,nb_read_frames,duration,r_frame_rate', '-of', 'json', path])
  const { nb_read_frames: frames, duration, ...stream } = JSON.parse(stdout).streams[0]
  return { ...stream, frames: Number(frames), seconds: Number(duration), stderr }
}
