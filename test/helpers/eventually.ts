export { eventually } from '../../presets/testing/eventually.js'
