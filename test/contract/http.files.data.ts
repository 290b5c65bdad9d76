import type { ModelName } from '../../plugins/emulator/index.js'
import type { BadCase, Case, RouteCases } from './http.cases.data.js'
import { fromSlots, startPrint } from './wire.js'

// What is asked of the routes about cards and the projects on them.

const CUBE = '/calibration-cube.gcode.3mf'
const DESK = '/desk-organiser.gcode.3mf'
const POT = '/cache/Blumentopf grün (v2).gcode.3mf'
/** Says of itself that it is a project. */
const NOTES = '/cache/notes.3mf'
/** A project that was never sliced. */
const LANTERN = '/model/lantern.3mf'
const CUBE_NAME = 'calibration-cube.gcode.3mf'
const ROOT = { id: '/', name: '/' }

const SINGLE: readonly ModelName[] = ['A1_MINI', 'P1S', 'X1C']
const DUAL: readonly ModelName[] = ['H2D']

/** Where each printer's first unit holds the white PLA. */
const WHITE: Readonly<Partial<Record<ModelName, number>>> = { A1_MINI: 3 }
const whiteOf = (model: ModelName): number => WHITE[model] ?? 1

/** Paths that lead nowhere or elsewhere, and names that no card takes. */
const BAD_PATHS = ['/../x', '/a/../../b', '/a\nDELE /b', '/a\tb', `/${'x'.repeat(256)}`]

const listing = (projectsOnly: boolean): RouteCases => ({
  good: [
    { params: {}, answer: { ...ROOT, children: [{ id: '/cache/', name: 'cache' }] } },
    { params: { cached: true }, answer: ROOT },
    { params: {}, has: { '/extra.txt': 'x', '/extra.3mf': 'y' }, answer: ROOT },
    ...(projectsOnly
      ? [{ params: { cached: 'false' }, answer: { children: [{ children: [{ id: POT }, { id: NOTES }] }] } }]
      : [])
  ],
  gone: 'no card'
})
const refreshing: RouteCases = { good: [{ params: {} }], gone: 'no card' }

/** @param unreadable the reason for files that are there and hold no project, where it is another one */
const missing = (param: string, reason: RegExp, unreadable = reason): readonly BadCase[] => [
  ...['/nothing.3mf', '/cache/'].map(file => ({ params: { [param]: file }, reason, status: 404 })),
  ...[NOTES, LANTERN].map(file => ({ params: { [param]: file }, reason: unreadable, status: 404 }))
]
const NO_PROJECT = missing('file', /^Could not retrieve project info for '\/.+'$/)

const picture: RouteCases = {
  good: [
    { params: { file: CUBE } },
    { params: { file: DESK, plate: 2, quality: 'full' } },
    { params: { file: POT, quality: 'preview' } },
    { params: { file: CUBE.slice(1), plate: 9, quality: 'finest' } }
  ],
  bad: [
    ...NO_PROJECT,
    { params: { file: '' }, reason: /file/ }
  ],
  gone: 'no card'
}

const download: RouteCases = {
  good: [
    { params: { src: '/timelapse/a b ü.txt' }, has: { '/timelapse/a b ü.txt': 'line 1\nline 2\n' }, content: 'line 1\nline 2\n' },
    { params: { src: '/empty' }, has: { '/empty': '' }, content: '' }
  ],
  bad: [
    ...['', '/', '/cache/', '../x', '/cache/../x', '/cache/.', '/a\tb'].map(src =>
      ({ params: { src }, reason: /^invalid src filename$/ })),
    { params: { src: '/nothing.3mf' }, reason: /^File not found: \/nothing\.3mf$/, status: 404 },
    { params: { src: '/cache' }, reason: /^File not found: \/cache$/, status: 404 }
  ],
  gone: 'no card'
}

