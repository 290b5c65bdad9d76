import { de } from './de.data.js'
import { en } from './en.data.js'
import { zh } from './zh.data.js'

export const texts = { en, de, zh }
