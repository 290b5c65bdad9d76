import { createHash } from 'node:crypto'
import type { Json } from '../json-merge.js'
import { isHt } from '../machine/slots.js'
import type { Machine, Unit } from '../machine/types.js'
import { AMS_FACTS } from '../models/ams.data.js'

const NO_HARDWARE = 'N/A'

const boardSerial = ({ serial }: Machine, name: string): string =>
  createHash('sha256').update(`${serial} ${name}`).digest('hex').toUpperCase().slice(0, 15)

/** Newer firmware reports `product_name` and `visible`, the small printers report `project_name`. */
const naming = ({ traits }: Machine, product: string, project: string): Json =>
  traits.modern ? { product_name: product, visible: product !== '' } : { project_name: project }

const printer = (m: Machine): Json => ({
  name: 'ota',
  ...naming(m, m.traits.product, m.traits.code),
  sw_ver: m.firmware,
  hw_ver: m.traits.modern ? NO_HARDWARE : 'OTA',
  loader_ver: '00.00.00.00',
  sn: m.serial,
  flag: m.traits.modern ? 3 : 0
})

const board = (m: Machine, { name, hw, version }: Machine['traits']['modules'][number]): Json => ({
  name,
  ...naming(m, '', m.traits.code),
  sw_ver: version ?? m.firmware,
  hw_ver: hw,
  loader_ver: '00.00.00.00',
  sn: boardSerial(m, name),
  flag: 0
})

/** Four-slot units are numbered from 1 in their title, HT units too. */
const title = ({ id, kind }: Unit): string => `${AMS_FACTS[kind].title} (${(isHt(id) ? id & 7 : id) + 1})`

const unit = (m: Machine, one: Unit): Json => ({
  name: `${AMS_FACTS[one.kind].module}/${one.id}`,
  ...(m.traits.modern ? { product_name: title(one), visible: true } : { project_name: '', product_name: '' }),
  sw_ver: AMS_FACTS[one.kind].version,
  hw_ver: AMS_FACTS[one.kind].hw,
  loader_ver: '00.00.00.00',
  sn: one.serial,
  flag: 0
})

/** The boards of the printer and its AMS units. */
export const versionModules = (m: Machine): Json[] => [
  printer(m),
  ...m.traits.modules.map(module => board(m, module)),
  ...m.ams.units.map(one => unit(m, one))
]
