import { join } from 'node:path'
import t, { type Test } from 'tap'
import sharp from 'sharp'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { findProgram } from '../../helpers/programs.js'
import { add, sliced, upload } from '../queue/helpers.js'

/** Text and structured content of an answer together. */
const MOST_CHARS = 25_000
const FILE = '/desk-organiser.gcode.3mf'

const charsOf = ({ content, structuredContent = {} }: CallToolResult): number =>
  content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0),
    JSON.stringify(structuredContent).length)

const imagesOf = ({ content }: CallToolResult) => content.flatMap(block => block.type === 'image' ? [block] : [])

const sizeOf = async (data: string) => {
  const { format, width = 0, height = 0 } = await sharp(Buffer.from(data, 'base64')).metadata()
  return { format, longSide: Math.max(width, height) }
}

/** Those of the tools that read, called as somebody does who gives only what must be given. */
const ARGUMENTS: Readonly<Record<string, unknown>> = {
  name: 'one',
  file_path: FILE,
  target_id: FILE,
  target_name: FILE.slice(1),
  field: 'bed',
  key: 'x'
}
const PICTURES = [
  'get_plate_thumbnail', 'get_plate_topview', 'open_plate_layout', 'get_job_info',
  // An H2D's camera sends video, whose pictures need a decoder.
  ...(findProgram('ffmpeg') === undefined ? [] : ['get_snapshot', 'analyze_active_job'])
]

t.test('what every tool says of a printing H2D can be read, and pictures are pictures', async t => {
  const model = { model: 'H2D', name: 'one', sdCard: { samples: true }, speed: 20 } as const
  const { client, kernel } = await boot(t, { models: [model] })
  const call = async (name: string, args: object) =>
    await client.callTool({ name, arguments: { ...args } }) as CallToolResult
  t.not((await call('print_file', { name: 'one', file_path: FILE, user_permission: true })).isError, true)
  await eventually(() => kernel.printers.get('one')?.state?.job.gcodeState === 'RUNNING', 30_000)
  await eventually(async () => imagesOf(await call('get_job_info', { name: 'one' })).length > 0)
  const { tools } = await client.listTools()
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint)
  const shown: string[] = []
  for (const { name, inputSchema: { required = [] } } of reading) {
    const answer = await call(name, Object.fromEntries(required.map(key => [key, ARGUMENTS[key]])))
    t.ok(charsOf(answer) <= MOST_CHARS, `${name}: ${charsOf(answer)}`)
    t.notMatch(JSON.stringify(answer.content.filter(({ type }) => type === 'text')), /base64,/, `${name} has no picture in its text`)
    const images = imagesOf(answer)
    if (images.length > 0) shown.push(name)
    for (const { data, mimeType } of images) {
      t.equal(mimeType, 'image/jpeg')
      const { format, longSide } = await sizeOf(data)
      t.ok(format === 'jpeg' && longSide <= 1024, `${name}: ${longSide} px`)
    }
  }
  t.same(PICTURES.filter(name => !shown.includes(name)), [])
  const { content, structuredContent } = await call('get_plate_thumbnail', { name: 'one', file_path: FILE, image_px: 64 })
  t.match(structuredContent, { data_uri: /^data:image\/jpeg;base64,/, plate_num: 1 }, 'what is specified stays')
  t.match(content[0], { type: 'text', text: /"data_uri":"picture 1 of this answer"/ })
  t.equal((await sizeOf(imagesOf({ content })[0]?.data ?? '')).longSide, 64)
  t.same(imagesOf(await call('get_snapshot', { name: 'one', image_px: 0 })), [])
})

t.test('a card of a thousand files is read in steps', async t => {
  const files = Array.from({ length: 1_000 }, (_, at) =>
    `/models/part ${String(at).padStart(4, '0')}${at % 2 === 0 ? '.gcode.3mf' : '.txt'}`)
  const { tool, printer } = await boot(t, { models: [{ model: 'P1S', name: 'one' }] })
  for (const path of files) await printer.card.put(path, 'x')
  const idsIn = ({ id, children }: { id: string, children?: [] }): string[] => children ? children.flatMap(idsIn) : [id]
  const listed: string[] = []
  let next: string | undefined
  do {
    const { value, result } = await tool('list_sdcard_files', { name: 'one', cached: next !== undefined, ...(next && { cursor: next }) })
    t.ok(charsOf(result) <= MOST_CHARS, `${charsOf(result)} characters`)
    listed.push(...idsIn(value.contents))
    next = value.next_cursor
  } while (next !== undefined)
  t.same(listed.filter(id => id.startsWith('/models/')), files, 'plain, one page after the other')
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const { value, result } = await tool('list_sdcard_files', { name: 'one', cached: true, limit: 60, only_3mf: true, ...(cursor && { cursor }) })
    t.ok(charsOf(result) <= MOST_CHARS, `${charsOf(result)} characters`)
    t.equal(value.total, 500)
    seen.push(...value.entries.map(({ id }: { id: string }) => id))
    cursor = value.next_cursor
  } while (cursor !== undefined)
  t.same(seen, files.filter(path => path.endsWith('.3mf')))
  t.match(await tool('list_sdcard_files', { name: 'one', limit: 5, cursor: 'x' }), { failed: true, value: { error: /next_cursor/ } })
})

