import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import { dataUri } from './images.js'
import { mappingIn } from './mapping/caller-mapping.js'
import { previewMapping } from './operations/mapping.js'
import { giveUpStart } from './operations/give-up.js'
import { acceptedIn } from './findings/accepted-in.js'
import { AcceptFindings } from './schemas.js'
import { printFile } from './operations/print.js'
import { readAll, readInfo, readJobInfo, readThumbnail, readTopView } from './operations/read.js'
import { openLayout, openViewer } from './operations/viewers.js'
import { PLATE_TYPES } from './print/project-file.js'

const File = Type.String()
const Plate = Type.Optional(Type.Integer({ minimum: 1, default: 1 }))
const Images = Type.Optional(Type.Boolean({ default: false }))
const Quality = Type.Optional(Type.String({ default: 'standard', description: 'preview, standard, full' }))

const Mapping = (description: string) => Type.Optional(
  Type.Union([Type.String(), Type.Array(Type.Integer())], { title: 'a JSON list', description }))

const FileAndPlate = Type.Object({ file_path: File, plate_num: Plate })
const fileAndPlate = ({ file_path: file, plate_num: plate = 1 }: { file_path: string, plate_num?: number }) =>
  ({ file, plate })

const picture = (operation: typeof readThumbnail, name: string) => tool(operation, {
  name,
  closedWorld: false,
  shows: 'sized',
  full: ['quality'],
  params: Type.Object({ file_path: File, plate_num: Plate, quality: Quality }),
  input: ({ quality = 'standard', ...params }) => ({ ...fileAndPlate(params), quality }),
  answer: Type.Object({
    data_uri: Type.String({ description: 'The picture, scaled down until it fits' }),
    plate_num: operation.output.properties.plate,
    ...Type.Pick(operation.output, ['quality', 'width', 'height']).properties
  }),
  result: ({ jpeg, plate, quality, width, height }) =>
    ({ data_uri: dataUri('image/jpeg', jpeg), plate_num: plate, quality, width, height })
})

const plateType = (text: string) => PLATE_TYPES.find(known => known === text.toLowerCase()) ?? 'auto'

export default [
  tool(readInfo, {
    name: 'get_project_info',
    closedWorld: false,
    shows: 'pictures',
    full: ['include_images'],
    params: Type.Object({ file_path: File, plate_num: Plate, include_images: Images }),
    input: ({ include_images: images = false, ...params }) => ({ ...fileAndPlate(params), images })
  }),
  tool(readAll, {
    name: 'get_all_project_info',
    absent: 'object',
    closedWorld: false,
    shows: 'pictures',
    full: ['include_images'],
    params: Type.Object({ file_path: File, include_images: Images }),
    input: ({ file_path: file, include_images: images = false }) => ({ file, images })
  }),
  tool(readJobInfo, {
    name: 'get_current_job_project_info',
    closedWorld: false,
    shows: 'pictures',
    full: ['include_images'],
    params: Type.Object({ include_images: Images }),
    input: ({ include_images: images = false }) => ({ images })
  }),
  picture(readThumbnail, 'get_plate_thumbnail'),
  picture(readTopView, 'get_plate_topview'),
  tool(openLayout, {
    name: 'open_plate_layout',
    effect: 'read',
    idempotent: false,
    closedWorld: false,
    shows: 'sized',
    params: FileAndPlate,
    input: fileAndPlate,
    pictures: ({ png }) => [{ bytes: png }],
    answer: Type.Omit(openLayout.output, ['png']),
    result: ({ png: _png, ...said }) => said
  }),
  tool(openViewer, {
    name: 'open_plate_viewer',
    effect: 'read',
    idempotent: false,
    closedWorld: false,
    params: Type.Object({ file_path: File, target_plate: Type.Optional(Type.Integer({ minimum: 1 })) }),
    input: ({ file_path: file, target_plate: plate }) => ({ file, ...(plate !== undefined && { plate }) })
  }),
  tool(previewMapping, {
    name: 'preview_ams_mapping',
    title: 'Preview AMS Mapping',
    structured: true,
    closedWorld: false,
    params: Type.Object({
      ...FileAndPlate.properties,
      ams_mapping: Mapping('To judge'),
      use_ams: Type.Optional(Type.Boolean({ default: true, description: 'false: from the external holder' })),
      bed_type: Type.Optional(Type.Enum(PLATE_TYPES, { default: 'auto', description: 'Build plate' }))
    }),
    input: ({ ams_mapping: given, use_ams: useAms = true, bed_type: plateType = 'auto', ...params }) =>
      ({ ...fileAndPlate(params), useAms, plateType, ...mappingIn(given) })
  }),
  tool(printFile, {
    name: 'print_file',
    doing: 'starting print on <name>',
    idempotent: false,
    params: Type.Object({
      file_path: File,
      plate_num: Plate,
      bed_type: Type.Optional(Type.String({ default: 'auto', description: `${PLATE_TYPES.join(', ')}` })),
      use_ams: Type.Optional(Type.Boolean({ default: true })),
      ams_mapping: Mapping('As preview_ams_mapping gives it; forces use_ams'),
      accept_mismatch: Type.Optional(Type.Boolean({ default: false, description: 'Despite warnings with needs_accept' })),
      accept_findings: AcceptFindings,
      timelapse: Type.Optional(Type.Boolean({ default: false })),
      bed_leveling: Type.Optional(Type.Boolean({ default: true })),
      flow_calibration: Type.Optional(Type.Boolean({ default: false }))
    }),
    input: params => {
      const given = mappingIn(params.ams_mapping)
      return {
        ...fileAndPlate(params),
        plateType: plateType(params.bed_type ?? 'auto'),
        useAms: given.mapping !== undefined || (params.use_ams ?? true),
        ...given,
        acceptMismatch: params.accept_mismatch ?? false,
        ...acceptedIn(params.accept_findings),
        leveling: params.bed_leveling ?? true,
        flow: params.flow_calibration ?? false,
        timelapse: params.timelapse ?? false
      }
    },
    answer: Type.Object({ success: Type.Boolean(), ...printFile.output.properties }),
    result: output => ({ success: true, ...output })
  }),
  tool(giveUpStart, {
    name: 'give_up_start',
    onRequest: true,
    description: 'Wait no longer for a start that the printer accepted and does not show',
    errors: 'coded',
    params: Type.Object({}),
    input: () => ({})
  })
]
