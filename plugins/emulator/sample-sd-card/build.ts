import { createHash } from 'node:crypto'
import {
  contentTypes, emptyModel, gcodeRelations, isSliced, modelSettings, plateJson, projectSettings, relations, sliceInfo
} from './project-documents.js'
import { toolpathGcode } from './gcode.js'
import { drawPlatePictures } from './pictures.js'
import type { PlateScene, ProjectScene, Target } from './scene.js'
import { writeZip, type Entry } from './zip.js'

const entry = (name: string, content: Buffer | string): Entry => ({ name, content: Buffer.from(content as string) })
const checksum = (text: string): string => createHash('md5').update(text).digest('hex').toUpperCase()

function pictures (scene: PlateScene, target: Target, { materials }: ProjectScene): Entry[] {
  const { plate, small, unlit, top, pick } = drawPlatePictures(scene, target, materials)
  const { number } = scene
  return [
    entry(`Metadata/plate_${number}.png`, plate),
    entry(`Metadata/plate_${number}_small.png`, small),
    entry(`Metadata/plate_no_light_${number}.png`, unlit),
    entry(`Metadata/top_${number}.png`, top),
    entry(`Metadata/pick_${number}.png`, pick)
  ]
}

function paths (scene: PlateScene, target: Target, { materials }: ProjectScene): Entry[] {
  const gcode = toolpathGcode(scene, target, materials)
  const name = `Metadata/plate_${scene.number}.gcode`
  return [entry(`${name}.md5`, checksum(gcode)), entry(name, gcode)]
}

/** An archive as a slicer exports it, parts in the order that slicers write them. */
export function buildProject (project: ProjectScene, target: Target): Buffer {
  const { plates } = project
  const sliced = plates.filter(isSliced)
  return writeZip([
    entry('[Content_Types].xml', contentTypes),
    ...plates.flatMap(scene => pictures(scene, target, project)),
    ...plates.map(scene => entry(`Metadata/plate_${scene.number}.json`, plateJson(scene, target, project))),
    entry('3D/3dmodel.model', emptyModel),
    entry('Metadata/project_settings.config', projectSettings(project, target)),
    ...sliced.flatMap(scene => paths(scene, target, project)),
    entry('Metadata/_rels/model_settings.config.rels', gcodeRelations(project)),
    entry('Metadata/model_settings.config', modelSettings(project)),
    entry('Metadata/slice_info.config', sliceInfo(project, target)),
    entry('_rels/.rels', relations(plates[0]?.number ?? 1))
  ])
}
