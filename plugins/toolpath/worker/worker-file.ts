import { threadFile } from '../../../core/index.js'

/** Where the thread's file is in the source tree, in the built plugin, and seen from the bundler's shared chunks. */
const PLACES = ['../worker.ts', '../worker.js', '../plugins/toolpath/worker.js']

export const workerFile = (): URL => threadFile(import.meta.url, PLACES)
