import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { AnalysisBusy, AnalysisFailed, NoFrames, NoImages, NoResult } from './errors.js'
import { CategoryName, Opened, Quality, PictureReport } from './schemas.js'

export const analyzeJob = operation({
  name: 'health.analyzeJob',
  summary: 'Judge the print by a fresh camera picture: verdict, chances, pictures',
  effect: 'read',
  input: Type.Object({
    storeAsReference: Type.Boolean({ description: 'Later pictures are compared with this one' }),
    quality: Quality,
    categories: Type.Array(CategoryName)
  }),
  output: PictureReport,
  errors: [NoFrames, AnalysisFailed, AnalysisBusy],
  run: async ({ session, services, signal }, options) => await services.health.report(session, options, signal) as never
})

const Watched = Type.Object({ watched: Type.Boolean({ description: 'The monitor judges its prints once a minute' }) }, { 'x-name': 'MonitorSettings' })

export const readMonitor = operation({
  name: 'health.readMonitor',
  summary: 'Whether the monitor watches the prints of a printer',
  effect: 'read',
  input: Type.Object({}),
  output: Watched,
  run: ({ session: { name }, services: { health } }) => ({ watched: health.watching.isWatched(name) })
})

export const changeMonitor = operation({
  name: 'health.changeMonitor',
  summary: 'Choose whether the monitor watches the prints of a printer',
  effect: 'write',
  consequence: 'While it is off, nobody is told of failures that the camera shows, and no rule acts on them.',
  input: Watched,
  output: Watched,
  async run ({ session, services: { health } }, { watched }) {
    await health.watching.change(session, watched)
    return { watched }
  }
})

export const openJobState = operation({
  name: 'health.openJobState',
  summary: 'Show the pictures of the last analysis in a viewer on the host',
  effect: 'read',
  input: Type.Object({}),
  output: Opened,
  errors: [NoResult, NoImages, AnalysisFailed],
  run: async ({ session, services, trusted }) => await services.health.open(session, trusted) as never
})
