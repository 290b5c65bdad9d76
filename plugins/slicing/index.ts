import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { definePlugin, Secret, secretOf } from '../../core/index.js'
import type {} from '../filament/index.js' // the service filaments
import type {} from '../history/index.js'
import { bambuStudio, orcaSlicer } from './engines/preset-slicer.js'
import { prusaSlicer } from './engines/prusa-slicer.js'
import { ImportedProfiles } from './imported/imported-profiles.js'
import { ModelStore } from './model-store.js'
import { ModelThread } from './models/index.js'
import { slicingPage } from './pages.js'
import { serveModelUpload, servePlates } from './plate-routes.js'
import { remoteSlicers, type RemoteOptions } from './remote/remote-slicer.js'
import { REMOTE_SLICERS, type RemoteSlicerName } from './remote/types.js'
import routes from './routes.js'
import { SlicingService } from './service.js'
import tools from './tools.js'

export type {
  EngineJob, EngineOptions, EngineResult, FoundSlicer, SettingsKind, Slicer, SlicingTarget
} from './types.js'
export type { Presets } from './imported/read-presets.js'
export { bambuStudio, findBambuStudio, findOrcaSlicer, orcaSlicer } from './engines/preset-slicer.js'
export { findPrusaSlicer, prusaSlicer } from './engines/prusa-slicer.js'
export { presetsIn, isBundle } from './imported/preset-bundle.js'
export { openPresetFolders } from './imported/preset-folders.js'
export { presetTexts, readPresets } from './imported/read-presets.js'
export { remoteSlicers } from './remote/remote-slicer.js'
export { serveSlicers, type SlicerServer, type SlicerServerOptions } from './remote/slicer-server.js'
export type { ImportedProfileView, SlicingJobView } from './schemas.js'
export type { SlicingService } from './service.js'
export { suggestedPresets, trySlicer, type SlicerTrial } from './try-slicer.js'

declare module 'prnd' {
  interface Services { slicing: SlicingService }
}

const Options = Type.Object({
  prusaSlicer: Type.Optional(Type.String({ description: 'Path of PrusaSlicer; searched for if absent' })),
  orcaSlicer: Type.Optional(Type.String({ description: 'Path of OrcaSlicer; searched for if absent' })),
  bambuStudio: Type.Optional(Type.String({ description: 'Path of Bambu Studio; searched for if absent' })),
  remotes: Type.Array(Type.Object({
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,30}$', description: 'As in requests, and on the page' }),
    url: Type.String({ pattern: '^https?://', description: 'Where `prnd slicer` answers' }),
    slicer: Type.Enum(Object.keys(REMOTE_SLICERS) as RemoteSlicerName[], { description: 'Which of the slicers there' }),
    token: Type.Optional(Secret('The token that `prnd slicer` was started with'))
  }), { default: [], description: 'Slicers on other machines or in containers' }),
  timeoutMinutes: Type.Number({ default: 30, minimum: 1, maximum: 1_440, description: 'Longest time for one plate' }),
  memoryMiB: Type.Number({ default: 4_096, minimum: 512, description: 'Most memory of the slicer, where the system can limit it' }),
  modelMiB: Type.Number({ default: 256, minimum: 1, maximum: 256, description: 'Largest model' }),
  roomMiB: Type.Number({ default: 2_048, minimum: 1, description: 'All uploaded models together' })
})

const MOST_FILE_MIB = 2_048

/** From models to plates that printers take, by a slicer that is installed on this host or served by another one. */
export default definePlugin({
  name: 'slicing',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Slices models with a slicer, and checks what it wrote',
  needs: ['files', 'filament', 'projects', 'toolpath', 'http'],
  optional: ['queue', 'history'],
  provides: ['slicing'],
  uses: ['files', 'disk', 'network'],
  options: Options,
  contributes (options) {
    const limits = { timeoutMs: options.timeoutMinutes * 60_000, memoryMiB: options.memoryMiB, fileMiB: MOST_FILE_MIB }
    return {
      routes,
      tools,
      pages: [slicingPage],
      slicers: [
        prusaSlicer({ program: options.prusaSlicer, ...limits }),
        orcaSlicer({ program: options.orcaSlicer, ...limits }),
        bambuStudio({ program: options.bambuStudio, ...limits }),
        ...remoteSlicers(options.remotes as readonly RemoteOptions[], limits)
      ]
    }
  },
  async setup (context) {
    const { app, kernel, log, options, optional, printers, services, contributed, onReady, onClose } = context
    for (const [index, { token }] of options.remotes.entries()) {
      if (token) kernel.maskSecret(await secretOf(token, `plugins.slicing.remotes[${index}].token`))
    }
    const root = await context.folder()
    const thread = new ModelThread()
    onClose(() => thread.close())
    const warn = (message: string) => log.warn(message)
    const jobs = join(root, 'jobs')
    await mkdir(jobs, { recursive: true, mode: 0o700 })
    const models = await ModelStore.open({
      folder: join(root, 'models'), thread, now: kernel.now, warn, modelMiB: options.modelMiB, roomMiB: options.roomMiB
    })
    const slicing = await SlicingService.open({
      models,
      imports: await ImportedProfiles.open(root, kernel.now, warn),
      thread,
      folder: jobs,
      filaments: services.filaments,
      library: optional.queue,
      costOf: (material, grams) => optional.history?.costOf(material, grams) ?? null,
      toolpath: services.toolpath,
      slicers: contributed('slicers'),
      printers,
      now: kernel.now,
      warn
    })
    context.provide('slicing', slicing)
    const { queue } = optional
    if (queue) services.toolpath.libraryBy(id => queue.library.locate(id))
    services.toolpath.startCodeBy(session => slicing.acceptedBy(session) !== undefined)
    await serveModelUpload(app, kernel, options.modelMiB)
    servePlates(app, kernel)
    onReady(() => slicing.jobs.start())
    onClose(() => slicing.jobs.close())
  }
})
