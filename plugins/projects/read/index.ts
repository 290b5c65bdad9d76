export { openArchive } from '../archive/index.js'
export { readImage, readPlate, readProject } from './project.js'
