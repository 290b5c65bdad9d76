import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import t from 'tap'
import { traitsOf } from '../../../plugins/emulator/models/index.js'
import { buildProject, targetOf } from '../../../plugins/emulator/sample-sd-card/index.js'
import { eventually } from '../../helpers/eventually.js'
import { bootProjects } from './boot.js'

const PATH = '/badges.gcode.3mf'

const badges = buildProject({
  path: PATH,
  materials: [{ id: 1, type: 'PLA', color: '#FFFFFF', infoIdx: 'GFA00' }, { id: 2, type: 'PLA', color: '#0A2989', infoIdx: 'GFA00' }],
  plates: [
    { number: 1, name: 'Stand', things: [{ name: 'stand', shape: 'block', x: 0, y: 0, width: 40, depth: 20, height: 8, filament: 1 }], filaments: [1], minutes: 9, layers: 40, grams: 5 },
    {
      number: 2,
      name: 'Badges',
      things: [
        { name: 'badge', shape: 'round', x: -30, y: 0, width: 40, depth: 40, height: 3, filament: 1 },
        { name: 'badge', shape: 'round', x: 30, y: 0, width: 40, depth: 40, height: 3, filament: 2 }
      ],
      filaments: [1, 2],
      minutes: 3,
      layers: 15,
      grams: 8,
      tower: true
    }
  ]
}, targetOf(traitsOf('X1C')))

t.test('a two-colour project from the upload to the end of the print, and off the card again', async t => {
  const { tool, http, name, printer, kernel } = await bootProjects(t, { speed: 120, sdCard: {} })
  const local = `${kernel.dataDir}/files/badges.gcode.3mf`
  const back = `${kernel.dataDir}/files/back.gcode.3mf`
  await writeFile(local, badges)

  const upload = await tool('upload_file', { name, local_path: local, remote_path: PATH, user_permission: true })
  t.match(upload.value, { success: true, remote_path: PATH })

  const { value: plates } = await tool('get_all_project_info', { name, file_path: PATH })
  t.same(plates.result.map((record: { plate_num: number }) => record.plate_num), [1, 2])
  t.equal(plates.result[1].md5, createHash('md5').update(badges).digest('hex').toUpperCase())
  const ids = plates.result[1].metadata.map.bbox_objects.map(({ id }: { id: number }) => id)
  t.same(ids, [1071, 1118, 1001])

  const { value: preview } = await tool('preview_ams_mapping', { name, file_path: PATH, plate_num: 2 })
  t.equal(preview.ams_mapping_json, '[1, 4]')

  const started = await http('POST', '/api/print_3mf', {
    filename: PATH, platenum: 2, use_ams: true, ams_mapping: preview.ams_mapping_json, bl: true
  })
  t.match(started, { status: 200, body: { status: 'success' } })
  t.match(printer.report(), { subtask_name: 'badges', plate_idx: 2, total_layer_num: 15 })

  const session = kernel.printers.resolve(name)
  await eventually(() => session.state?.job.gcodeState === 'RUNNING', 10_000)
  t.match((await tool('get_current_job_project_info', { name })).value, { id: PATH, plate_num: 2 })
  const jobInfo = async () => (await tool('get_job_info', { name })).value
  await eventually(async () => (await jobInfo()).project_info !== null)
  t.match(await jobInfo(), {
    project_info_fetch_attempted: true,
    project_info: { id: PATH, plate_num: 2, metadata: { thumbnail: /^data:image\/png;base64,/, topimg: /^data:image\/png;base64,/ } }
  })
  await eventually(() => session.state?.job.gcodeState === 'FINISH', 30_000)
  t.match((await tool('get_job_info', { name })).value, { subtask_name: 'badges', plate_num: 2, total_layers: 15, print_percentage: 100 })

  t.match((await tool('download_file', { name, remote_path: PATH, local_path: back, user_permission: true })).value, { success: true })
  t.ok((await readFile(back)).equals(badges), 'what comes back is what went up')
  t.match((await tool('delete_file', { name, remote_path: PATH, user_permission: true })).value, { success: true })
  t.equal(await printer.card.get(PATH), undefined)
  t.match((await tool('get_project_info', { name, file_path: PATH })).value, { error: `Could not retrieve project info for '${PATH}'` })
})
