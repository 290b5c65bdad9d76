import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import hub from '../../../presets/hub/index.js'
import { definePreset } from '../../../core/index.js'
import { cameraWith } from '../../../plugins/camera/index.js'
import { healthWith } from '../../../plugins/health/index.js'
import { projectsWith } from '../../../plugins/projects/index.js'
import { startFleet, type Fleet, type FleetOptions, type Reply } from '../../contract/fleet.js'
import { eventually } from '../../helpers/eventually.js'
import { startNats } from '../../helpers/nats.js'
import { without } from '../../helpers/without.js'
import { bootHub } from './fleet.js'

/** Nothing is opened on the machine that runs the tests. */
function quietHub (folder: string) {
  const openBrowser = async () => true
  return definePreset({
    name: 'hub',
    plugins: [
      without(hub.plugins, 'projects', 'camera', 'health'),
      projectsWith({ folder, openBrowser }), cameraWith({ openBrowser }), healthWith({ folder, openBrowser })
    ]
  })
}

/** What depends on the family is tried at the node. One has incremental reports, the other two nozzles. */
const TRIED = ['p1s', 'h2d']

/** A node with printers of every family, and the same with every question asked at a hub. */
export async function startAtHub (t: Test, options: FleetOptions = {}): Promise<{ node: Fleet, atHub: Fleet }> {
  const nats = await startNats(t)
  const node = await startFleet(t, {
    ...options,
    config: { plugins: { fleet: { servers: [nats.url], site: 'hall', node: 'a' } }, ...options.config }
  })
  const { kernel, tool, client } = await bootHub(t, { servers: [nats.url] }, node.names, {
    preset: quietHub(node.folder),
    config: { plugins: { files: { hostFolders: [node.folder], uploadMiB: 1 } }, api: { host: '127.0.0.1' } }
  })
  await mkdir(join(kernel.dataDir, 'uploads'), { recursive: true })
  await writeFile(join(kernel.dataDir, 'uploads', 'part.3mf'), 'a part')
  const inject: Fleet['inject'] = async request => {
    const { statusCode: status, headers, body: text, rawPayload: bytes } = await kernel.app.inject(request)
    let body: unknown
    try { body = JSON.parse(text) } catch {}
    return { status, type: headers['content-type'] as string | undefined, headers, text, bytes, body } satisfies Reply
  }
  const described = { ...node.described, has: () => true }
  /** What the node has brought about has come to the hub. */
  async function become (...[activity, names]: Parameters<Fleet['become']>): Promise<void> {
    await node.become(activity, names)
    await eventually(() => names.every(name => {
      const [there, here] = [node.session(name), kernel.printers.get(name)]
      return here?.service === there.service && here.state?.job.gcodeState === there.state?.job.gcodeState
    }))
  }
  const own = { kernel, names: TRIED, oneWay: true, become, inject, tool, client, described }
  return { node, atHub: { ...node, printer: node.printer, name: node.name, ...own } }
}
