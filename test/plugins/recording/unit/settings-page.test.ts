import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'

interface Field { name: string, type: string, checked?: boolean, value?: string, reportValidity: () => boolean }

/** As much of an element as the form uses. */
class Element {
  readonly elements: Record<string, Field> = {}
  readonly listeners = new Map<string, (event: object) => Promise<void>>()
  readonly attributes = new Set<string>()
  textContent = ''
  addEventListener (event: string, listener: (event: object) => Promise<void>) { this.listeners.set(event, listener) }
  toggleAttribute (name: string, isSet: boolean) {
    if (isSet) this.attributes.add(name)
    else this.attributes.delete(name)
  }
}

t.test('a setting that was refused is shown as it is, with the reason', async t => {
  const elements = new Map<string, Element>()
  const of = (id: string): Element => elements.get(id) ?? elements.set(id, new Element()).get(id)!
  const field = (name: string, type: string) => { of('settings').elements[name] = { name, type, reportValidity: () => true } }
  for (const name of ['evidence', 'keep_connected']) field(name, 'checkbox')
  field('timelapse', 'select-one')
  field('interval_s', 'number')
  let refusal: Error | undefined
  const stored = { evidence: false, keep_connected: false, timelapse: 'off', interval_s: 10 }
  const { createSettings } = await pageModules(['recording/page/settings.js'], {
    packages: {
      shell: {
        t: (key: string, { reason = '' } = {}) => `${key} ${reason}`,
        call: async (method: string, _path: string, { printer: _, ...change }: { printer: string }) => {
          if (refusal) throw refusal
          return method === 'PATCH' ? Object.assign(stored, change) : { ...stored }
        }
      }
    },
    globals: { document: { getElementById: of } }
  })
  const settings = createSettings({ changed () {} })
  await settings.show('x1c')
  const { evidence } = of('settings').elements
  const tick = async (checked: boolean) => {
    Object.assign(evidence!, { checked })
    await of('settings').listeners.get('change')?.({ target: evidence })
  }
  const problem = of('settings-problem')
  refusal = new Error('you may not')
  await tick(true)
  t.equal(evidence?.checked, false, 'also when the service does not answer')
  t.match(problem.textContent, /you may not/)
  t.notOk(problem.attributes.has('hidden'))
  refusal = undefined
  await tick(true)
  t.equal(evidence?.checked, true)
  t.ok(problem.attributes.has('hidden'))
})