t.test('files are found by words of their path, folders by their path with a slash, which is said where it is missing', async t => {
  const { tool, printer } = await boot(t, { models: [{ model: 'P1S', name: 'one' }] })
  for (const path of ['/models/Left Bracket v2.3mf', '/models/right.3mf', '/brackets/old/left.gcode']) await printer.card.put(path, 'x')
  const found = async (args: object) => (await tool('list_sdcard_files', { name: 'one', ...args })).value
  const ids = async (args: object) => (await found(args)).entries.map(({ id }: { id: string }) => id)
  t.same(await ids({ search: 'bracket LEFT' }), ['/brackets/old/left.gcode', '/models/Left Bracket v2.3mf'])
  t.same(await ids({ search: 'bracket', only_3mf: true, path: '/models/' }), ['/models/Left Bracket v2.3mf'])
  t.same(await ids({ search: 'old' }), ['/brackets/old/', '/brackets/old/left.gcode'])
  t.same(await found({ search: 'nothing like it' }), { path: '/', entries: [], total: 0 })
  const page = await found({ search: 'e', limit: 1 })
  t.match(page, { entries: [{}], next_cursor: String })
  t.match((await found({ path: '/models/' })).contents, { id: '/models/', children: [{}, {}] })
  t.same(await found({ path: '/models' }), { error: 'Path not found: /models', path: '/models', hint: 'Folders end in /: /models/' })
  t.same((await tool('get_file_info', { name: 'one', file_path: '/brackets/old' })).value,
    { error: 'File not found: /brackets/old', hint: 'Folders end in /: /brackets/old/' })
  t.match((await tool('get_file_info', { name: 'one', file_path: 'old' })).value, { file: { id: '/brackets/old/' } }, 'by name')
})

t.test('who changes a large card is told of the one entry', async t => {
  const folder = testFolder(t, { 'new.3mf': 'a new part' })
  const config = { plugins: { files: { hostFolders: [folder] } } }
  const { tool, printer } = await boot(t, { models: [{ model: 'P1S', name: 'one' }], config })
  const first = await tool('create_folder', { name: 'one', path: '/new', user_permission: true })
  t.match(first.value, { success: true, path: '/new', entry: { id: '/new/' }, contents: { id: '/' } }, 'a small card is shown')
  for (let at = 0; at < 300; at++) await printer.card.put(`/models/part ${at}.3mf`, 'x')
  const made = await tool('create_folder', { name: 'one', path: '/new/deeper', user_permission: true })
  t.match(made.value, { entry: { id: '/new/deeper/', name: 'deeper' }, contents: null, note: /list_sdcard_files/ })
  const gone = await tool('delete_file', { name: 'one', remote_path: '/models/part 1.3mf', user_permission: true })
  t.match(gone.value, { success: true, remote_path: '/models/part 1.3mf', contents: null })
  const sent = await tool('upload_file', { name: 'one', local_path: join(folder, 'new.3mf'), remote_path: '/models/new.3mf', user_permission: true })
  t.match(sent.value, { success: true, entry: { id: '/models/new.3mf', name: 'new.3mf', size: 10 }, contents: null, note: String })
  for (const { result } of [made, gone, sent]) t.ok(charsOf(result) < 1_000, `${charsOf(result)} characters`)
})

type Tool = Awaited<ReturnType<typeof boot>>['tool']

/** All rows of a list, page by page, each plain and said once. */
async function walked (
  t: Test, tool: Tool, name: string, rowsIn: (value: any) => readonly unknown[], args: object = {}
) {
  const rows: unknown[] = []
  const chars: number[] = []
  let cursor: string | undefined
  do {
    const { value, result, text } = await tool(name, { ...args, ...(cursor !== undefined && { cursor }) })
    t.notMatch(text, /gzip/, name)
    if (text.length > 4_000) t.equal(result.structuredContent, undefined, `${name} says it once`)
    chars.push(charsOf(result))
    rows.push(...rowsIn(value))
    cursor = value.next_cursor ?? value.cursor ?? undefined
  } while (cursor !== undefined)
  const AROUND = 100 // what stands around the rows of a page
  t.ok(Math.max(...chars) <= MOST_CHARS / 2 + AROUND, `${name}: pages of ${chars.join(', ')} characters`)
  return rows
}

