import { alertTexts } from '../alerts/index.js'

/** Types of alerts that have a name on the pages. */
export const alertTypes = (): string[] => Object.keys(alertTexts.en).map(key => key.replace(/^alert\./, ''))
