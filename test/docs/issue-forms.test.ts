import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { modelTable } from '../../docs/generator/models.js'
import { MODELS } from '../../core/printer/models.data.js'
import { createProgram } from '../../presets/cli/program.js'

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDER = join(ROOT, '.github', 'ISSUE_TEMPLATE')

interface Field {
  type: string
  id?: string
  attributes: { label?: string, value?: string, options?: (string | { label: string })[] }
  validations?: { required?: boolean }
}
interface Form { name: string, description: string, labels: string[], body: Field[] }
interface Config { blank_issues_enabled: boolean, contact_links: { name: string, url: string, about: string }[] }

/** As GitHub reads it: in version 1.1, `on` and `off` without quotes are no texts. */
const read = (name: string): unknown => parse(readFileSync(join(FOLDER, name), 'utf8'), { version: '1.1' })
const forms = readdirSync(FOLDER).filter(name => name !== 'config.yml').map(name => ({ name, form: read(name) as Form }))
const config = read('config.yml') as Config
const bug = forms.find(({ name }) => name === 'bug-report.yml')?.form.body ?? []

// What GitHub requires of a form; it shows none of the forms if one breaks these rules.
t.test('the forms have the fields that GitHub knows, each with its own name and label', async t => {
  t.same(forms.map(({ name }) => name).sort(), ['bug-report.yml', 'feature-request.yml'])
  for (const { name, form: { body, ...about } } of forms) {
    t.same(Object.keys(about).sort(), ['description', 'labels', 'name'], name)
    t.same(body.filter(({ type }) => !['markdown', 'textarea', 'input', 'dropdown', 'checkboxes'].includes(type)), [])
    const asked = body.filter(({ type }) => type !== 'markdown')
    t.ok(asked.some(({ validations }) => validations?.required), 'something has to be said')
    for (const values of [asked.map(({ id }) => id), asked.map(({ attributes }) => attributes.label)]) {
      t.same(values.filter(value => !/^\S.*$/.test(value ?? '')), [])
      t.equal(new Set(values).size, values.length)
    }
    t.same(asked.filter(({ id }) => !/^[\w-]+$/.test(id ?? '')), [])
    for (const { type, attributes } of body) {
      const options = (attributes.options ?? []).map(option => typeof option === 'string' ? option : option.label)
      t.equal(options.length > 0, ['dropdown', 'checkboxes'].includes(type))
      t.same(options.filter(option => typeof option !== 'string'), [], 'on and off are quoted')
      t.equal(new Set(options).size, options.length)
    }
  }
})

t.test('a bug report asks for the report of prnd doctor, model, firmware, and what was expected', async t => {
  t.same(bug.flatMap(({ id }) => id ?? []), ['happened', 'expected', 'doctor', 'model', 'firmware', 'developer-mode', 'virtual'])
  t.same(bug.filter(({ validations }) => validations?.required).map(({ id }) => id), ['happened', 'expected', 'doctor', 'model'])
  const label = bug.find(({ id }) => id === 'doctor')?.attributes.label
  const [, command] = /`prnd (\w+)`/.exec(label ?? '') ?? []
  t.ok(createProgram().commands.some(known => known.name() === command), `${command} is a command`)
})

t.test('it offers every model, as the README names them', async t => {
  const names = modelTable(MODELS).split('\n').slice(2).map(row => row.split('|')[1]?.trim())
  t.same(bug.find(({ id }) => id === 'model')?.attributes.options?.slice(1), names)
})

t.test('vulnerabilities go elsewhere, and every link leads into this repository', async t => {
  const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { repository: { url: string } }
  const home = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
  t.equal(config.blank_issues_enabled, false)
  for (const { name, url, about } of config.contact_links) {
    t.ok(name && about && url.startsWith(`${home}/`), url)
    const [, file] = /\/blob\/main\/(.+)$/.exec(url) ?? []
    t.ok(file === undefined || existsSync(join(ROOT, file)), url)
  }
  t.ok(config.contact_links.some(({ url }) => url.endsWith('/security/advisories/new')))
})
