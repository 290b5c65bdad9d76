import { Type } from 'typebox'
import { definePlugin } from '../../core/index.js'
import type { Finding } from '../alerts/index.js'
import type { readSummary } from './operations.js'
import { Outlines } from './outline/outlines.js'
import { platePage } from './pages.js'
import { ReadingStore } from './reading-store.js'
import routes from './routes.js'
import { createPlateJudge, readOn } from './judge-start.js'
import { ToolpathService } from './service.js'
import tools from './tools.js'
import { FollowedJobs } from './remaining/followed-jobs.js'
import { UnreadPlates } from './unread-plates.js'
import { PlateReader } from './worker/plate-reader.js'

export { NoPlateFile } from './errors.js'
export { gramsUntil, type FilamentCourse, type FilamentGrams } from './filament-grams.js'
export type { Finding, FindingCode, PlateRead, Target, Weight } from './findings/types.js'
export { findingsOf } from './summary.js'
export { poseFromBedCorners, type BedCorners, type BedPose } from './outline/bed-pose.js'
export { pinholeCamera, placeInPicture, resizedCamera, withMovedBed, type Camera } from './outline/camera.js'
export { OUTLINE_KINDS, type HeightMap, type Outline, type OutlineKind } from './outline/height-map.js'
export { projectOutline, type OutlineMask } from './outline/project-outline.js'
export { Scanner, wordBit, wordIndex, type Command, type ScannerListener } from './read/scanner.js'
export type { Reading } from './reading.js'
export { GaveWay, type ToolpathService } from './service.js'
export { targetOf } from './start-target.js'
export { summarizeHostPlate } from './summarize-host-plate.js'
export { findingTexts } from './texts/index.js'

declare module 'prnd' {
  interface Services { toolpath: ToolpathService }
  interface Operations { 'toolpath.summary': typeof readSummary }
}

const MIB = 1024 ** 2

const Options = Type.Object({
  cacheMiB: Type.Number({ default: 1024, minimum: 16, description: 'What was read of plates, MiB in all' })
})

/** Reads the G-code of plates move by move, before they heat. */
export default definePlugin({
  name: 'toolpath',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Reads plates move by move before they are printed: time, filament, findings',
  needs: ['files', 'projects'],
  optional: ['alerts'],
  provides: ['toolpath'],
  uses: ['commands', 'files', 'disk'],
  options: Options,
  contributes: { routes, tools, pages: [platePage] },
  async setup ({ log, kernel, options, optional, printers, services, folder, provide, onClose }) {
    const store = new ReadingStore({
      folder, maxBytes: options.cacheMiB * MIB, warn: message => log.warn(message)
    })
    const reader = new PlateReader()
    onClose(() => reader.close())
    const outlines = new Outlines()
    onClose(() => outlines.close())
    const toolpath = new ToolpathService({
      files: () => services.files, store, reader, outlines, weigh: services.projects.weigh
    })
    const judging = {
      toolpath, kernel, log, raise: (printer: string, finding: Finding) => optional.alerts?.raise(printer, finding)
    }
    const unread = await UnreadPlates.open(await folder(), {
      kernel, log, follow: (session, start, print) => readOn(judging, session, start, print)
    })
    services.projects.plates.by({
      judge: createPlateJudge({ ...judging, unread }),
      uploaded: (session, sent, signal) => toolpath.uploaded(session, sent, signal)
    })
    onClose(services.files.transfers.watch(({ printer, direction, path, status }) => {
      const session = printers.get(printer)
      if (direction === 'upload' && status !== 'running' && session) toolpath.forget(session, path)
    }))
    const jobs = new FollowedJobs({ projects: () => services.projects, toolpath, log })
    printers.eachLocal(session => jobs.follow(session))
    printers.eachLocal(session => { void unread.resume(session) })
    services.projects.remainingBy(session => jobs.remaining(session))
    provide('toolpath', toolpath)
  }
})
