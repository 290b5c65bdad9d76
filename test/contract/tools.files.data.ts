import { join } from 'node:path'
import type { ModelName } from '../../plugins/emulator/index.js'
import type { ToolCases } from './tools.cases.data.js'
import { fromSlots, startPrint } from './wire.js'

// What is asked of the tools for cards and the projects on them.

const CUBE = '/calibration-cube.gcode.3mf'
const DESK = '/desk-organiser.gcode.3mf'
const POT = '/cache/Blumentopf grün (v2).gcode.3mf'
const NOTES = '/cache/notes.3mf'
const LANTERN = '/model/lantern.3mf'
const CUBE_NAME = 'calibration-cube.gcode.3mf'
const GEARBOX = '/gearbox-two-nozzles.gcode.3mf'
const ROOT = { id: '/', name: '/' }

const SINGLE: readonly ModelName[] = ['A1_MINI', 'P1S', 'X1C']
const DUAL: readonly ModelName[] = ['H2D']
const WHITE: Readonly<Partial<Record<ModelName, number>>> = { A1_MINI: 3 }
const whiteOf = (model: ModelName): number => WHITE[model] ?? 1

const NO_LISTING = /^Failed to retrieve SD card contents$/
const failing = (doing: string): RegExp => new RegExp(`^Error ${doing} 'gone': .`)

const NO_PROJECT = ['/nothing.3mf', '/cache/', NOTES, LANTERN].map(path =>
  ({ args: { file_path: path }, error: new RegExp(`^Could not retrieve project info for '${path}'$`) }))

const picture: ToolCases = {
  good: [
    { args: { file_path: CUBE }, answer: { data_uri: /^data:image\/jpeg;base64,/, plate_num: 1, quality: 'standard', width: 360 } },
    { args: { file_path: DESK, plate_num: 2, quality: 'full' }, answer: { plate_num: 2, quality: 'full', width: 512 } },
    { args: { file_path: POT, quality: 'preview' }, answer: { quality: 'preview', width: 180 } },
    { args: { file_path: CUBE, plate_num: 9, quality: 'finest' }, answer: { quality: 'standard' } }
  ],
  bad: NO_PROJECT,
  gone: NO_LISTING
}

/** What is read move by move, of the files above. */
const plateCases = (good: ToolCases['good']): ToolCases => ({
  good,
  bad: [
    { args: { file_path: '/nothing.3mf', layer: 1 }, error: /^no_plate_file$/ },
    { args: { file_path: CUBE, plate_num: 4, layer: 1 }, error: /^no_sliced_plate$/ },
    { args: { file_path: NOTES, layer: 1 }, error: /^plate_unreadable$/ }
  ],
  gone: /./
})

const printed = (known: object) => ({ lives: true, answer: { success: true, ...known } })

