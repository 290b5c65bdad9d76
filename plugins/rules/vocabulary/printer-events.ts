import { Type } from 'typebox'
import {
  clockKey, defineRuleEvent, type Dispose, type Kernel, type Named, type Occurrence, type PrinterSession,
  type PrinterState, type RuleEvent
} from '../../../core/index.js'
import { alertTexts, VERDICTS } from '../../alerts/index.js'

/** Raised by rules themselves: a rule that begins with it would trigger itself. */
export const RULE_ALERTS: readonly string[] = ['rule_message', 'rule_paused', 'rule_heat']
/** Services notice at different times that a printer is silent. */
const LOST_MS = 60_000
const SEVERITIES = ['high', 'medium', 'low']

/** A cancelled print is an alert of the failed kind. */
const alertTypes = Object.keys(alertTexts.en).map(key => key.replace(/^alert\./, ''))
  .filter(type => type !== 'job_cancelled' && !RULE_ALERTS.includes(type))

type Happened = (occurrence: Occurrence) => void

const ofSessions = (follow: (session: PrinterSession, happened: Happened) => Dispose) =>
  ({ printers }: Kernel, happened: Happened): Dispose => printers.eachLocal(session => follow(session, happened))

interface Change {
  readonly name: string
  readonly named: Named
  readonly detect: (now: PrinterState, before: PrinterState) => Occurrence['fields'] | undefined
  readonly fields?: Readonly<Record<string, { readonly schema: ReturnType<typeof Type.Number>, readonly named: Named }>>
}

/** A difference between two reports. */
const changeEvent = ({ name, named, detect, fields = {} }: Change): RuleEvent => defineRuleEvent({
  name,
  named,
  fields: Type.Object(Object.fromEntries(Object.entries(fields).map(([key, { schema }]) => [key, schema]))),
  fieldNames: Object.fromEntries(Object.entries(fields).map(([key, { named: own }]) => [key, own])),
  perPrinter: true,
  watch: ofSessions((session, happened) => session.events.on('state', (now, before) => {
    const found = before && detect(now, before)
    if (found) happened({ printer: session.name, ...clockKey(`${session.config.serial}:${name}`, now.receivedAt), at: now.receivedAt, fields: found })
  }))
})

const connectionEvent = (name: string, named: Named, isNow: boolean): RuleEvent => defineRuleEvent({
  name,
  named,
  fields: Type.Object({}),
  fieldNames: {},
  perPrinter: true,
  watch: (kernel, happened) => ofSessions((session, tell) => session.events.on('live', isLive => {
    if (isLive !== isNow || session.service === 'PAUSED') return
    const at = kernel.now()
    tell({ printer: session.name, ...clockKey(`${session.config.serial}:${name}`, at, LOST_MS), at, fields: {} })
  }))(kernel, happened)
})

export const printerEvents: readonly RuleEvent[] = [
  connectionEvent('printer.connected', { en: 'a printer reports again', de: 'ein Drucker meldet sich wieder', zh: '打印机恢复通信' }, true),
  connectionEvent('printer.lost', { en: 'a printer stops reporting', de: 'ein Drucker meldet sich nicht mehr', zh: '打印机失去通信' }, false),
  changeEvent({
    name: 'door.opened',
    named: { en: 'the door is opened', de: 'die Tür geöffnet wird', zh: '门被打开' },
    detect: (now, before) => now.doors.sensor && now.doors.doorOpen && !before.doors.doorOpen ? {} : undefined
  }),
  changeEvent({
    name: 'door.closed',
    named: { en: 'the door is closed', de: 'die Tür geschlossen wird', zh: '门被关上' },
    detect: (now, before) => now.doors.sensor && !now.doors.doorOpen && before.doors.doorOpen ? {} : undefined
  }),
  defineRuleEvent({
    name: 'alert',
    named: { en: 'there is an alert', de: 'es eine Meldung gibt', zh: '出现提醒' },
    fields: Type.Object({
      type: Type.Enum(alertTypes, { description: 'Of the alert' }),
      severity: Type.Enum(SEVERITIES, { description: 'How grave it is' }),
      code: Type.String({ description: 'Of a fault; empty without one' })
    }),
    fieldNames: {
      type: { en: 'kind', de: 'Art', zh: '类型' },
      severity: { en: 'severity', de: 'Schwere', zh: '严重程度' },
      code: { en: 'code', de: 'Code', zh: '代码' }
    },
    perPrinter: true,
    watch: ({ events }, happened) => events.on('alert', ({ type, printer, timestamp, severity, payload }) => {
      if (RULE_ALERTS.includes(type)) return
      const code = typeof payload.code === 'string' ? payload.code : ''
      const at = Date.parse(timestamp)
      happened({ printer, ...clockKey(`${printer}:${type}:${code}`, at), at, fields: { type, severity, code } })
    })
  }),
  defineRuleEvent({
    name: 'monitor.verdict',
    named: { en: 'the job monitor changes its verdict', de: 'die Druckprüfung ihr Urteil ändert', zh: '打印监测改变判断' },
    fields: Type.Object({ verdict: Type.Enum(VERDICTS, { description: 'Of the print' }) }),
    fieldNames: { verdict: { en: 'verdict', de: 'Urteil', zh: '判断' } },
    perPrinter: true,
    watch ({ events, now }, happened) {
      const last = new Map<string, string | undefined>()
      return events.on('health:verdict', (printer, { verdict }) => {
        if (last.get(printer) === verdict) return
        last.set(printer, verdict)
        const at = now()
        if (verdict !== undefined) happened({ printer, ...clockKey(`${printer}:verdict:${verdict}`, at), at, fields: { verdict } })
      })
    }
  }),
  defineRuleEvent({
    name: 'recording.ended',
    named: { en: 'a recording is ready', de: 'eine Aufnahme fertig ist', zh: '录制完成' },
    fields: Type.Object({ kind: Type.Enum(['evidence', 'manual', 'timelapse'], { description: 'Why it was recorded' }) }),
    fieldNames: { kind: { en: 'kind', de: 'Art', zh: '类型' } },
    perPrinter: true,
    watch: ({ events, now }, happened) => events.on('recording', ({ id, printer, kind, status }) => {
      if (status === 'ready') happened({ printer, key: `recording:${id}`, at: now(), fields: { kind } })
    })
  })
]
