// Metrics of each printer. Labels have few, stable values: no job names, texts or colours.

import { activeFaults, type PrinterSession, type PrinterState } from '../../core/index.js'

/** A sample: values of the labels other than `printer`, and the value. */
export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number]

/** A metric of all printers. */
export interface PrinterFigure {
  readonly name: string
  readonly help: string
  /** In addition to `printer`. */
  readonly labels: readonly string[]
  /** Called for printers with current reports. */
  readonly read: (state: PrinterState, session: PrinterSession) => readonly Sample[]
}

const JOB_STATES = ['IDLE', 'PREPARE', 'RUNNING', 'PAUSE', 'FINISH', 'FAILED', 'SLICING', 'INIT'] as const
const OTHER = 'OTHER'
const SEVERITIES = ['Fatal', 'Error', 'Warning', 'Info'] as const

/** 1 for the current state, 0 for the others. */
export const stateSet = (label: string, states: readonly string[], now: string): Sample[] =>
  states.map(state => [{ [label]: state }, state === now ? 1 : 0])

function jobState ({ job: { gcodeState } }: PrinterState): Sample[] {
  const known = (JOB_STATES as readonly string[]).includes(gcodeState)
  return stateSet('state', [...JOB_STATES, OTHER], known ? gcodeState : OTHER)
}

const SIDES: Readonly<Record<number, string>> = { 0: 'nozzle_right', 1: 'nozzle_left' }

function temperatures ({ heat, extruders }: PrinterState, which: 'actual' | 'target'): Sample[] {
  const of = (part: string, value: number): Sample => [{ part }, value]
  const sides = extruders.filter(({ id }) => SIDES[id] !== undefined)
  return [
    of('bed', heat.bed[which]),
    ...(heat.chamber.sensor ? [of('chamber', heat.chamber[which])] : []),
    ...(sides.length > 1
      ? sides.map(({ id, temperature }) => of(SIDES[id] ?? '', temperature[which]))
      : [of('nozzle', heat.nozzle[which])])
  ]
}

const faults = ({ errors }: PrinterState): Sample[] => SEVERITIES.map(severity => [
  { severity: severity.toLowerCase() },
  activeFaults(errors.faults).filter(fault => fault.severity === severity).length
])

/** `ams 0 slot 2`, or `external 254`. */
const placeOf = ({ id, amsId, slot }: PrinterState['spools'][number]): string =>
  amsId < 0 ? `external ${id}` : `ams ${amsId} slot ${slot}`

const filaments = ({ spools }: PrinterState): Sample[] => spools
  .filter(({ present, remainingPercent }) => present && remainingPercent >= 0)
  .map(spool => [{ place: placeOf(spool) }, spool.remainingPercent / 100])

const one = (value: number): Sample[] => [[{}, value]]

export const PRINTER_FIGURES: readonly PrinterFigure[] = [
  {
    name: 'prnd_printer_info',
    help: 'Always 1; the label is the model',
    labels: ['model'],
    read: (_state, { model }) => [[{ model: model.model }, 1]]
  },
  { name: 'prnd_printer_state', help: '1 for the current state of the job', labels: ['state'], read: jobState },
  { name: 'prnd_print_progress_ratio', help: 'Progress, 0 to 1', labels: [], read: ({ job }) => one(job.percent / 100) },
  {
    name: 'prnd_print_remaining_seconds',
    help: 'Remaining time, as estimated by the printer',
    labels: [],
    read: ({ job }) => one(job.remainingMinutes * 60)
  },
  { name: 'prnd_print_layer', help: 'Current layer', labels: [], read: ({ job }) => one(job.layer) },
  { name: 'prnd_print_layers', help: 'Layers of the job', labels: [], read: ({ job }) => one(job.totalLayers) },
  {
    name: 'prnd_temperature_celsius',
    help: 'Measured temperature, by part',
    labels: ['part'],
    read: state => temperatures(state, 'actual')
  },
  {
    name: 'prnd_temperature_target_celsius',
    help: 'Target temperature, by part; 0 is off',
    labels: ['part'],
    read: state => temperatures(state, 'target')
  },
  {
    name: 'prnd_fan_ratio',
    help: 'Fan speed, 0 to 1',
    labels: ['fan'],
    read: ({ fans: { part, aux, exhaust, heatbreak } }) => Object.entries({ part, aux, exhaust, heatbreak })
      .map(([fan, percent]) => [{ fan }, percent / 100])
  },
  { name: 'prnd_printer_faults', help: 'Active faults by severity', labels: ['severity'], read: faults },
  { name: 'prnd_filament_remaining_ratio', help: 'Remaining filament, if known, 0 to 1', labels: ['place'], read: filaments },
  {
    name: 'prnd_ams_humidity_ratio',
    help: 'Relative humidity, if measured, 0 to 1',
    labels: ['unit'],
    read: ({ ams }) => ams.units.filter(({ humidityPercent }) => humidityPercent > 0)
      .map(({ id, humidityPercent }) => [{ unit: String(id) }, humidityPercent / 100])
  },
  {
    name: 'prnd_ams_temperature_celsius',
    help: 'Temperature in the unit, if measured',
    labels: ['unit'],
    read: ({ ams }) => ams.units.filter(({ temperatureC }) => temperatureC !== 0)
      .map(({ id, temperatureC }) => [{ unit: String(id) }, temperatureC])
  }
]