t.test('300 files, 300 jobs and a long log are plain, and said once', async t => {
  const said = Array.from({ length: 500 }, (_, at) => `line ${at} of a log that has something to say\n`).join('')
  const file = join(testFolder(t, { 'prnd.log': said }), 'prnd.log')
  const booted = await boot(t, { models: [{ model: 'P1S', name: 'one' }], config: { log: { file } } })
  const { tool, printer } = booted
  for (let at = 0; at < 300; at++) await printer.card.put(`/models/part ${String(at).padStart(3, '0')}.gcode.3mf`, 'x')
  const leaves = ({ children, ...leaf }: any): any[] => children ? children.flatMap(leaves) : [leaf]
  const files = await walked(t, tool, 'list_sdcard_files', ({ contents }) => leaves(contents), { name: 'one', path: '/models/' })
  t.equal(new Set(files.map(file => (file as { id: string }).id)).size, 300)
  await upload(booted, sliced())
  for (let at = 0; at < 300; at++) await add(booted, { file: 'cube.gcode.3mf', note: `for the workshop, part ${at}` })
  const idsOf = (jobs: readonly unknown[]) => jobs.map(job => (job as { id: string }).id)
  const first = idsOf(await walked(t, tool, 'list_queue', ({ jobs }) => jobs))
  t.match((await tool('list_queue', { limit: 1 })).value, { jobs: { length: 1 }, more: 299 })
  const rest = idsOf(await walked(t, tool, 'list_queue', ({ jobs }) => jobs, { from: 200 }))
  t.same([first.length, rest.length, new Set([...first, ...rest]).size], [200, 100, 300], 'every job once')
  const lines = await walked(t, tool, 'dump_log', ({ lines }) => lines, { tail_lines: 400 })
  t.equal(lines.length, 400)
})

t.test('ordinary lists are plain: rows, then a cursor', async t => {
  const { tool, kernel, http } = await boot(t, { models: [{ model: 'P1S', name: 'one' }] })
  const row = {
    serial: 'S', printer: 'one', model: 'P1S', name: 'bracket', file: '/bracket.3mf', result: 'finished', started_at: 0
  }
  await kernel.services.database.query(async (db: any) => {
    const columns = (await db.introspection.getTables()).find(({ name }: { name: string }) => name === 'history_prints').columns
    for (let at = 1; at <= 60; at++) {
      const filled = Object.fromEntries(columns.filter(({ isNullable }: { isNullable: boolean }) => !isNullable)
        .map(({ name, dataType }: { name: string, dataType: string }) => [name, /text|char/i.test(dataType) ? '' : 0]))
      await db.insertInto('history_prints').values({ ...filled, faults: '[]', ...row, id: `p${at}`, started_at: at }).execute()
    }
  })
  t.equal((await http('GET', '/api/history', { limit: 200 })).body.prints.length, 60)
  for (const key of ['since', 'until'] as const) {
    const seconds = { [key]: 1_790_000_000 }
    for (const path of ['/api/history', '/api/history/export', '/api/history/statistics']) {
      t.match(await http('GET', path, seconds), { status: 400, body: { reason: /give 1790000000000/ } }, path)
    }
    for (const name of ['list_prints', 'print_statistics']) {
      t.match((await tool(name, seconds)).text, /give 1790000000000/, name)
    }
  }
  const prints = await walked(t, tool, 'list_prints', ({ prints }) => prints)
  t.same(prints.map(print => (print as { id: string }).id), Array.from({ length: 60 }, (_, at) => `p${60 - at}`), 'every print once')
})

t.test('what cannot be cut is packed: the hint comes first, and only the text carries it', async t => {
  const { tool } = await boot(t, { models: [{ model: 'P1S', name: 'one' }] })
  const { result, text } = await tool('render_charts_html', { name: 'one', whole: true })
  t.match(text, /^\{"compressed":true,"hint":"\d+ bytes would not fit as plain text; ask for .*","encoding":"gzip\+base64"/)
  t.equal(result.structuredContent, undefined)
})

t.test('the dashboard is read in words', async t => {
  const { tool } = await boot(t, { models: [{ model: 'H2D', name: 'one' }] })
  for (const args of [{}, { whole: false }]) {
    const { result, text } = await tool('render_charts_html', { name: 'one', ...args })
    t.match(text, /^<!doctype html>[^]*<h2[^>]*>[^<]*Temperatures?[^]*<p>[^<]{20,}/i)
    t.notMatch(text, /<svg|<style|gzip/)
    t.ok(charsOf(result) < 8_000, `${charsOf(result)} characters`)
  }
})

t.test('one hit in the catalogue is plain', async t => {
  const { tool } = await boot(t, { models: ['P1S'] })
  const { value } = await tool('get_filament_catalog', { search: 'GFA00' })
  t.match(value, { count: 1, filaments: [{ tray_info_idx: 'GFA00' }] })
})
