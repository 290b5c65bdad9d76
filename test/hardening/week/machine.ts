import { createVirtualPrinter, type VirtualPrinter } from '../../../plugins/emulator/index.js'
import { readZip } from '../../../plugins/emulator/sample-sd-card/index.js'
import { printerPorts } from '../../helpers/ports.js'
import { keepLedger, type Ledger } from '../farm/ledger.js'
import type { Act, Beginning, PowerCut } from './judge.js'
import type { Clock } from './week-clock.js'

/** A printer with what stands around it, as it really is. */
export interface Machine {
  readonly printer: VirtualPrinter
  readonly ledger: Ledger
  readonly beginnings: readonly Beginning[]
  /** What it was told. */
  readonly acts: readonly Act[]
  /** Plates that were pushed off, and parts that stayed. */
  readonly ejected: { done: number, stuck: number }
  /** What lies on its plate, as a sensor sees it. */
  readonly isEmpty: boolean
  /** W. */
  readonly watts: number
  look (): void
  /** Its power goes on or off. */
  power (isOn: boolean): Promise<void>
  /** As it is at the moment in which its power goes off. */
  cut (plug: string): PowerCut
}

export interface MachineOptions {
  readonly at: number
  readonly speed: number
  readonly minutes: readonly [least: number, most: number]
  readonly random: () => number
  readonly clock: Clock
}

/** The way of an ejector, which only its recipe has. */
export const PUSH = 'G1 X128 Y250 F6000'
const MOST_BYTES = 8 * 1024 * 1024
const FAILS = 0.06
const STICKS = 0.1
/** A command to print that a printer has not shown for so long, ms, was not heard. */
const STARTS_WITHIN_MS = 5_000

const [IDLE_W, HEAT_W, NOZZLE_W, PRINT_W, DRY_W, STANDBY_W] = [9, 320, 35, 22, 110, 0.6]

/** Commands that only ask. */
const ASKS = new Set(['pushing', 'info', 'upgrade', 'xcam'])
const GCODE: readonly [RegExp, string][] = [[/^M140 /, 'bed'], [/^M104 /, 'nozzle'], [/^M106 /, 'fan']]

/** What a command does; undefined for one that does nothing to the printer. */
function kindOf (section: string, command: string, body: Readonly<Record<string, unknown>>): string | undefined {
  if (ASKS.has(section)) return undefined
  if (command === 'project_file') return 'start'
  if (command === 'ledctrl') return 'light'
  if (command === 'ams_filament_drying') return body.mode === 1 ? 'dry' : 'end drying'
  if (command === 'gcode_line') return GCODE.find(([line]) => line.test(String(body.param)))?.[1] ?? 'gcode'
  return command
}

/** The queue ends the name of each file with the beginning of its copy's id. */
const COPY_ID = 8
const copyOf = ({ subtask_name: name }: Readonly<Record<string, unknown>>): string => String(name).slice(-COPY_ID)

interface Report {
  readonly gcode_state?: string
  readonly nozzle_temper?: number
  readonly nozzle_target_temper?: number
  readonly bed_temper?: number
  readonly bed_target_temper?: number
  readonly ams?: { readonly ams?: readonly { readonly dry_time?: number }[] }
}

const PRINTING = new Set(['PREPARE', 'RUNNING', 'PAUSE'])

