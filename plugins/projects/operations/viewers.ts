import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Type } from 'typebox'
import {
  toSafeFileName, operation, UnsafeOutputPath, WriteFailed, writePrivateFile, type ModelInfo
} from '../../../core/index.js'
import { NoObjects, NoTopView, ProjectUnreadable } from '../errors.js'
import { drawLayout } from '../viewer/layout.js'
import { viewerPage, type ShownPlate } from '../viewer/page.js'
import { FilePath, pathOf, PlateNumber } from './read.js'

export const openViewer = operation({
  name: 'projects.openViewer',
  summary: 'Show all plates of a project on the host',
  effect: 'local',
  input: Type.Object({ file: FilePath, plate: Type.Optional(Type.Integer({ minimum: 1 })) }),
  output: Type.Object({
    success: Type.Boolean(),
    path: Type.String(),
    plates: Type.Integer(),
    opened: Type.Boolean({ description: 'false: no browser could be started on the host' })
  }),
  errors: [ProjectUnreadable, UnsafeOutputPath, WriteFailed],
  async run ({ kernel, services, session, signal, trusted }, { file, plate: target }) {
    const { projects } = services
    const [name, plates] = await projects.open(session, pathOf(file), async project => {
      const shown: ShownPlate[] = []
      for (const number of project.plates) {
        const plate = await project.plate(number)
        const images = { thumbnail: await project.image(number, 'thumbnail'), topimg: await project.image(number, 'topimg') }
        shown.push({ plate, images, bed: plate.bedMm ?? session.model.bedMm })
      }
      return [project.source.entry.name, shown] as const
    }, signal)
    const path = join(projects.folder, `prnd-plates-${toSafeFileName(session.name)}.html`)
    await writePrivateFile(path, kernel.redact(viewerPage(name, plates)))
    const anchor = target === undefined ? '' : `#plate-${target}`
    const opened = trusted && await projects.openBrowser(pathToFileURL(path).href + anchor)
    return { success: true, path, plates: plates.length, opened }
  }
})

/** The size of the model's group, as it is specified: the H2S and H2C are smaller than the others of theirs. */
export const groupBed = ({ series, bedMm: [width, depth] }: Pick<ModelInfo, 'series' | 'bedMm'>): string =>
  series === 'H2' ? '350x320' : `${width}x${depth}`

export const openLayout = operation({
  name: 'projects.openLayout',
  summary: 'Show on the host where the objects of a plate lie',
  effect: 'local',
  input: Type.Object({ file: FilePath, plate: Type.Optional(PlateNumber) }),
  output: Type.Object({
    success: Type.Boolean(),
    path: Type.String(),
    plate: Type.Integer(),
    objects: Type.Integer(),
    unique_parts: Type.Integer(),
    bed_mm: Type.String({ description: 'Width and depth, such as 256x256' }),
    opened: Type.Boolean(),
    png: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })
  }),
  errors: [ProjectUnreadable, NoTopView, NoObjects, UnsafeOutputPath, WriteFailed],
  async run ({ services, session, signal, trusted }, { file, plate: wanted = 1 }) {
    const { projects } = services
    const [plate, top] = await projects.open(session, pathOf(file), async project => {
      const number = project.nearest(wanted)
      return [await project.plate(number), await project.image(number, 'topimg')] as const
    }, signal)
    if (!top) throw new NoTopView()
    if (plate.boxes.length === 0) throw new NoObjects()
    const path = join(projects.folder, `prnd-plate-layout-${toSafeFileName(session.name)}-p${wanted}.png`)
    const png = await drawLayout(top, plate.boxes, plate.bedMm ?? session.model.bedMm)
    await writePrivateFile(path, png)
    return {
      success: true,
      path,
      plate: wanted,
      objects: plate.boxes.length,
      unique_parts: new Set(plate.boxes.map(({ name }) => name)).size,
      bed_mm: groupBed(session.model),
      png,
      opened: trusted && await projects.openBrowser(pathToFileURL(path).href)
    }
  }
})
