import { asked } from './asked.js'
import { details } from './details.js'
import { mapping } from './mapping.js'
import { prints } from './prints.js'
import { search } from './search.js'
import { sums } from './sums.js'
import { writers } from './writers.js'

/** A step that was released never changes: what is new is a further step. */
export const migrations = [prints, search, sums, details, asked, writers, mapping]
