import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Placement } from '../models/index.js'
import { gcodeHeader, modelSettings, plateRecord, projectSettings, sliceInfo, type PlateDescription } from './plate-description.js'
import { copyGcode, type GcodeFacts } from './read-gcode.js'

const CONTENT_TYPES = '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>' +
  '<Default Extension="png" ContentType="image/png"/>' +
  '<Default Extension="gcode" ContentType="text/x.gcode"/></Types>\n'
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const rels = (entries: readonly (readonly [target: string, type: string])[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Relationships xmlns="${RELATIONSHIPS}">` +
  entries.map(([target, type], at) => `<Relationship Target="${target}" Id="rel-${at + 1}" Type="${type}"/>`).join('') +
  '</Relationships>\n'
const BAMBU = 'http://schemas.bambulab.com/package/2021'
const ROOT_RELS = rels([
  ['/3D/3dmodel.model', 'http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel'],
  ['/Metadata/plate_1.png', 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail'],
  ['/Metadata/plate_1.png', `${BAMBU}/cover-thumbnail-middle`],
  ['/Metadata/plate_1_small.png', `${BAMBU}/cover-thumbnail-small`]
])
const GCODE_RELS = rels([['/Metadata/plate_1.gcode', `${BAMBU}/gcode`]])
/** A sliced file holds no shapes. */
const NO_SHAPES = '<?xml version="1.0" encoding="UTF-8"?>\n<model unit="millimeter" xml:lang="en-US" ' +
  'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources/><build/></model>\n'

export interface PlateFile {
  readonly path: string
  readonly facts: GcodeFacts
}

/** The archive that printers take: toolpaths with their checksum, pictures, and what readers want to know. */
export async function writePlate (
  gcode: string, { pictures }: Pick<Placement, 'pictures'>, plate: PlateDescription, folder: string, signal: AbortSignal
): Promise<PlateFile> {
  const body = join(folder, 'marked.gcode')
  const ids = new Map(plate.instances.map(({ file, id }) => [basename(file), id]))
  const facts = await copyGcode(gcode, body, ids, signal)
  const header = Buffer.from(gcodeHeader(plate, facts))
  async function * toolpaths () {
    yield header
    yield * createReadStream(body)
  }
  const md5 = createHash('md5')
  for await (const chunk of toolpaths()) md5.update(chunk as Buffer)

  const zip = new ZipFile()
  const text = (name: string, content: string) => zip.addBuffer(Buffer.from(content), name)
  const picture = (name: string, file: string) => zip.addFile(file, name, { compress: false })
  text('[Content_Types].xml', CONTENT_TYPES)
  text('_rels/.rels', ROOT_RELS)
  text('3D/3dmodel.model', NO_SHAPES)
  picture('Metadata/plate_1.png', pictures.plate)
  picture('Metadata/plate_no_light_1.png', pictures.plate)
  picture('Metadata/plate_1_small.png', pictures.small)
  picture('Metadata/top_1.png', pictures.top)
  picture('Metadata/pick_1.png', pictures.pick)
  text('Metadata/plate_1.json', JSON.stringify(plateRecord(plate)))
  text('Metadata/project_settings.config', JSON.stringify(projectSettings(plate), null, 1))
  zip.addReadStream(Readable.from(toolpaths()), 'Metadata/plate_1.gcode')
  text('Metadata/plate_1.gcode.md5', md5.digest('hex').toUpperCase())
  text('Metadata/slice_info.config', sliceInfo(plate, facts))
  text('Metadata/model_settings.config', modelSettings(plate))
  text('Metadata/_rels/model_settings.config.rels', GCODE_RELS)
  zip.end()
  const path = join(folder, 'plate.gcode.3mf')
  await pipeline(zip.outputStream as unknown as Readable, createWriteStream(path, { mode: 0o600 }), { signal })
  return { path, facts }
}
