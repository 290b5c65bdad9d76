import t from 'tap'
import sharp from 'sharp'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { findProgram } from '../../helpers/programs.js'

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
  const whole = (await tool('list_sdcard_files', { name: 'one' }))
  t.match(whole.value, { compressed: true, encoding: 'gzip+base64', hint: /would not fit.*a path, a limit, or only_3mf/ })
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

t.test('one hit in the catalogue is plain', async t => {
  const { tool } = await boot(t, { models: ['P1S'] })
  const { value } = await tool('get_filament_catalog', { search: 'GFA00' })
  t.match(value, { count: 1, filaments: [{ tray_info_idx: 'GFA00' }] })
})