/** What is read move by move, of the files above. */
const plateCases = (good: readonly Case[]): RouteCases => ({
  good,
  bad: [
    ...['/nothing.3mf', '/nothing.gcode'].map(file =>
      ({ params: { file, layer: 1 }, reason: new RegExp(`^There is no file '${file}'`), status: 404 })),
    { params: { file: CUBE, plate: 4, layer: 1 }, reason: /holds no sliced plate 4: it has plate 1\./, status: 404 },
    { params: { file: DESK, plate: 5, layer: 1 }, reason: /holds no sliced plate 5: it has plates 1, 2\./, status: 404 },
    { params: { file: LANTERN, layer: 1 }, reason: /holds no sliced plate 1: it has none\./, status: 404 },
    { params: { file: NOTES, layer: 1 }, reason: /cannot be read: it is no archive/ }
  ],
  gone: 'no card'
})

const upload: RouteCases = {
  good: ['part.3mf', '../../part.3mf', 'öl (1).3mf'].map(name => ({
    params: { myFile: { name, content: 'a part' } },
    answer: { status: 'success', filename: name.replace(/^.*\//, '') }
  })),
  bad: [
    ...['..', ' ', 'a:b', 'x'.repeat(256)].map(name =>
      ({ params: { myFile: { name, content: 'x' } }, reason: /^invalid filename$/ })),
    { params: { other: { name: 'part.3mf', content: 'x' } }, reason: /^no file in request$/ },
    { params: {}, reason: /^no file in request$/ },
    { params: { myFile: { name: 'big', content: 'x'.repeat(1024 ** 2 + 1) } }, reason: /^file too large$/, status: 413 }
  ]
}

const found = (key: string, value: string): Case =>
  ({ params: { [key]: value }, answer: { entry: { id: CUBE, name: CUBE_NAME } } })
const notFound = (key: string, value: string): Case =>
  ({ params: { [key]: value }, instead: { error: `Not found: ${value}` } })

export const FILES_CASES: Readonly<Record<string, RouteCases>> = {
  'GET /api/find_3mf_by_id': {
    good: [
      found('id', CUBE), { params: { id: '/cache/' }, answer: { entry: { children: [{ id: POT }, { id: NOTES }] } } },
      notFound('id', '/cache'), notFound('id', CUBE.toUpperCase())
    ],
    bad: [{ params: { id: '' }, reason: /^id parameter required$/ }],
    gone: 'no card'
  },
  'GET /api/find_3mf_by_name': {
    good: [found('name', CUBE_NAME), notFound('name', 'verify_job'), notFound('name', CUBE)],
    bad: [{ params: { name: '' }, reason: /^name parameter required$/ }],
    gone: 'no card'
  },
  'GET /api/get_sdcard_contents': listing(false),
  'GET /api/get_sdcard_3mf_files': listing(true),
  'POST /api/refresh_sdcard_contents': refreshing,
  'POST /api/refresh_sdcard_3mf_files': refreshing,
  'GET /api/get_file_info': {
    good: [CUBE, CUBE_NAME].map(file => ({ params: { file }, answer: { file: { id: CUBE, name: CUBE_NAME } } })),
    bad: ['/nothing', '/cache', CUBE_NAME.toUpperCase()].map(file =>
      ({ params: { file }, reason: new RegExp(`^File not found: ${file}$`), status: 404 })),
    gone: 'no card'
  },
  'POST /api/make_sdcard_directory': {
    good: [
      { params: { dir: '/jobs/öl 1' }, has: {}, answer: ROOT },
      { params: { dir: '/jobs/öl 1/' }, has: {}, answer: ROOT },
      { params: { dir: 'other' }, has: {}, answer: ROOT }
    ],
    bad: BAD_PATHS.map(dir => ({ params: { dir }, reason: /./ })),
    gone: 'no card'
  },
  'PATCH /api/rename_sdcard_file': {
    good: [{
      params: { src: '/old.3mf', dest: '/timelapse/new.3mf' },
      has: { '/old.3mf': 'moved', '/timelapse/new.3mf': null },
      after: { '/old.3mf': null, '/timelapse/new.3mf': 'moved' },
      answer: ROOT
    }],
    bad: [
      ...BAD_PATHS.map(dest => ({ params: { src: CUBE, dest }, reason: /./ })),
      { params: { src: CUBE, dest: DESK }, reason: / already exists$/ },
      { params: { src: '/nothing.3mf', dest: '/x.3mf' }, reason: /^File not found: \/nothing\.3mf$/, status: 404 }
    ],
    gone: 'no card'
  },
  'DELETE /api/delete_sdcard_file': {
    good: [
      { params: { file: '/old.3mf' }, has: { '/old.3mf': 'x' }, after: { '/old.3mf': null }, answer: ROOT },
      {
        params: { file: '/jobs/' },
        has: { '/jobs/a.3mf': 'a', '/jobs/deep/b.3mf': 'b' },
        after: { '/jobs/a.3mf': null, '/jobs/deep/b.3mf': null },
        answer: ROOT
      }
    ],
    bad: [
      ...['', '/'].map(file => ({ params: { file }, reason: /^file is required$/ })),
      ...['/..', '/a\nDELE /b'].map(file => ({ params: { file }, reason: /./ })),
      { params: { file: '/nothing.3mf' }, reason: /^File not found: \/nothing\.3mf$/, status: 404 }
    ],
    gone: 'no card'
  },
  'GET /api/download_file_from_printer': download,
  'POST /api/download_file_from_printer': download,
  'POST /api/upload_file_to_host': upload,
  // A request of this kind brings no body.
  'GET /api/upload_file_to_host': { good: [], bad: [{ params: {}, reason: /^no file in request$/ }] },
  'POST /api/upload_file_to_printer': {
    good: [{
      params: { src: 'part.3mf', dest: '/timelapse/part.3mf' },
      has: { '/timelapse/part.3mf': null },
      after: { '/timelapse/part.3mf': 'a part' },
      answer: ROOT
    }],
    bad: [
      ...['', '..', '../part.3mf', '/part.3mf', 'a:b'].map(src =>
        ({ params: { src, dest: '/x.3mf' }, reason: /^invalid src filename$/ })),
      ...BAD_PATHS.map(dest => ({ params: { src: 'part.3mf', dest }, reason: /./ })),
      { params: { src: 'nothing.3mf', dest: '/x.3mf' }, reason: /^File not found: nothing\.3mf$/, status: 404 }
    ],
    gone: 'no card'
  },

  'GET /api/get_3mf_props_for_file': {
    good: [
      { params: { file: CUBE }, answer: { id: CUBE, plate_num: 1, plates: [1], metadata: { topimg: /^data:image/ } } },
      { params: { file: DESK, plate: 5 }, answer: { plate_num: 5, plates: [1, 2, 5] } },
      { params: { file: POT, plate: 3 }, answer: { plate_num: 1, metadata: { filament: [{ type: 'PETG' }] } } }
    ],
    bad: [...missing('file', /^No file found$/, /^'\/.+' cannot be read as a project: /), { params: { file: '' }, reason: /file/ }],
    gone: 'no card'
  },
  'GET /api/get_all_3mf_props_for_file': {
    good: [
      { params: { file: DESK }, answer: [1, 2, 5].map(number => ({ plate_num: number, metadata: { topimg: /^\[/ } })) as never },
      { params: { file: CUBE, include_images: true }, answer: [{ metadata: { topimg: /^data:image/ } }] as never }
    ],
    bad: NO_PROJECT,
    gone: 'no card'
  },
  'GET /api/get_current_3mf_props': {
    good: [{ params: {}, while: 'printing', answer: { status: 'success', id: CUBE, plate_num: 1 } }],
    gone: 'no project'
  },
  'GET /api/plate_thumbnail': picture,
  'GET /api/plate_topview': picture,
  'GET /api/toolpath/summary': plateCases([
    {
      params: { file: CUBE },
      answer: { file: CUBE, plate: 1, md5: 'right', stops: 0, warnings: 0, filaments: [{ filament: 1 }] }
    },
    {
      params: { file: DESK.slice(1), plate: 2 },
      answer: { file: DESK, plate: 2, filaments: [{ filament: 1 }, { filament: 2 }] }
    }
  ]),
  'GET /api/toolpath/layers': plateCases([
    { params: { file: CUBE }, answer: { file: CUBE, plate: 1, layers: [{ layer: 0 }, { layer: 1 }] } },
    { params: { file: CUBE, layer: '3-4' }, answer: { layers: [{ layer: 3 }, { layer: 4 }] } },
    { params: { file: CUBE, layer: '999-' }, answer: { layers: [] } }
  ]),
  'GET /api/toolpath/objects': plateCases([
    { params: { file: CUBE }, answer: { file: CUBE, plate: 1, from_layer: 1, is_known: true } },
    { params: { file: DESK, plate: 2, from_layer: 30 }, answer: { plate: 2, from_layer: 30 } }
  ]),
  // Of files that are read now; about others the card is not asked.
  'GET /api/toolpath/progress': {
    good: [
      { params: { file: CUBE }, answer: { is_reading: false, bytes: 0, total: 0 } },
      { params: { file: '/nothing.3mf', plate: 3 }, answer: { is_reading: false } }
    ],
    gone: 'works'
  },
  'GET /api/toolpath/picture': plateCases([{ params: { file: CUBE, layer: 2 } }]),
  'GET /api/toolpath/track': plateCases([{ params: { file: CUBE, layer: '2' } }, { params: { file: DESK, plate: 2 } }]),
  'GET /api/preview_ams_mapping': {
    good: [
      {
        params: { file: CUBE },
        answer: { file_path: CUBE, plate_num: 1, filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF' }], unmatched: [] }
      },
      { params: { file: DESK, plate: 5 }, answer: { error: /is not sliced/ } },
      { params: { file: '/nothing.3mf' }, answer: { filaments: [], resolved_ams_mapping: [], error: /cannot be read/ } },
      { params: { file: '/gearbox-two-nozzles.gcode.3mf' }, models: DUAL, answer: { unmatched: [{ id: 2 }], error: /^No loaded/ } }
    ],
    gone: 'no card'
  },
  'POST /api/print_3mf': {
    good: [
      {
        params: { filename: CUBE, use_ams: true },
        lives: true,
        way: 'query',
        wire: model => [startPrint(model, CUBE_NAME, 1, fromSlots(whiteOf(model)))]
      },
      {
        params: { filename: CUBE, use_ams: false, plate: 'TEXTURED_PLATE', bl: true, flow: 'true', tl: true },
        models: SINGLE,
        lives: true,
        way: 'form',
        wire: model => [startPrint(model, CUBE_NAME, 1, {
          use_ams: false,
          ams_mapping: [-1],
          ams_mapping2: [{ ams_id: 255, slot_id: 0 }],
          bed_type: 'textured_plate',
          bed_leveling: true,
          flow_cali: true,
          timelapse: true
        })]
      },
      {
        params: { filename: DESK, platenum: 2, use_ams: true, ams_mapping: '[1, 2]', accept_mismatch: true },
        lives: true,
        way: 'json',
        wire: model => [startPrint(model, 'desk-organiser.gcode.3mf', 2, fromSlots(1, 2))]
      }
    ],
    bad: [
      { params: { filename: CUBE, use_ams: true, platenum: 4 }, reason: /no plate 4/ },
      { params: { filename: DESK, use_ams: true, platenum: 5 }, reason: /is not sliced/ },
      { params: { filename: '/nothing.3mf', use_ams: true }, reason: /cannot be read/ },
      { params: { filename: NOTES, use_ams: true }, reason: /cannot be read/ },
      { params: { filename: '', use_ams: true }, reason: /filename/ },
      ...['[', '{}', '["1"]', '[999]', '[1.5]'].map(mapping =>
        ({ params: { filename: CUBE, use_ams: true, ams_mapping: mapping }, reason: /^ams_mapping must be a JSON list/ })),
      { params: { filename: DESK, platenum: 2, use_ams: true, ams_mapping: '[1]' }, reason: /names no tray for filament 2/ },
      {
        params: { filename: '/gearbox-two-nozzles.gcode.3mf', use_ams: true },
        models: DUAL,
        reason: /^No loaded spool fits filament id 2/
      }
    ],
    gone: 'refused'
  }
}
