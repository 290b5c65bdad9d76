import { asked } from './asked.js'
import { details } from './details.js'
import { grams } from './grams.js'
import { mapping } from './mapping.js'
import { parts } from './parts.js'
import { prints } from './prints.js'
import { search } from './search.js'
import { settings } from './settings.js'
import { sums } from './sums.js'
import { writers } from './writers.js'

/** A released migration never changes; changes go into a new one. */
export const migrations = [prints, search, sums, details, asked, writers, mapping, grams, settings, parts]
