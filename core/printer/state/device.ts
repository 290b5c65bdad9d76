import { hex, hexBit, int, list, lookUp, num, part, text, type Raw } from './raw.js'
import { FUN, homeBit } from './options.js'
import type { DecodeInput, Section } from './section.js'
import type { Device, ExtensionTool, Firmware } from './types.js'
import { isAmsModule } from './ams.js'

export const device: Section<Device> = {
  fields: ['wifi_signal', 'sdcard', 'home_flag', 'net', 'nozzle_type', 'nozzle_diameter', 'fun', 'stat', 'ipcam', 'hms'],
  context: ['signatureRefused'],
  read: (raw, input) => ({
    wifiSignal: text(raw.wifi_signal),
    storage: readStorage(raw),
    ipAddresses: list(part(raw, 'net').info).map(({ ip }) => address(int(ip))).filter(ip => ip !== '0.0.0.0'),
    nozzleType: text(raw.nozzle_type),
    nozzleDiameterMm: num(raw.nozzle_diameter),
    developerMode: developerMode(raw, input),
    signedOnly: signedOnly(raw) === true,
    rtspUrl: liveUrl(text(part(raw, 'ipcam').rtsp_url)),
    timelapse: text(part(raw, 'ipcam').timelapse) === 'enable',
    recording: text(part(raw, 'ipcam').ipcam_record) === 'enable',
    fun: text(raw.fun, '0'),
    stat: text(raw.stat, '0')
  })
}

/** A boolean on current firmware, a word on old firmware; the bits of `home_flag` only if there is neither. */
function readStorage (raw: Raw): boolean | undefined {
  if (typeof raw.sdcard === 'boolean') return raw.sdcard
  if (typeof raw.sdcard === 'string') return /^HAS_SDCARD/i.test(raw.sdcard)
  return raw.home_flag === undefined ? undefined : homeBit(raw, 8) || homeBit(raw, 9)
}

/** IP addresses are little-endian integers. */
const address = (word: number): string =>
  [word, word >>> 8, word >>> 16, word >>> 24].map(octet => octet & 0xFF).join('.')

const liveUrl = (url: string) => url === 'disable' ? '' : url

/** Reported while the printer refuses unsigned commands. */
const REFUSING_HMS = { attr: 0x05000500, code: 0x00010007 }

/** Undefined if the printer does not report it. */
function signedOnly (raw: Raw): boolean | undefined {
  if (raw.fun !== undefined) return hexBit(hex(raw.fun), FUN.signatureRequired)
  const refusing = list(raw.hms).some(({ attr, code }) =>
    int(attr) >>> 0 === REFUSING_HMS.attr && int(code) >>> 0 === REFUSING_HMS.code)
  return refusing || undefined
}

function developerMode (raw: Raw, { context }: DecodeInput): Device['developerMode'] {
  const reported = signedOnly(raw)
  if (reported !== undefined) return reported ? 'off' : 'on'
  return context.signatureRefused ? 'off' : 'unknown'
}

const TOOL_TYPES: Readonly<Record<string, ExtensionTool['type']>> = {
  '': 'NONE',
  CP00: 'CUTTING_MODULE',
  LB00: 'LASER_MODULE',
  LB01: 'LASER_MODULE',
  F000: 'ENHANCED_COOLING_FAN'
}
const MOUNTS: readonly ExtensionTool['mount'][] = ['NOT_MOUNTED', 'MOUNTED', 'NO_MODULE', 'NO_CABLE']

export const extensionTool: Section<ExtensionTool> = {
  fields: ['device.ext_tool'],
  read: raw => {
    const tool = part(raw, 'device', 'ext_tool')
    const rawType = text(tool.type)
    const mount = MOUNTS[int(tool.mount_3d ?? tool.mount, -1)] ?? 'UNKNOWN'
    return {
      type: lookUp(TOOL_TYPES, rawType) ?? 'UNKNOWN',
      mount,
      calibration: int(tool.calib),
      rawType,
      mounted: mount === 'MOUNTED'
    }
  }
}

export const firmware: Section<Firmware> = {
  fields: ['upgrade_state'],
  context: ['modules'],
  read: (raw, { context: { modules } }) => ({
    printer: modules.find(({ name }) => name === 'ota')?.version ?? '',
    ams: modules.findLast(isAmsModule)?.version ?? '',
    modules,
    newVersion: text(part(raw, 'upgrade_state').ota_new_version_number)
  })
}