export const FILES_CASES: Readonly<Record<string, ToolCases>> = {
  create_folder: {
    good: [{ args: { path: '/jobs/öl 1' }, answer: { path: '/jobs/öl 1', contents: ROOT } }],
    bad: ['/../x', '/a\nb', `/${'x'.repeat(256)}`].map(path => ({ args: { path }, error: /./ })),
    gone: failing('creating folder on')
  },
  delete_file: {
    good: [
      { args: { remote_path: '/old.3mf' }, has: { '/old.3mf': 'x' }, after: { '/old.3mf': null }, answer: { contents: ROOT } },
      {
        args: { remote_path: '/jobs/' },
        has: { '/jobs/a.3mf': 'a', '/jobs/deep/b.3mf': 'b' },
        after: { '/jobs/a.3mf': null, '/jobs/deep/b.3mf': null },
        answer: { contents: ROOT }
      }
    ],
    bad: [
      ...['/', '/..', '/a\nDELE /b'].map(path => ({ args: { remote_path: path }, error: /./ })),
      { args: { remote_path: '/nothing.3mf' }, error: /^File not found: \/nothing\.3mf$/ }
    ],
    gone: failing('deleting file on')
  },
  rename_sdcard_file: {
    good: [{
      args: { src_path: '/old.3mf', dest_path: '/timelapse/new.3mf' },
      has: { '/old.3mf': 'moved', '/timelapse/new.3mf': null },
      after: { '/old.3mf': null, '/timelapse/new.3mf': 'moved' }
    }],
    bad: [
      { args: { src_path: CUBE, dest_path: DESK }, error: / already exists$/ },
      { args: { src_path: CUBE, dest_path: '/../x' }, error: /./ },
      { args: { src_path: '/nothing.3mf', dest_path: '/x' }, error: /^File not found: \/nothing\.3mf$/ }
    ],
    gone: /^(Error renaming file on 'gone': .|Failed to retrieve SD card contents$)/
  },
  upload_file: {
    good: [{
      args: { local_path: '/nowhere', remote_path: '/timelapse/up.3mf' },
      own: (_printer, folder) => ({ local_path: join(folder, 'up.3mf') }),
      host: { has: { 'up.3mf': 'from the host' } },
      has: { '/timelapse/up.3mf': null },
      after: { '/timelapse/up.3mf': 'from the host' },
      answer: { contents: ROOT }
    }],
    bad: ['/etc/passwd', '/etc/nothing', '../../x'].map(path =>
      ({ args: { local_path: path, remote_path: '/x' }, error: /is outside the folders/ })),
    gone: /is outside the folders/
  },
  download_file: {
    good: [{
      args: { local_path: '/nowhere', remote_path: '/timelapse/down.3mf' },
      own: (_printer, folder) => ({ local_path: join(folder, 'down.3mf') }),
      has: { '/timelapse/down.3mf': 'from the card' },
      host: { has: { 'down.3mf': 'longer than what comes from the card' }, after: { 'down.3mf': 'from the card' } }
    }],
    bad: [{ args: { remote_path: CUBE, local_path: '/etc/passwd' }, error: /is outside the folders/ }],
    gone: /is outside the folders/
  },
  get_3mf_entry_by_id: {
    good: [
      { args: { target_id: CUBE }, answer: { entry: { id: CUBE, name: CUBE_NAME } } },
      { args: { target_id: '/cache/' }, answer: { entry: { children: [{ id: POT }, { id: NOTES }] } } }
    ],
    bad: ['/cache', '/verify_job', CUBE.toUpperCase()].map(id => ({ args: { target_id: id }, error: new RegExp(`^Not found: ${id}$`) })),
    gone: NO_LISTING
  },
  get_3mf_entry_by_name: {
    good: [{ args: { target_name: CUBE_NAME }, answer: { entry: { id: CUBE } } }],
    bad: ['verify_job', CUBE].map(name => ({ args: { target_name: name }, error: new RegExp(`^Not found: ${name}$`) })),
    gone: NO_LISTING
  },
  get_file_info: {
    good: [CUBE, CUBE_NAME].map(path => ({ args: { file_path: path }, answer: { file: { id: CUBE } } })),
    bad: [{ args: { file_path: '/nothing' }, error: /^File not found: \/nothing$/ }],
    gone: NO_LISTING
  },
  list_sdcard_files: {
    good: [
      { args: {}, answer: { path: '/', contents: { ...ROOT, children: [{ id: '/cache/' }] } } },
      { args: { path: '/cache/', cached: true }, answer: { contents: { id: '/cache/', children: [{ id: POT }, { id: NOTES }] } } },
      { args: { path: CUBE_NAME }, answer: { path: CUBE_NAME, contents: { id: CUBE } } }
    ],
    bad: [{ args: { path: '/nothing' }, error: /^Path not found: \/nothing$/ }],
    gone: NO_LISTING
  },
  refresh_sdcard: {
    good: [{ args: {}, answer: { mode: 'full' } }, { args: { mode: '3MF' }, answer: { mode: '3mf' } }],
    bad: [{ args: { mode: 'all' }, error: /^Unknown mode 'all'\. Must be 'full' or '3mf'\.$/ }],
    gone: NO_LISTING
  },
  get_project_info: {
    good: [
      { args: { file_path: CUBE }, answer: { id: CUBE, plates: [1], metadata: { topimg: /^\[/ } } },
      { args: { file_path: DESK, plate_num: 5, include_images: true }, answer: { plate_num: 5, metadata: { thumbnail: /^data:image/ } } },
      { args: { file_path: POT, plate_num: 3 }, answer: { plate_num: 1 } }
    ],
    bad: NO_PROJECT,
    gone: NO_LISTING
  },
  get_all_project_info: {
    good: [
      { args: { file_path: DESK }, answer: { result: [{ plate_num: 1 }, { plate_num: 2 }, { plate_num: 5 }] } },
      { args: { file_path: CUBE, include_images: true }, answer: { result: [{ metadata: { topimg: /^data:image/ } }] } }
    ],
    bad: NO_PROJECT,
    gone: NO_LISTING
  },
  get_current_job_project_info: {
    good: [
      { args: {}, while: 'printing', answer: { id: CUBE, plate_num: 1, metadata: { topimg: /^\[/ } } },
      { args: { include_images: true }, while: 'printing', answer: { metadata: { topimg: /^data:image/ } } }
    ],
    bad: [{ args: {}, error: /^no_active_job$/ }],
    gone: /^no_active_job$/
  },
  check_plate: plateCases([
    { args: { file_path: CUBE }, answer: { file: CUBE, plate: 1, verdict: 'Nothing speaks against printing it.', findings: [] } },
    {
      args: { file_path: DESK.slice(1), plate_num: 2 },
      answer: { file: DESK, plate: 2, filaments: [{ filament: 1 }, { filament: 2 }] }
    }
  ]),
  show_layer: plateCases([{ args: { file_path: CUBE, layer: 2 }, answer: { layer: 2, width: 1024 } }]),
  get_plate_thumbnail: picture,
  get_plate_topview: picture,
  open_plate_layout: {
    good: [
      { args: { file_path: DESK, plate_num: 2 }, answer: { success: true, plate: 2, objects: 4, unique_parts: 4, path: /\.png$/ } },
      { args: { file_path: CUBE }, models: ['A1_MINI'], answer: { bed_mm: /^180x180$/ } },
      { args: { file_path: CUBE }, models: DUAL, answer: { bed_mm: /^350x320$/ } }
    ],
    bad: NO_PROJECT,
    gone: NO_LISTING
  },
  open_plate_viewer: {
    good: [
      { args: { file_path: DESK, target_plate: 2 }, answer: { success: true, plates: 3, path: /\.html$/ } },
      { args: { file_path: CUBE }, answer: { plates: 1 } }
    ],
    bad: NO_PROJECT,
    gone: NO_LISTING
  },
  preview_ams_mapping: {
    good: [
      { args: { file_path: CUBE }, answer: { plate_num: 1, filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF' }], unmatched: [] } },
      { args: { file_path: DESK, plate_num: 5 }, answer: { error: /is not sliced/ } },
      { args: { file_path: GEARBOX }, models: DUAL, answer: { unmatched: [{ id: 2 }], error: /^No loaded/ } }
    ],
    gone: NO_LISTING
  },
  print_file: {
    good: [
      {
        args: { file_path: CUBE },
        ...printed({ bed_type: 'AUTO', use_ams: true, plate_num: 1 }),
        wire: model => [startPrint(model, CUBE_NAME, 1, { ...fromSlots(whiteOf(model)), bed_leveling: true })]
      },
      {
        args: {
          file_path: DESK,
          plate_num: 2,
          use_ams: false,
          ams_mapping: [1, 2],
          accept_mismatch: true,
          bed_type: 'Hot_Plate',
          bed_leveling: false
        },
        ...printed({ bed_type: 'HOT_PLATE', use_ams: true, ams_mapping: '[1, 2]' }),
        wire: model => [startPrint(model, 'desk-organiser.gcode.3mf', 2, { ...fromSlots(1, 2), bed_type: 'hot_plate' })]
      },
      {
        args: {
          file_path: CUBE,
          use_ams: false,
          bed_type: 'glass',
          bed_leveling: false,
          flow_calibration: true,
          timelapse: true
        },
        models: SINGLE,
        ...printed({ bed_type: 'AUTO', use_ams: false, ams_mapping: '', matches: [] }),
        wire: model => [startPrint(model, CUBE_NAME, 1, {
          use_ams: false,
          ams_mapping: [-1],
          ams_mapping2: [{ ams_id: 255, slot_id: 0 }],
          flow_cali: true,
          timelapse: true
        })]
      }
    ],
    bad: [
      { args: { file_path: CUBE, plate_num: 4 }, error: /no plate 4/ },
      { args: { file_path: DESK, plate_num: 5 }, error: /is not sliced/ },
      { args: { file_path: '/nothing.3mf' }, error: /cannot be read/ },
      { args: { file_path: CUBE, ams_mapping: '["1"]' }, error: /^ams_mapping must be a JSON list/ },
      { args: { file_path: DESK, plate_num: 2, ams_mapping: [1] }, error: /names no tray for filament 2/ },
      { args: { file_path: GEARBOX }, models: DUAL, error: /^No loaded spool fits filament id 2/ }
    ]
  }
}
