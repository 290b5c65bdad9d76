import { Type } from 'typebox'
import { BadInput, ok, operation, placeOfTray, route } from '../../../core/index.js'
import { Gcode, linesOf, pausePrint, resumePrint, sendGcode, setSpeed, skipObjects, stopPrint } from '../../../plugins/print/operations.js'
import { printFile } from '../../../plugins/projects/operations/print.js'
import { ACCEPT, acceptedIn } from '../../../plugins/projects/index.js'
import { Flag, isTrue, Success, Whole } from '../param-schemas.js'

const tag = 'Print Control'
const shape = { method: 'GET', tag, body: Success, reply: ok } as const

const PLATES = ['AUTO', 'COOL_PLATE', 'ENG_PLATE', 'HOT_PLATE', 'TEXTURED_PLATE', 'NONE'] as const
type Plate = Lowercase<(typeof PLATES)[number]>

const SPEEDS = { 1: 'quiet', 2: 'standard', 3: 'sport', 4: 'ludicrous' } as const

function speedOf (text: string) {
  if (!Object.hasOwn(SPEEDS, text)) throw new BadInput(`level must be 1, 2, 3 or 4, got "${text}"`)
  return SPEEDS[text as unknown as keyof typeof SPEEDS]
}

const WHOLE = /^\d{1,10}$/

function idsOf (text: string): number[] {
  const ids = text.split(',').map(item => item.trim())
  if (!ids.every(id => WHOLE.test(id))) throw new BadInput('objects must be comma-separated whole numbers')
  return ids.map(Number)
}

const UNUSED = -1
const isTray = (tray: unknown): tray is number =>
  typeof tray === 'number' && (tray === UNUSED || placeOfTray(tray) !== undefined)

/** Numbers, also accepted as texts; undefined if there are none. */
function mappingOf (text: string): number[] | undefined {
  const problem = new BadInput('ams_mapping must be a JSON list: -1 unused, 0 to 103, 128 to 135, 254 or 255 for each filament')
  let list: unknown
  try {
    list = text.trim() === '' ? null : JSON.parse(text)
  } catch {
    throw problem
  }
  if (list === null) return undefined
  if (!Array.isArray(list)) throw problem
  const trays = list.map((tray: unknown) => typeof tray === 'string' && /^-?\d{1,3}$/.test(tray) ? Number(tray) : tray)
  if (!trays.every(isTray)) throw problem
  return trays.length === 0 ? undefined : trays
}

const { warnings, mapping_words: mappingWords, findings, unread } = printFile.output.properties

/** This interface documents raw commands as always allowed. */
const sendAnyGcode = operation({ ...sendGcode, name: 'standalone.sendGcode', guards: [] })

export default [
  route(printFile, {
    ...shape,
    path: '/print_3mf',
    body: Type.Object({ ...Success.properties, warnings, mapping_words: mappingWords, findings, unread }),
    params: Type.Object({
      filename: Type.String({ minLength: 1, description: 'Full path of a .3mf on the card' }),
      platenum: Whole('Plate, from 0'),
      plate: Type.Enum(PLATES, { description: 'Build plate' }),
      use_ams: Flag('Take filament from the AMS'),
      ams_mapping: Type.Optional(Type.String({ description: 'JSON list: tray by filament id - 1; -1 unused' })),
      accept_mismatch: Flag(ACCEPT),
      accept_findings: Type.Optional(Type.String({
        maxLength: 400, description: 'Comma-separated codes of findings with may_accept to print in spite of'
      })),
      bl: Flag('Level the bed first'),
      flow: Flag('Calibrate the flow first'),
      tl: Flag('Timelapse')
    }),
    input ({ filename, platenum = 0, plate, use_ams: useAms, ams_mapping: given = '', ...flags }) {
      if (platenum < 0) throw new BadInput('platenum must be 0 or more')
      const mapping = mappingOf(given)
      return {
        file: filename,
        plate: platenum + 1, // the printer counts from 1
        plateType: plate.toLowerCase() as Plate,
        useAms: isTrue(useAms),
        ...(mapping && { mapping }),
        acceptMismatch: isTrue(flags.accept_mismatch),
        ...acceptedIn(flags.accept_findings),
        leveling: isTrue(flags.bl),
        flow: isTrue(flags.flow),
        timelapse: isTrue(flags.tl)
      }
    },
    reply: ({ outcome, warnings, mapping_words: words, findings, unread }, params, response) =>
      ({ ...ok({ confirmed: outcome === 'started' }, params, response), warnings, mapping_words: words, findings, unread })
  }),
  route(pausePrint, { ...shape, path: '/pause_printing' }),
  route(resumePrint, { ...shape, path: '/resume_printing' }),
  route(stopPrint, { ...shape, path: '/stop_printing', params: Type.Object({}), input: () => ({}) }),
  route(skipObjects, {
    ...shape,
    path: '/skip_objects',
    params: Type.Object({ objects: Type.String({ description: 'Comma-separated identify_id values' }) }),
    input: ({ objects }) => ({ ids: idsOf(objects) })
  }),
  route(sendAnyGcode, { ...shape, path: '/send_gcode', params: Gcode, input: linesOf }),
  route(setSpeed, {
    ...shape,
    path: '/set_speed_level',
    params: Type.Object({ level: Type.String({ description: '`1` silent, `2` standard, `3` sport, `4` ludicrous' }) }),
    input: ({ level }) => ({ level: speedOf(level) })
  })
]
