import { BadInput, closestMatch } from '../../core/index.js'

/** A printer in a list. */
export interface Listed {
  readonly name: string
  readonly host: string
  readonly serial: string
  readonly accessCode: string
  readonly mqttPort?: number
  readonly ports?: Partial<Record<Port, number>>
}

type Port = 'ftps' | 'camera' | 'rtsps'

/** Column headings and field names; compared without case, spaces and separators. */
const FIELDS = {
  name: 'name',
  host: 'host',
  serial: 'serial',
  accesscode: 'accessCode',
  mqttport: 'mqttPort',
  ftpsport: 'ftpsPort',
  cameraport: 'cameraPort',
  rtspsport: 'rtspsPort'
} as const
type Field = (typeof FIELDS)[keyof typeof FIELDS]
const NAMES = ['name', 'host', 'serial', 'access_code', 'mqtt_port', 'ftps_port', 'camera_port', 'rtsps_port']
const PORTS = ['mqttPort', 'ftpsPort', 'cameraPort', 'rtspsPort'] as const
const WANTED: readonly Field[] = ['name', 'host', 'serial', 'accessCode']

const fieldOf = (heading: string): Field | undefined => {
  const key = heading.toLowerCase().replaceAll(/[\s_-]/g, '')
  return Object.hasOwn(FIELDS, key) ? FIELDS[key as keyof typeof FIELDS] : undefined
}

const isPort = (text = ''): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535

function meant (heading: string): string {
  const close = closestMatch(heading, NAMES)
  return close === undefined ? `there are ${NAMES.slice(0, -1).join(', ')} and ${NAMES.at(-1)}` : `did you mean '${close}'?`
}

/** One row of a table; a quoted cell may contain the separator, and doubled quotes. */
function cellsOf (line: string, separator: string): string[] {
  const cells: string[] = []
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}]*))(?:${separator}|$)`, 'gy')
  for (const { 0: whole, 1: quoted, 2: bare = '' } of line.matchAll(cell)) {
    cells.push((quoted?.replaceAll('""', '"') ?? bare).trim())
    if (!whole.endsWith(separator)) break
  }
  return cells
}

interface Entry { readonly where: string, readonly values: Readonly<Record<string, unknown>> }

function tableEntries (text: string): Entry[] {
  const lines = text.split(/\r?\n/)
  const [head = ''] = lines
  const separator = [',', ';', '\t'].find(mark => head.includes(mark)) ?? ','
  const headings = cellsOf(head, separator)
  const unknown = headings.find(heading => fieldOf(heading) === undefined)
  if (unknown !== undefined) {
    throw new BadInput(`Line 1: a column is called '${unknown}'; ${meant(unknown)}`)
  }
  const entries = lines.map((line, at): Entry => ({
    where: `Line ${at + 1}`,
    values: Object.fromEntries(cellsOf(line, separator).map((value, column) => [headings[column] ?? '', value]))
  }))
  return entries.filter((_, at) => at > 0 && lines[at]?.trim() !== '')
}

const isConfiguration = (value: unknown): value is { printers: unknown[] } =>
  Array.isArray((value as { printers?: unknown } | null)?.printers)

/** Fields of an entry of a configuration file. */
function fieldsOf (entry: unknown): Entry['values'] {
  const { model: _model, tls: _tls, ports, ...fields } = Object(entry) as Record<string, unknown>
  const named = Object.entries(Object(ports) as object).map(([port, value]) => [`${port}_port`, value])
  return { ...fields, ...Object.fromEntries(named) }
}

function jsonEntries (text: string): Entry[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new BadInput(`The list is no JSON: ${(error as Error).message}`)
  }
  if (isConfiguration(value)) {
    return value.printers.map((entry: unknown, at) => ({ where: `Printer ${at + 1}`, values: fieldsOf(entry) }))
  }
  if (!Array.isArray(value)) throw new BadInput('The list must be an array of printers: [{ "name": …, "host": …, "serial": …, "access_code": … }]')
  return value.map((values: unknown, at) => ({ where: `Printer ${at + 1}`, values: Object(values) as Entry['values'] }))
}

/** Errors never contain a value: one of them may be an access code in the wrong column. */
function read ({ values }: Entry): Listed | string {
  const found: Partial<Record<Field, string>> = {}
  for (const [heading, value] of Object.entries(values)) {
    const field = fieldOf(heading)
    if (field === undefined) return heading === '' ? 'there are more cells than columns' : `'${heading}' is no field of a printer; ${meant(heading)}`
    if (typeof value !== 'string' && typeof value !== 'number') return `'${heading}' must be a text`
    if (String(value) !== '') found[field] = String(value)
  }
  const missing = WANTED.find(field => found[field] === undefined)
  if (missing !== undefined) return `${missing === 'accessCode' ? 'access_code' : missing} is missing`
  const { name = '', host = '', serial = '', accessCode = '' } = found
  const bad = PORTS.find(field => found[field] !== undefined && !isPort(found[field]))
  if (bad !== undefined) return `${bad.replace('Port', '_port')} must be 1 to 65535`
  const { mqttPort, ftpsPort, cameraPort, rtspsPort } = found
  const ports = Object.entries({ ftps: ftpsPort, camera: cameraPort, rtsps: rtspsPort })
    .flatMap(([port, text]) => text === undefined ? [] : [[port, Number(text)] as const])
  return {
    name,
    host,
    serial,
    accessCode,
    ...(mqttPort !== undefined && { mqttPort: Number(mqttPort) }),
    ...(ports.length > 0 && { ports: Object.fromEntries(ports) })
  }
}

/** Names and serial numbers must be unique. */
function repetition (printer: Listed, others: readonly Pick<Listed, 'name' | 'serial'>[]): string | undefined {
  const same = others.find(({ name, serial }) =>
    name === printer.name || serial.trim().toUpperCase() === printer.serial.trim().toUpperCase())
  if (!same) return undefined
  return same.name === printer.name ? `there is a printer '${same.name}' already` : `its serial number is that of '${same.name}'`
}

/**
 * Reads a list of printers: CSV with headings, a JSON array, or a configuration file with its access codes. It is
 * accepted as a whole or not at all.
 * @param known configured printers
 * @throws BadInput with all errors, by line
 */
export function readPrinterList (text: string, known: readonly Pick<Listed, 'name' | 'serial'>[]): readonly Listed[] {
  const clean = text.replace(/^\uFEFF/, '').trim()
  const entries = clean.startsWith('[') || clean.startsWith('{') ? jsonEntries(clean) : tableEntries(clean)
  const printers: Listed[] = []
  const problems: string[] = []
  for (const entry of entries) {
    const printer = read(entry)
    const problem = typeof printer === 'string' ? printer : repetition(printer, [...known, ...printers])
    if (problem !== undefined) problems.push(`${entry.where}: ${problem}`)
    else if (typeof printer !== 'string') printers.push(printer)
  }
  if (problems.length > 0) throw new BadInput(`Nothing was imported. ${problems.join('. ')}`)
  if (printers.length === 0) throw new BadInput('The list names no printer')
  return printers
}
