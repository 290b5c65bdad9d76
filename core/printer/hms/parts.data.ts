/** Parts of a module, by their byte in an HMS number, for the sentence about an unlisted number. */
export const PARTS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  '03': {
    0x01: 'bed heater',
    0x02: 'nozzle heater',
    0x03: 'hotend fan',
    0x04: 'part-cooling fan',
    0x05: 'motor driver',
    0x06: 'motor A',
    0x07: 'motor B',
    0x08: 'Z motor',
    0x09: 'extruder motor',
    0x0A: 'bed force sensor 1',
    0x0B: 'bed force sensor 2',
    0x0C: 'bed force sensor 3',
    0x0D: 'bed homing',
    0x0E: 'motor supply',
    0x0F: 'acceleration sensor',
    0x10: 'X axis resonance',
    0x11: 'Y axis resonance',
    0x12: 'tool head cover',
    0x1A: 'nozzle',
    0x20: 'axis homing',
    0x90: 'chamber heater',
    0x96: 'front door'
  },
  '05': { 0x01: 'storage and camera', 0x02: 'network', 0x03: 'boards', 0x04: 'print job', 0x05: 'authorization' },
  '07': {
    0x01: 'feed motor',
    0x02: 'length sensor',
    0x35: 'humidity sensor',
    0x40: 'filament buffer',
    0x45: 'filament cutter',
    0x50: 'communication',
    0x96: 'dryer',
    0x97: 'dryer'
  },
  '0C': { 0x01: 'camera', 0x02: 'laser', 0x03: 'inspection' }
}
