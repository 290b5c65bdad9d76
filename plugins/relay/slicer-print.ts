import type { Command } from '../../core/index.js'

/** What a slicer asks to be printed. */
export interface SlicerPrint {
  /** Path on the card that the slicer sees. */
  readonly path: string
  readonly plate: number
  readonly options: {
    readonly job_name?: string
    readonly bed_type?: PlateType
    readonly bed_leveling: boolean
    readonly flow_calibration: boolean
    readonly timelapse: boolean
  }
}

const SCHEME = /^(ftp:\/\/|file:\/\/(\/sdcard|\/mnt\/sdcard|\/media\/usb0)?)/
const PLATE = /plate_(\d{1,4})\.gcode$/
const PLATE_TYPES = ['cool_plate', 'eng_plate', 'hot_plate', 'textured_plate'] as const
type PlateType = typeof PLATE_TYPES[number]
const LONGEST_NAME = 100

const text = (value: unknown): string => typeof value === 'string' ? value : ''
const isOn = (...values: unknown[]): boolean => values.some(value => value === true || value === 1)

/**
 * Parses `project_file` as sent by slicers.
 * @returns undefined if it names no file or plate
 */
export function readSlicerPrint (command: Command): SlicerPrint | undefined {
  const plate = Number(PLATE.exec(text(command.param))?.[1])
  const named = text(command.url).replace(SCHEME, '') || text(command.file)
  if (!(plate >= 1) || named.replaceAll('/', '') === '') return undefined
  const name = text(command.subtask_name).trim().slice(0, LONGEST_NAME)
  const bed = PLATE_TYPES.find(type => type === command.bed_type)
  return {
    path: `/${named.replace(/^\/+/, '')}`,
    plate,
    options: {
      ...(name !== '' && { job_name: name }),
      ...(bed && { bed_type: bed }),
      bed_leveling: isOn(command.bed_leveling, command.bed_levelling, command.auto_bed_leveling),
      flow_calibration: isOn(command.flow_cali),
      timelapse: isOn(command.timelapse)
    }
  }
}
