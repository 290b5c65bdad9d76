// Rules that many people want, as a start: they are filled into the editor, where a person changes and saves them.

const MINUTE_S = 60
const HOUR_S = 3_600
/** From ten in the evening to seven in the morning. */
const NIGHT_MIN = 540
const BUSY = ['PREPARE', 'RUNNING', 'PAUSE']
const REST = ['IDLE', 'FINISH', 'FAILED']

/** On the printer of the event. */
const call = (operation, input = {}) => ({ kind: 'call', operation, printer: 'event', input })
/** On nothing in particular. */
const order = (operation, input = {}) => ({ kind: 'call', operation, input })
const message = (text, urgency = 'info') => ({ kind: 'message', text, urgency })
const value = (name, is, than) => ({ value: name, printer: 'event', is, than })
const when = (name, is, than, seconds = 0) => ({ kind: 'state', value: name, is, than, for_s: seconds })
const event = (name, fields) => ({ kind: 'event', event: name, ...fields && { fields } })

/**
 * @typedef {{ zone: string, printer: string | undefined, plug: { id: string, printer: string } | undefined }} Start
 *   time zone of the reader, the first printer, for what heats without an event of a printer, and the first plug of one
 */

/**
 * What a rule of a template has besides its name.
 * @param {(id: string) => string} text of the message of a template
 * @param {Start} start
 * @returns {Record<string, { icon: string, printers?: readonly string[] | null, when: any[], if?: any[], then: any[]
 *   }>}
 */
const rulesOf = (text, { zone, printer, plug }) => ({
  light: {
    icon: 'light',
    when: [event('print.ended')],
    then: [{ kind: 'wait', seconds: 10 * MINUTE_S }, { kind: 'stop_if', if: [value('printer.state', 'one_of', BUSY)] },
      call('climate.setLight', { on: false })]
  },
  failed: { icon: 'alert', when: [event('print.ended', { result: 'failed' })], then: [message(text('failed'), 'critical')] },
  plate: { icon: 'bell', when: [when('plate.state', 'equal', 'used', HOUR_S)], then: [message(text('plate'), 'warning')] },
  door: {
    icon: 'own door',
    when: [when('door.open', 'equal', true, 2 * MINUTE_S)],
    if: [value('printer.state', 'equal', 'RUNNING')],
    then: [message(text('door'), 'warning')]
  },
  lost: {
    icon: 'offline',
    when: [event('printer.lost')],
    then: [{ kind: 'wait', seconds: 5 * MINUTE_S }, { kind: 'stop_if', if: [value('printer.connected', 'equal', true)] }, message(text('lost'), 'critical')]
  },
  spool: { icon: 'spool', when: [when('spool.least_grams', 'below', 50)], then: [message(text('spool'), 'warning')] },
  layer: { icon: 'cube', when: [when('print.layer', 'above', 49)], then: [message(text('layer'))] },
  heat: {
    icon: 'pause',
    when: [when('printer.state', 'equal', 'PAUSE', HOUR_S)],
    then: [call('climate.setNozzleTarget', { celsius: 0 }), message(text('heat'), 'warning')]
  },
  preheat: {
    icon: 'heat',
    printers: printer === undefined ? null : [printer],
    when: [{ kind: 'time', cron: '30 7 * * 1,2,3,4,5', zone }],
    if: [value('printer.state', 'one_of', REST)],
    then: [call('climate.setBedTarget', { celsius: 60 }), { kind: 'wait', seconds: HOUR_S }, call('climate.setBedTarget', { celsius: 0 })]
  },
  night: { icon: 'moon', when: [{ kind: 'time', cron: '0 22 * * *', zone }], then: [order('queue.pause', { paused: true, minutes: NIGHT_MIN })] },
  ...plug && {
    plug: {
      icon: 'own power',
      printers: [plug.printer],
      when: [event('print.ended')],
      if: [value('plug.on', 'equal', true)],
      then: [{ kind: 'wait_until', if: [value('nozzle.celsius', 'below', 45)], most_s: 2 * HOUR_S, otherwise: 'stop' },
        order('energy.turnOff', { id: plug.id })]
    }
  },
  maintenance: { icon: 'own tool', when: [event('maintenance.due')], then: [message(text('maintenance'))] }
})

/**
 * @typedef {{ id: string, icon: string, rule: any }} Template `icon`: of the shell, or `own NAME` of this page
 * @param {(key: string) => string} t texts: `rules.template.ID` is the name, with `.message` what is sent
 * @param {Start} start
 * @returns {Template[]}
 */
export const templatesOf = (t, start) => Object.entries(rulesOf(id => t(`rules.template.${id}.message`), start))
  .map(([id, { icon, ...rule }]) => ({ id, icon, rule: { name: t(`rules.template.${id}`), if: [], ...rule } }))
