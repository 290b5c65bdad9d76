import type { Machine } from '../machine/types.js'
import { getBit, homeBit, setField, setSetting } from '../machine/bit-fields.js'
import { integer } from '../request.js'
import { done, type Body, type Handlers, type Reply } from './reply.js'

interface Option {
  readonly home?: number
  readonly cfg?: number
  /** Bit of `home_flag` without which the printer lacks the option. */
  readonly support?: number
}

const OPTIONS: Readonly<Record<string, Option>> = {
  auto_recovery: { home: 4, cfg: 16 },
  auto_switch_filament: { home: 10, cfg: 18 },
  filament_tangle_detect: { home: 20, cfg: 23, support: 19 },
  sound_enable: { home: 17, cfg: 22, support: 18 },
  nozzle_blob_detect: { home: 24, cfg: 24, support: 25 },
  air_print_detect: { home: 28, support: 29 }
}
const PURIFY_BIT = 36

/** An option that the printer lacks is acknowledged but stays off. */
function printOption (m: Machine, body: Body): Reply {
  for (const [name, option] of Object.entries(OPTIONS)) {
    const wanted = body[name]
    const supported = option.support === undefined || homeBit(m, option.support)
    if (typeof wanted === 'boolean' && supported) setSetting(m, option, wanted)
  }
  const purify = integer(body.air_purification)
  if (purify !== undefined) setField(m, 'cfg', PURIFY_BIT, 2, purify)
  return done()
}

const PROTECTION_BIT = 62

function continuedHeating (m: Machine, { enable }: Body): Reply | undefined {
  if (!getBit(m, 'fun', PROTECTION_BIT)) return undefined
  setField(m, 'cfg', 32, 2, enable === true ? 1 : 0)
  return done()
}

export const options: Handlers = {
  print_option: printOption,
  set_against_continued_heating_mode: continuedHeating
}