export async function createMachine (
  { at, speed, minutes: [least, most], random, clock }: MachineOptions
): Promise<Machine> {
  /** Jobs whose file has the ejector's way in it. */
  const pushed = new Set<string>()
  const ejected = { done: 0, stuck: 0 }
  const acts: Act[] = []
  const beginnings: Beginning[] = []
  const judged = new Set<string>()
  let last: unknown
  let told: { readonly task: string, readonly at: number } | undefined
  let isOn = true

  const printer: VirtualPrinter = createVirtualPrinter({
    model: 'X1C',
    name: `x${at + 1}`,
    serial: `00M00A${String(at).padStart(9, '0')}`,
    ports: await printerPorts(),
    ams: ['AMS', 'AMS_HT'],
    speed,
    reportEveryMs: 100,
    async resolveJob (file) {
      const path = `/${String(file.url).replace(/^[a-z]+:\/\//i, '').replace(/^\/+/, '')}`
      const archive = await printer.card.get(path)
      const gcode = archive && readZip(archive).get('Metadata/plate_1.gcode')?.(MOST_BYTES).toString('utf8')
      if (gcode?.includes(PUSH) === true) pushed.add(String(file.task_id))
      return { layers: 20, minutes: least + random() * (most - least), bed: 60, end: random() < FAILS ? 'fail' : 'finish' }
    }
  })
  const ledger = keepLedger(printer)
  const report = () => printer.report() as Report

  function readActs (): void {
    const { requests } = printer
    const seen = last === undefined ? 0 : requests.lastIndexOf(last as never) + 1
    for (const { section, command, body } of requests.slice(seen)) {
      const kind = kindOf(section, command, body)
      if (kind === 'start') told = { task: String(body.task_id), at: Date.now() }
      if (kind !== undefined) acts.push({ at: clock.now(), on: printer.name, kind, ...kind === 'start' && { id: copyOf(body) } })
    }
    last = requests.at(-1)
  }

  /** The way of the ejector is the end of the print itself. */
  function eject (): void {
    for (const [print, result] of ledger.prints) {
      if (result === 'running' || judged.has(print)) continue
      judged.add(print)
      if (result !== 'finished' || !pushed.has(print)) continue
      const sticks = random() < STICKS
      ejected[sticks ? 'stuck' : 'done']++
      ledger.note(sticks ? 'the part sticks' : 'ejected')
      if (!sticks) ledger.clear()
    }
  }

  function look (): void {
    readActs()
    const [before, used] = [ledger.prints.size, ledger.onUsedPlate.length]
    ledger.look()
    const print = [...ledger.prints.keys()].at(-1) ?? ''
    if (ledger.prints.size > before) beginnings.push({ printer: printer.name, print, plate: ledger.onUsedPlate.length > used ? 'used' : 'clear' })
    eject()
  }

  const dries = ({ ams }: Report): boolean => ams?.ams?.some(({ dry_time: left = 0 }) => left > 0) === true

  return {
    printer,
    ledger,
    beginnings,
    acts,
    ejected,
    get isEmpty () { return ledger.isClear },
    get watts () {
      const of = report()
      if (!isOn) return STANDBY_W
      const heats = (of.bed_target_temper ?? 0) > 0 && (of.bed_temper ?? 0) < (of.bed_target_temper ?? 0)
      const bedW = heats ? HEAT_W : (of.bed_target_temper ?? 0) > 0 ? HEAT_W / 4 : 0
      return IDLE_W + bedW + ((of.nozzle_target_temper ?? 0) > 0 ? NOZZLE_W : 0) +
        (PRINTING.has(of.gcode_state ?? '') ? PRINT_W : 0) + (dries(of) ? DRY_W : 0)
    },
    look,
    async power (on) {
      if (on === isOn) return
      isOn = on
      ledger.isAway = !on
      ledger.note(on ? 'switched on' : 'switched off')
      await (on ? printer.start() : printer.stop())
    },
    cut (plug) {
      look()
      const of = report()
      const isAwaited = told !== undefined && !ledger.prints.has(told.task) && Date.now() - told.at < STARTS_WITHIN_MS
      return {
        plug,
        printer: printer.name,
        state: of.gcode_state ?? '',
        nozzleC: of.nozzle_temper ?? NaN,
        heats: (of.nozzle_target_temper ?? 0) > 0 || (of.bed_target_temper ?? 0) > 0,
        dries: dries(of),
        isStarting: isAwaited
      }
    }
  }
}
