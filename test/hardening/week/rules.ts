import { texts } from '../../../plugins/rules/texts/index.js'

interface Template { readonly id: string, readonly rule: Record<string, any> }
interface Start { readonly zone: string, readonly printer: string, readonly plug: Socket }
type Templates = (t: (key: string) => string, start: Start) => Template[]
export interface Socket { readonly id: string, readonly printer: string }

/** Of the page, as a browser loads it. */
const PAGE = new URL('../../../plugins/rules/page/templates.data.js', import.meta.url).href
const { templatesOf } = await import(PAGE) as { templatesOf: Templates }

export interface Rule extends Readonly<Record<string, unknown>> { readonly name: string }

/** All templates of the page, as a person saves them; those about times happen more often than once a day. */
export function templates (printer: string, plug: Socket): Rule[] {
  const words = (key: string) => (texts.en as Record<string, string>)[key] ?? key
  return templatesOf(words, { zone: 'UTC', printer, plug }).map(({ id, rule }) => ({
    ...rule,
    name: String(rule.name),
    ...id === 'preheat' && { when: [{ kind: 'time', cron: '10,40 * * * *', zone: 'UTC' }] },
    ...id === 'night' && { then: [{ kind: 'message', text: 'It is late', urgency: 'info' }] }
  }))
}

const off = (id: string) => [{ kind: 'call', operation: 'energy.turnOff', input: { id } }]

/** What somebody saves who means harm, or does not think: it must do none. */
export const reckless = (plugs: readonly Socket[], topic: string): Rule[] => [
  ...plugs.flatMap(({ id, printer }, at) => [
    { name: `Off at layer 2 (${at})`, printers: [printer], when: [{ kind: 'state', value: 'print.layer', is: 'above', than: 1 }], if: [], then: off(id) },
    { name: `Off as it begins (${at})`, printers: [printer], when: [{ kind: 'event', event: 'print.began' }], if: [], then: off(id) },
    { name: `Off as it ends (${at})`, printers: [printer], when: [{ kind: 'event', event: 'print.ended' }], if: [], then: off(id) },
    { name: `Off every minute (${at})`, when: [{ kind: 'time', cron: '* * * * *', zone: 'UTC' }], if: [], then: off(id) }
  ]),
  { name: 'Flood', when: [{ kind: 'mqtt', topic }], if: [], then: [{ kind: 'message', text: 'again', urgency: 'info' }] }
]

const light = { kind: 'call', operation: 'climate.setLight', printer: 'event', input: { on: true } }
const hook = [{ kind: 'webhook' }]

/** What is refused when it is saved. */
export const refused = (printer: string): Rule[] => [
  { name: 'Loop', when: [{ kind: 'state', value: 'light.state', is: 'equal', than: 'on' }], then: [{ ...light, input: { on: false } }, light] },
  { name: 'Eternal heat', when: hook, printers: [printer], then: [{ kind: 'call', operation: 'climate.setBedTarget', input: { celsius: 100 } }] },
  { name: 'Huge wait', when: hook, then: [{ kind: 'wait', seconds: 1e12 }] },
  { name: 'Template', when: hook, then: [{ kind: 'message', text: '{constructor}' }] },
  { name: 'Nobody\'s printer', when: hook, printers: ['elsewhere'], then: [light] },
  { name: 'Raw', when: hook, then: [{ kind: 'call', operation: 'print.sendGcode', input: { gcode: 'M104 S300' } }] },
  { name: 'Plate', when: hook, then: [{ kind: 'call', operation: 'queue.confirmPlateClear', input: {} }] },
  { name: 'Itself', when: hook, then: [{ kind: 'call', operation: 'rules.add', input: {} }] },
  { name: 'Every second', when: [{ kind: 'time', cron: '* * * * * *' }], then: [light] }
]
