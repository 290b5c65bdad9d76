import { Ajv } from 'ajv'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'jsonc-parser'
import t from 'tap'
import { schemaOfConfiguration } from '../../presets/cli/commands/config.js'

const GUIDES = join(import.meta.dirname, '..', '..', 'docs', 'guides')
/** Keys of a whole configuration; other blocks are answers, or files of other programs. */
const WHOLE = /^\s*\{\s*"(printers|plugins|api|ports|log|defaultPrinter|dataDir|\$schema)"/

t.test('the schema that editors use accepts every example of the guides, and finds mistakes', async t => {
  const printed = JSON.parse(JSON.stringify(schemaOfConfiguration())) as object
  const validate = new Ajv({ strict: false, useDefaults: false }).compile(printed)
  let count = 0
  for (const name of await readdir(GUIDES)) {
    if (!name.endsWith('.md')) continue
    for (const [, block = ''] of (await readFile(join(GUIDES, name), 'utf8')).matchAll(/```jsonc?\n(.*?)```/gs)) {
      if (!WHOLE.test(block)) continue
      count++
      t.ok(validate(parse(block)), `${name}: ${JSON.stringify(validate.errors)}\n${block}`)
    }
  }
  t.ok(count > 15, `${count} examples`)
  t.notOk(validate({ api: { hots: '127.0.0.1' } }), 'a typing error')
  t.notOk(validate({ plugins: { slicing: { timeoutMinutes: 'ten' } } }))
  t.ok(validate({ plugins: { 'my-own-plugin': { anything: true }, queue: false } }), 'plugins from outside, and switched off')
})
