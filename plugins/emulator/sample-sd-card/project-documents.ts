import type { Material, PlateScene, ProjectScene, Target } from './scene.js'
import { place, towerBounds } from './scene.js'
import { secondsOf } from './gcode.js'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const GCODE_RELATION = 'http://schemas.bambulab.com/package/2021/gcode'
const NOZZLE = '0.4'
const TOWER_ID = 1_000
const PLATE_KIND = 'textured_plate'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replace(/[&<>"]/g, character => ENTITIES[character] ?? '')
const item = (key: string, value: string | number): string => `    <metadata key="${key}" value="${escape(String(value))}"/>`

export const isSliced = ({ sliced = true }: PlateScene): boolean => sliced

export const contentTypes = DECLARATION +
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\n' +
  ' <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\n' +
  ' <Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>\n' +
  ' <Default Extension="png" ContentType="image/png"/>\n' +
  ' <Default Extension="gcode" ContentType="text/x.gcode"/>\n</Types>\n'

export const relations = (cover: number): string => DECLARATION +
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">\n' +
  ' <Relationship Target="/3D/3dmodel.model" Id="rel-1" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>\n' +
  ` <Relationship Target="/Metadata/plate_${cover}.png" Id="rel-2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail"/>\n` +
  '</Relationships>\n'

export const emptyModel = DECLARATION +
  '<model unit="millimeter" xml:lang="en-US" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">\n' +
  ' <metadata name="Application">BambuStudio-02.01.01.52</metadata>\n <resources>\n </resources>\n <build/>\n</model>\n'

export function plateJson (scene: PlateScene, { bed }: Target, { materials }: ProjectScene): string {
  const objects = place(scene, bed).map(({ name, bounds, width, depth }, at) => ({
    area: width * depth, bbox: bounds, id: 200 + at, layer_height: 0.2, name
  }))
  const tower = { area: 0, bbox: towerBounds(bed), id: TOWER_ID + scene.number - 1, layer_height: 0.2, name: 'wipe_tower' }
  const all = scene.tower ? [...objects, tower] : objects
  const corner = (at: number, pick: (...values: number[]) => number) => pick(...all.map(({ bbox }) => bbox[at] ?? 0))
  return JSON.stringify({
    bbox_all: [corner(0, Math.min), corner(1, Math.min), corner(2, Math.max), corner(3, Math.max)],
    bbox_objects: all,
    bed_type: PLATE_KIND,
    filament_colors: scene.filaments.map(id => colourOf(materials, id)),
    filament_ids: scene.filaments.map(id => id - 1),
    first_extruder: (scene.filaments[0] ?? 1) - 1,
    first_layer_time: 96.5,
    is_seq_print: false,
    nozzle_diameter: Number(NOZZLE),
    version: 2
  })
}

const colourOf = (materials: readonly Material[], id: number): string =>
  materials.find(material => material.id === id)?.color ?? '#808080'

function slicedPlate (scene: PlateScene, target: Target, { materials, extruders }: ProjectScene): string {
  const things = place(scene, target.bed)
  const share = scene.grams / Math.max(1, scene.filaments.length)
  return ['  <plate>',
    item('index', scene.number),
    item('extruder_type', target.extruders === 2 ? '0 0' : '0'),
    item('nozzle_volume_type', target.extruders === 2 ? '0 0' : '0'),
    item('printer_model_id', target.code),
    item('nozzle_diameters', target.extruders === 2 ? `${NOZZLE},${NOZZLE}` : NOZZLE),
    item('timelapse_type', 0),
    item('prediction', secondsOf(scene)),
    item('weight', scene.grams.toFixed(2)),
    item('outside', 'false'),
    item('support_used', 'false'),
    item('label_object_enabled', String(things.length > 1)),
    item('filament_maps', materials.map((_, at) => extruders?.[at] ?? target.extruders).join(' ')),
    ...things.map(({ id, name }) => `    <object identify_id="${id}" name="${escape(name)}" skipped="false" />`),
    ...materials.filter(({ id }) => scene.filaments.includes(id)).map(({ id, infoIdx, type, color }) =>
      `    <filament id="${id}" tray_info_idx="${infoIdx}" type="${type}" color="${color}" used_m="${(share / 3).toFixed(2)}" used_g="${share.toFixed(2)}" />`),
    '  </plate>'].join('\n')
}

export const sliceInfo = (project: ProjectScene, target: Target): string => [DECLARATION + '<config>',
  '  <header>',
  '    <header_item key="X-BBL-Client-Type" value="slicer"/>',
  '    <header_item key="X-BBL-Client-Version" value="02.01.01.52"/>',
  '  </header>',
  ...project.plates.filter(isSliced).map(scene => slicedPlate(scene, target, project)),
  '</config>', ''].join('\n')

const plateSettings = (scene: PlateScene): string => ['  <plate>',
  item('plater_id', scene.number),
  item('plater_name', scene.name),
  item('locked', 'false'),
  item('gcode_file', isSliced(scene) ? `Metadata/plate_${scene.number}.gcode` : ''),
  item('thumbnail_file', `Metadata/plate_${scene.number}.png`),
  item('thumbnail_no_light_file', `Metadata/plate_no_light_${scene.number}.png`),
  item('top_file', `Metadata/top_${scene.number}.png`),
  item('pick_file', `Metadata/pick_${scene.number}.png`),
  item('pattern_bbox_file', `Metadata/plate_${scene.number}.json`),
  '  </plate>'].join('\n')

export const modelSettings = ({ plates }: ProjectScene): string =>
  [DECLARATION + '<config>', ...plates.map(plateSettings), '</config>', ''].join('\n')

export const gcodeRelations = ({ plates }: ProjectScene): string => [DECLARATION +
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">',
...plates.filter(isSliced).map(({ number }) =>
  ` <Relationship Target="/Metadata/plate_${number}.gcode" Id="rel-${number}" Type="${GCODE_RELATION}"/>`),
'</Relationships>', ''].join('\n')

export function projectSettings ({ materials, extruders }: ProjectScene, target: Target): string {
  const { product, bed: [width, depth], extruders: count } = target
  const nozzles = new Array<string>(count).fill(NOZZLE)
  return JSON.stringify({
    printer_model: product,
    printer_settings_id: `${product} ${NOZZLE} nozzle`,
    printer_variant: NOZZLE,
    curr_bed_type: 'Textured PEI Plate',
    printable_area: ['0x0', `${width}x0`, `${width}x${depth}`, `0x${depth}`],
    printable_height: '256',
    nozzle_diameter: nozzles,
    filament_type: materials.map(({ type }) => type),
    filament_colour: materials.map(({ color }) => color),
    filament_ids: materials.map(({ infoIdx }) => infoIdx),
    filament_map: materials.map((_, at) => String(extruders?.[at] ?? count)),
    physical_extruder_map: count === 2 ? ['1', '0'] : ['0'],
    layer_height: '0.2',
    initial_layer_print_height: '0.2',
    wall_loops: '2',
    sparse_infill_density: '15%',
    enable_support: '0',
    support_type: 'tree(auto)',
    brim_type: 'auto_brim',
    brim_width: '5',
    raft_layers: '0',
    print_sequence: 'by layer'
  }, undefined, 4)
}
