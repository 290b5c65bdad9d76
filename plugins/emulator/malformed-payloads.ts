import { Buffer } from 'node:buffer'

export const GARBAGE_KINDS = [
  'text', 'empty', 'truncated', 'binary', 'array', 'null', 'number',
  'wrong-types', 'no-section', 'deep', 'huge', 'proto'
] as const
export type GarbageKind = typeof GARBAGE_KINDS[number]

const DEPTH = 2000
const HUGE_BYTES = 400_000

const WRONG_TYPES = {
  print: {
    command: 'push_status',
    msg: 'one',
    sequence_id: 7,
    nozzle_temper: 'hot',
    bed_temper: null,
    mc_percent: [50],
    gcode_state: 12,
    stg_cur: 'x',
    ams: [],
    hms: { attr: 1 },
    lights_report: 'on',
    home_flag: 'zz',
    fun: 'not hex',
    s_obj: null,
    device: 5,
    vt_tray: []
  }
}

const POLLUTED = '{"polluted":true}'
const INHERITED = `"__proto__":${POLLUTED},"constructor":{"prototype":${POLLUTED}}`

const MAKERS: Readonly<Record<GarbageKind, (report: string) => string | Uint8Array>> = {
  text: () => 'this is not JSON',
  empty: () => '',
  truncated: report => report.slice(0, Math.floor(report.length / 2)),
  binary: () => Uint8Array.from({ length: 256 }, (_, byte) => byte),
  array: () => '[{"print":{"command":"push_status"}}]',
  null: () => 'null',
  number: () => '42',
  'wrong-types': () => JSON.stringify(WRONG_TYPES),
  'no-section': () => '{"header":{"sign":"x"},"t_utc":1}',
  deep: () => `{"print":{"command":"push_status","msg":1,"x":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}}`,
  huge: () => JSON.stringify({ print: { command: 'push_status', msg: 1, filler: 'x'.repeat(HUGE_BYTES) } }),
  proto: () => `{"print":{"command":"push_status","msg":1,${INHERITED}}}`
}

/** A malformed payload; `report` is a valid one to spoil. */
export const malformedPayload = (kind: GarbageKind, report: string): Uint8Array => Buffer.from(MAKERS[kind](report))
