import type { Json } from '../json-merge.js'
import type { Machine } from '../machine/types.js'
import { hex } from '../request.js'
import { amsFields } from './ams.js'
import { climateFields } from './climate.js'
import { deviceFields } from './device.js'
import { jobFields } from './job.js'

/** Bit words in the spelling of the wire; `home_flag` is a signed number. */
const wordFields = ({ traits, words }: Machine): Json => traits.modern
  ? {
      home_flag: words.homeFlag | 0,
      fun: hex(words.fun),
      ...(traits.words.fun2 === undefined ? {} : { fun2: hex(words.fun2) }),
      cfg: hex(words.cfg),
      aux: hex(words.aux),
      stat: hex(words.stat)
    }
  : { home_flag: words.homeFlag | 0, flag3: words.flag3 }

/**
 * The whole report without its envelope. Parts that did not change are the same objects as in the last
 * call, so that comparing two reports is cheap.
 */
export const render = (m: Machine): Json => ({
  ...m.fields,
  ...jobFields(m),
  ...climateFields(m),
  ...wordFields(m),
  ...deviceFields(m),
  ...amsFields(m)
})
