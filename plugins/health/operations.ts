import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { AnalysisFailed, NoFrames, NoImages, NoResult } from './errors.js'
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
  errors: [NoFrames, AnalysisFailed],
  run: async ({ session, services }, options) => await services.health.report(session, options) as never
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
