export { openArchive } from '../archive/index.js'
export { readRecord } from './plate-record.js'
export { readImage, readPlate, readProject } from './project.js'
