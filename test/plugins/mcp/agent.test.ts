import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import t from 'tap'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'

const FILES = 300
/** What the whole errand may cost: the list of tools, the instructions, and every answer without its pictures. */
const MOST_CHARS = 93_000

type Content = { type: string, text?: string, mimeType?: string }

/** Long lists come as text alone. */
const jsonIn = (text: string): unknown => text.startsWith('{') ? JSON.parse(text) : undefined

/** Knows names, descriptions and answers, nothing else, and counts what it has to read. */
async function createAgent ({ client }: Booted) {
  const { tools } = await client.listTools()
  const { length: listed } = JSON.stringify(tools.map(({ title: _, ...read }) => read)) // titles are for people
  let chars = listed + (client.getInstructions() ?? '').length
  const steps: { readonly tool: string, readonly chars: number }[] = []

  function find (...words: RegExp[]): Tool {
    const said = ({ name, description = '' }: Tool) => `${name.replaceAll('_', ' ')}: ${description}`
    const found = tools.filter(tool => words.every(word => word.test(said(tool))))
    if (found.length !== 1) throw new Error(`${words.join(' ')} could be ${found.map(({ name }) => name).join(', ') || 'none'}`)
    return found[0] as Tool
  }

  async function use (tool: Tool, args: object = {}) {
    const { content, structuredContent, isError } = await client.callTool({ name: tool.name, arguments: { ...args } })
    const parts = content as Content[]
    const text = parts.map(({ text = '' }) => text).join('\n')
    chars += text.length
    steps.push({ tool: tool.name, chars: text.length })
    return {
      text,
      failed: isError === true,
      value: (structuredContent ?? jsonIn(text)) as any,
      pictures: parts.filter(({ type }) => type === 'image')
    }
  }
  /** Asks until the answer says it; how often depends on the machine, so that only the last answer is counted. */
  async function useUntil (tool: Tool, args: object, wanted: string): Promise<void> {
    const before = chars
    await eventually(async () => {
      chars = before
      return (await use(tool, args)).text.includes(wanted)
    })
  }

  return { find, use, useUntil, listed, steps, get chars () { return chars } }
}

t.test('an agent that reads only what it is told runs an errand', async t => {
  const booted = await boot(t, {
    models: [{ model: 'P1S', speed: 20, reportEveryMs: 100, sdCard: { samples: true }, camera: { width: 320, height: 180 } }]
  })
  const { printer } = booted
  for (let at = 0; at < FILES; at++) await printer.card.put(`/archive/part-${1000 + at}.gcode.3mf`, 'x')
  const agent = await createAgent(booted)
  const { find, use, useUntil } = agent

  const { value: { printers } } = await use(find(/^get configured printers/))
  const [{ name }] = printers
  t.equal(name, booted.name)

  const heat = find(/bed/, /\btarget\b/)
  const refused = await use(heat, { name, temp: 60 })
  t.match(refused.text, /user_permission/, 'the refusal says what is missing')
  t.equal(printer.requests.some(({ command }) => command === 'gcode_line'), false, 'and nothing was sent')
  t.notOk((await use(heat, { name, temp: 60, user_permission: true })).failed)
  const temperatures = find(/^get temperatures/)
  await useUntil(temperatures, { name }, '60')

  const list = find(/files and folders/i)
  t.ok(list.inputSchema.properties?.limit, 'the description of the list shows that it comes in pages')
  let cursor: string | undefined
  let path: string | undefined
  do {
    const { value } = await use(list, { name, only_3mf: true, limit: 100, ...(cursor !== undefined && { cursor }) })
    path = JSON.stringify(value).match(/"(\/[^"]*organiser[^"]*3mf)"/)?.[1]
    cursor = value.next_cursor
  } while (path === undefined && cursor !== undefined)
  t.equal(path, '/desk-organiser.gcode.3mf')

  const plate = { name, file_path: path, plate_num: 2 }
  const print = find(/^print file/)
  const wrong = await use(print, { ...plate, ams_mapping: [2, 2], user_permission: true })
  t.ok(wrong.failed)
  t.match(wrong.text, /Filament 1 is PLA, but/)
  t.match(wrong.value, { warnings: [{ code: 'material_mismatch', needs_accept: true }], detail: /Map it to another tray/ })
  const { value: preview } = await use(find(/which spools/i), plate)
  t.match(preview.error, /repeat with accept_mismatch true/, 'the blue spool is not loaded')
  t.match(preview.warnings, [{ code: 'material_variant', needs_accept: false }, { code: 'colour_distance', needs_accept: true }])
  const accepted = { ams_mapping: preview.ams_mapping_json, accept_mismatch: true, user_permission: true }
  const right = await use(print, { ...plate, ...accepted })
  t.notOk(right.failed, right.text)
  t.match(printer.requests.filter(({ command }) => command === 'project_file').length, 1, 'one print was sent')

  const { pictures } = await use(find(/picture of the camera/i), { name })
  t.match(pictures, [{ type: 'image', mimeType: 'image/jpeg' }])

  const progress = find(/^get print progress/)
  await useUntil(progress, { name }, 'RUNNING')
  t.notOk((await use(find(/^pause print/), { name, user_permission: true })).failed)
  await useUntil(progress, { name }, 'PAUSE')

  for (const { tool, chars } of agent.steps) t.comment(`${tool}: ${chars}`)
  t.comment(`${agent.chars} characters read, ${agent.listed} of them the list of tools`)
  t.ok(agent.chars <= MOST_CHARS, `${agent.chars} characters`)
})
