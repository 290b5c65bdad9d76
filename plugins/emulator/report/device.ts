import type { Json } from '../json-merge.js'
import { isBusy, isPrinting } from '../machine/job.js'
import type { Change, Extruder, Heater, Machine, Slot } from '../machine/types.js'
import { isSwitching } from '../machine/tools.js'
import { packed } from './climate.js'
import { slotWord } from './job.js'

const SWITCHING = 15
/** No filament: right or only tool, left tool. */
const NO_SLOT = [0xFFFF, 0xFEFF] as const
/** `device.extruder.info[].info`: filament at the tool, in the buffer, nozzle fitted. */
const FILAMENT = 2
const BUFFER = 4
const NOZZLE = 8
/** Bits that a dual printer's tools show beside these, right tool first. */
const DUAL_EXTRA = [0x400, 0x410] as const

const STAT_PRINTING = 0x30300
const STAT_LOADED = 0x300
const STAT_HEATING = 1

/** Air-duct part and the fan (P number) behind it; the heater's flap has none. */
const PARTS: readonly (readonly [id: number, func: number, fan: number | undefined])[] =
  [[16, 0, 1], [32, 1, 2], [48, 2, 3], [96, 4, undefined], [160, 3, 10]]
const FULL_RANGE = 6553600
const HEAT_MODE = 1

function extruderState (m: Machine): number {
  if (m.traits.extruders === 1) return 1
  const { current, target } = m.tool
  const change = m.ams.change
  const loading = change === undefined ? 0 : change.extruder * 2 ** 15 + 2 ** 19
  return 2 + (isSwitching(m) ? SWITCHING : current) * 2 ** 4 + target * 2 ** 8 + loading
}

const isActive = (m: Machine, { id }: Extruder): boolean => m.tool.current === id && !isSwitching(m)

function stat (m: Machine, extruder: Extruder, change: Change | undefined): number {
  if (change?.extruder === extruder.id) return STAT_HEATING
  if (!isActive(m, extruder)) return extruder.heater.target > 0 ? STAT_HEATING : 0
  if (isPrinting(m)) return STAT_PRINTING
  if (extruder.loaded !== undefined) return STAT_LOADED
  return extruder.heater.target > 0 ? STAT_HEATING : 0
}

const filament = (m: Machine, { id, loaded }: Extruder): number => {
  const extra = m.traits.extruders === 2 ? DUAL_EXTRA[id] ?? 0 : 0
  return NOZZLE + extra + (loaded === undefined ? 0 : FILAMENT + BUFFER)
}

const word = (m: Machine, slot: Slot | undefined, none: number): number =>
  slot === undefined ? none : slotWord(m, slot)

function renderExtruder (m: Machine, extruder: Extruder): Json {
  const change = m.ams.change
  const target = change?.extruder === extruder.id ? change.to : extruder.loaded
  const empty = NO_SLOT[extruder.id] ?? NO_SLOT[0]
  // Slots before and after the present one read 255 on single printers.
  const none = m.traits.extruders === 2 ? empty : 255
  return {
    id: extruder.id,
    temp: packed(extruder.heater),
    info: filament(m, extruder),
    stat: stat(m, extruder, change),
    snow: word(m, extruder.loaded, empty),
    spre: word(m, extruder.previous, none),
    star: word(m, target, none),
    hnow: extruder.id,
    hpre: extruder.id,
    htar: extruder.id,
    filam_bak: []
  }
}

const renderNozzle = ({ id, diameter, code }: Extruder): Json =>
  ({ id, diameter, type: code, wear: 0, tm: 0, stat: 5, sn: 'N/A', fila_id: '', color_m: '00000000' })

function nozzles (m: Machine): Json {
  const idle = m.traits.extruders === 2 ? 0x1000 : 0
  const reading = m.nozzleReadMs > 0 ? m.extruders.length * 16 : 0
  return {
    exist: 2 ** m.extruders.length - 1,
    state: idle + reading,
    src_id: 0,
    tar_id: 0,
    info: m.extruders.map(renderNozzle)
  }
}

const renderPart = (m: Machine, [id, func, fan]: typeof PARTS[number]): Json => {
  const state = fan === undefined ? (m.airductMode === HEAT_MODE ? 100 : 0) : m.fans[fan] ?? 0
  return { id, func, range: FULL_RANGE, state, tar_state: state }
}

/** Parts are fitted when a mode names them. */
function airduct (m: Machine): Json {
  const modes = m.traits.airduct
  if (modes.length === 0) return {}
  const visible = modes.reduce((bits, { modeId }) => bits + 2 ** modeId, 0)
  const fitted = PARTS.filter(([id]) => modes.some(({ ctrl, off }) => ctrl.includes(id) || off.includes(id)))
  return {
    airduct: {
      modeCur: m.airductMode,
      subMode: m.airductSubMode,
      modeFunc: 0,
      subFunc: 0,
      modeVisable: visible,
      subVisable: visible,
      version: 1,
      modeList: modes,
      parts: fitted.map(part => renderPart(m, part))
    }
  }
}

const heated = (heater: Heater): Json =>
  ({ info: { temp: packed(heater) }, state: heater.target > 0 ? 2 : 0 })

const extTool = ({ traits }: Machine): Json => traits.extTool === ''
  ? { type: '', mount: 0, calib: 2, low_prec: true, th_temp: 0 }
  : { type: traits.extTool, mount: 0, mount_3d: 1, calib: 2, low_prec: true, th_temp: 0 }

export const deviceFields = (m: Machine): Json => m.traits.modern
  ? {
      device: {
        type: 1,
        bed: heated(m.bed),
        bed_temp: packed(m.bed),
        ctc: heated(m.chamber),
        fan: 0,
        extruder: { state: extruderState(m), info: m.extruders.map(extruder => renderExtruder(m, extruder)) },
        nozzle: nozzles(m),
        ...airduct(m),
        ext_tool: extTool(m),
        cam: { laser: { cond: 0, state: 0 } },
        laser: { power: 0 },
        plate: { base: 1, mat: 1, cur_id: isBusy(m) ? String(m.job.plate) : '', tar_id: '', cali2d_id: '' }
      }
    }
  : {}
