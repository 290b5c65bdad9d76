import { de } from './findings-de.data.js'
import { en } from './findings-en.data.js'
import { zh } from './findings-zh.data.js'

/** Texts of findings, for every page that shows them by `findingWords`. */
export const findingTexts = { en, de, zh }
