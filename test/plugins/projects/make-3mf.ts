import { writeZip, type Entry } from '../../../plugins/emulator/sample-sd-card/index.js'
import type { Filament } from '../../../plugins/projects/read/slice-info.js'

export interface MadePlate {
  readonly number: number
  readonly filaments?: readonly Filament[]
  /** Attributes of the plate's metadata beside its number. */
  readonly metadata?: Readonly<Record<string, string>>
  readonly objects?: readonly { readonly id: number, readonly name: string }[]
  readonly map?: unknown
  readonly sliced?: boolean
  /** What the printer is to do. */
  readonly gcode?: string
  /** Checksum of the G-code, as the archive states it. */
  readonly md5?: string
}

const text = (name: string, content: string): Entry => ({ name, content: Buffer.from(content) })

const plateXml = ({ number, filaments = [], metadata = {}, objects = [] }: MadePlate): string => `<plate>
  <metadata key="index" value="${number}"/>
  ${Object.entries(metadata).map(([key, value]) => `<metadata key="${key}" value="${value}"/>`).join('')}
  ${objects.map(({ id, name }) => `<object identify_id="${id}" name="${name}" skipped="false" />`).join('')}
  ${filaments.map(({ id, type, color }) => `<filament id="${id}" type="${type}" color="${color}" used_g="1,5"/>`).join('')}
</plate>`

/** The entries of an archive with these plates, and whatever else shall be in it. */
export function entriesOf (plates: readonly MadePlate[], settings: unknown = {}): Entry[] {
  const sliced = plates.filter(({ sliced = true }) => sliced)
  return [
    ...plates.map(({ number, map = { bbox_objects: [] } }) =>
      text(`Metadata/plate_${number}.json`, JSON.stringify(map))),
    ...sliced.map(({ number, gcode = `; total layer number: ${number}\nG28\n` }) =>
      text(`Metadata/plate_${number}.gcode`, gcode)),
    ...sliced.flatMap(({ number, md5 }) => md5 === undefined ? [] : [text(`Metadata/plate_${number}.gcode.md5`, md5)]),
    text('Metadata/project_settings.config', JSON.stringify(settings)),
    text('Metadata/slice_info.config', `<?xml version="1.0"?><config>${sliced.map(plateXml).join('')}</config>`)
  ]
}

export const make3mf = (plates: readonly MadePlate[], settings?: unknown): Buffer =>
  writeZip(entriesOf(plates, settings))
