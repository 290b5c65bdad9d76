import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { createIdentity, type Identity } from '../../../../plugins/emulator/index.js'
import { findProgram, pythonThatRuns } from '../../../helpers/programs.js'
import { testFolder } from '../../../helpers/folder.js'

const SCRIPT = join(import.meta.dirname, 'rtsps-peer.py')
const PROBE = "import gi; gi.require_version('Gst', '1.0'); gi.require_version('GstRtspServer', '1.0'); " +
  'from gi.repository import Gst, GstRtspServer; Gst.init(None); ' +
  "assert Gst.ElementFactory.find('x264enc') and Gst.ElementFactory.find('rtph264pay')"

const python = pythonThatRuns(PROBE)
const hasFfmpeg = findProgram('ffmpeg') !== undefined

/** Why there can be no such server here; false where there can. */
export const noServer: string | false = python === undefined &&
  'no GStreamer RTSP server (Debian packages python3-gi, gir1.2-gst-rtsp-server-1.0, gstreamer1.0-plugins-ugly)'

/** Why there can be no pictures of its video. */
export const noVideo: string | false = noServer || (!hasFfmpeg && 'ffmpeg is not installed (Debian package ffmpeg)')

export interface RtspsPeer {
  readonly port: number
  readonly identity: Identity
  /** Connections so far, and those that are open. */
  readonly total: number
  readonly open: number
  close (): Promise<void>
}

export interface RtspsPeerOptions {
  readonly serial: string
  readonly accessCode: string
  readonly width?: number
  readonly height?: number
  readonly rate?: number
  readonly method?: 'basic' | 'digest'
}

/** A camera of the X1 family by somebody else's program. */
export async function startRtspsPeer (t: Pick<Test, 'teardown'>, options: RtspsPeerOptions): Promise<RtspsPeer> {
  const { serial, accessCode, width = 640, height = 360, rate = 15, method = 'digest' } = options
  const identity = await createIdentity(serial)
  const pem = join(testFolder(t), 'peer.pem')
  writeFileSync(pem, identity.certificate + identity.key)
  const child = spawn(python ?? '', [SCRIPT, pem, 'bblp', accessCode, ...[width, height, rate].map(String), method],
    { stdio: ['pipe', 'pipe', 'ignore'] })
  let total = 0
  let open = 0
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the video server ended')))
    createInterface(child.stdout).on('line', line => {
      if (line.startsWith('port ')) resolve(Number(line.slice(5)))
      if (line.startsWith('open')) { total++; open++ }
      if (line.startsWith('closed')) open--
    })
  })
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }
  t.teardown(close)
  return { port, identity, get total () { return total }, get open () { return open }, close }
}
