import t from 'tap'
import { definePlugin, definePreset } from '../../../core/index.js'
import { definePrompt } from '../../../plugins/mcp/index.js'
import daemon from '../../../presets/daemon/index.js'
import { boot } from '../../helpers/boot.js'

const TWO = [{ model: 'X1C', name: 'Workshop left' }, { model: 'P1S', name: 'workshop right' }] as const

const withPrompt = (prompt: ReturnType<typeof definePrompt>) => definePreset({
  name: 'daemon',
  plugins: [daemon.plugins,
    definePlugin({ name: 'extra', version: '1.0.0', kernel: '^2.0.0', contributes: { prompts: [prompt] } })]
})

t.test('every prompt says what it is for and what it needs', async t => {
  const { client } = await boot(t, { models: [] })
  const { prompts } = await client.listPrompts()
  t.match(prompts, [
    { name: 'printer_overview', title: String, description: String, arguments: [] },
    { name: 'diagnose_printer', arguments: [{ name: 'printer', description: String, required: true }] },
    { name: 'print_a_plate', arguments: [{ name: 'printer', required: true }, { name: 'what', required: false }] },
    { name: 'watch_print', arguments: [{ name: 'printer', required: true }] },
    { name: 'why_did_it_fail', arguments: [{ name: 'printer', required: true }] }
  ])
})

t.test('prompts name the printers there are and only tools there are', async t => {
  const { client, kernel } = await boot(t, { models: TWO })
  const overview = await client.getPrompt({ name: 'printer_overview' })
  const diagnosis = await client.getPrompt({ name: 'diagnose_printer', arguments: { printer: 'Workshop left' } })
  const others = await Promise.all(['print_a_plate', 'watch_print', 'why_did_it_fail']
    .map(name => client.getPrompt({ name, arguments: { printer: 'Workshop left', what: 'vase' } })))
  for (const { messages } of others) t.match(JSON.stringify(messages), /on (the printer )?'Workshop left'/)
  t.match(JSON.stringify(others[0]), /Print 'vase' on the printer/)
  const text = JSON.stringify([overview.messages, diagnosis.messages, ...others])
  t.match(overview.messages[0], { role: 'user', content: { type: 'text', text: /'Workshop left' \(CONNECTED\)/ } })
  t.match(JSON.stringify(diagnosis.messages), /wrong with the printer 'Workshop left'/)
  const named = new Set(text.match(/\b(?:get|dump|list|preview)_[a-z_]+|\b(?:print_file|pause_print)\b/g))
  t.ok(named.size > 5)
  for (const tool of named) t.ok(kernel.services.mcp.serverContext.tools.has(tool), `${tool} exists`)
})

t.test('with no printer the prompt says so', async t => {
  const { client } = await boot(t, { models: [] })
  const { messages } = await client.getPrompt({ name: 'printer_overview' })
  t.match(JSON.stringify(messages), /No printer is configured/)
})

t.test('an unknown prompt and a missing argument are -32602', async t => {
  const { client } = await boot(t, { models: [] })
  await t.rejects(client.getPrompt({ name: 'nothing' }), { code: -32_602, message: /Unknown prompt: nothing/ })
  await t.rejects(client.getPrompt({ name: 'diagnose_printer' }), { code: -32_602, message: /'printer'/ })
  await t.rejects(client.getPrompt({ name: 'diagnose_printer', arguments: { printer: '' } }), { code: -32_602 })
})

t.test('printer names are completed for prompts and templates, whatever the case', async t => {
  const { client } = await boot(t, { models: TWO })
  const ask = async (ref: Parameters<typeof client.complete>[0]['ref'], name: string, value: string) =>
    (await client.complete({ ref, argument: { name, value } })).completion
  const prompt = { type: 'ref/prompt', name: 'diagnose_printer' } as const
  const template = { type: 'ref/resource', uri: 'prnd://printers/{name}' } as const
  const both = ['Workshop left', 'workshop right']
  t.same(await ask(prompt, 'printer', ''), { values: both, total: 2, hasMore: false })
  t.same((await ask(prompt, 'printer', 'WORKSHOP R')).values, ['workshop right'])
  t.same((await ask(prompt, 'printer', 'x')).values, [])
  t.same((await ask(prompt, 'other', 'w')).values, [], 'an argument there is not')
  t.same((await ask({ type: 'ref/prompt', name: 'nothing' }, 'printer', 'w')).values, [], 'a prompt there is not')
  t.same((await ask(template, 'name', 'work')).values, both)
  t.same((await ask({ type: 'ref/resource', uri: 'prnd://printers' }, 'name', 'work')).values, [])
})

t.test('more than a hundred suggestions are cut, and that is said', async t => {
  const numbers = Array.from({ length: 250 }, (_, at) => `n${at}`)
  const { client } = await boot(t, {
    models: [],
    preset: withPrompt(definePrompt({
      name: 'pick',
      description: 'Picks a number',
      arguments: [{ name: 'number', description: 'One of many', complete: () => numbers }],
      get: () => []
    }))
  })
  const ref = { type: 'ref/prompt', name: 'pick' } as const
  const { completion } = await client.complete({ ref, argument: { name: 'number', value: '' } })
  t.match({ ...completion, values: completion.values.length }, { values: 100, total: 250, hasMore: true })
})

t.test('what an outside prompt says or throws shows no secret', async t => {
  const { client, printer } = await boot(t, {
    models: [{ model: 'X1C', accessCode: 'sesame99' }],
    preset: withPrompt(definePrompt({
      name: 'chatty',
      description: 'Says too much',
      arguments: [{ name: 'how', description: 'say or throw' }],
      get (_, { how }) {
        if (how === 'throw') throw new Error('the code sesame99 is wrong')
        return [{ role: 'user', content: { type: 'text', text: 'use sesame99' } }]
      }
    }))
  })
  t.equal(printer.accessCode, 'sesame99')
  const { messages } = await client.getPrompt({ name: 'chatty' })
  t.match(messages, [{ content: { text: 'use ********' } }])
  await t.rejects(client.getPrompt({ name: 'chatty', arguments: { how: 'throw' } }),
    { code: -32_603, message: /the code \*+ is wrong/ })
})
