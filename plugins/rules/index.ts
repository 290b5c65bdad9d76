import type { FastifyBaseLogger } from 'fastify'
import type { Static } from 'typebox'
import { definePlugin, hasCurrentState, rightsOf, timeoutSignal, type Kernel, type Plugin, type PrinterSession } from '../../core/index.js'
import type {} from '../alerts/index.js' // the service alerts, where that plugin is loaded
import type {} from '../history/index.js' // its events and service, where that plugin is loaded
import type {} from '../queue/index.js' // its events and service, where that plugin is loaded
import type {} from '../recording/index.js' // its event, where that plugin is loaded
import type {} from '../spools/index.js' // its events and service, where that plugin is loaded
import { callerOf, createCallers } from './author.js'
import { BrokerTopics } from './broker-topics.js'
import { createClock } from './engine/compare.js'
import { Engine, type EngineDeps } from './engine/engine.js'
import { lookAtHeaters } from './engine/heaters.js'
import { createHeatStore } from './heat-store.js'
import { migrations } from './migrations.js'
import { Options } from './options.js'
import { rulesPage } from './pages.js'
import routes from './routes.js'
import { RuleBook } from './rule-book.js'
import { createRuleStore } from './rule-store.js'
import { createRunStore } from './run-store.js'
import { RulesService } from './service.js'
import tools from './tools.js'
import type { Heat, Rule } from './types.js'
import { wordsOf, type Words } from './vocabulary/index.js'
import { printEvents } from './vocabulary/print-events.js'
import { printerEvents } from './vocabulary/printer-events.js'
import { printerValues } from './vocabulary/printer-values.js'
import { queueEvents } from './vocabulary/queue-events.js'
import { serviceValues } from './vocabulary/service-values.js'
import { serveWebhook } from './webhook-route.js'
import { isWhy, why, whyInWords } from './words/why.js'

declare module 'prnd' {
  interface Services { rules: RulesService }
}

const SECOND_MS = 1_000
/** Longer than a command that ends heat takes. */
const COOL_MS = 30_000

/** Overrides for tests that are no configuration options. */
interface Timing {
  /** Interval of looks at the clock. */
  readonly everyMs?: number
}

/** A value that cannot be read is not known. */
const reader = (kernel: Kernel, { values }: Words, log: Pick<FastifyBaseLogger, 'debug'>) => (
  name: string, printer: string
) => {
  try {
    return values.get(name)?.read(kernel, printer)
  } catch (error) {
    log.debug({ err: error, name }, 'a value of rules cannot be read')
    return undefined
  }
}

type Urgency = 'info' | 'warning' | 'critical'
const SEVERITIES = { info: 'low', warning: 'medium', critical: 'high' } as const

/**
 * Messages are alerts, so they go to all that receives alerts. Without a printer, they are about the first one of the
 * rule that the author may see.
 */
function messenger (kernel: Kernel, caller: (rule: Rule) => ReturnType<typeof callerOf>) {
  return (rule: Rule, printer: string | undefined, text: string, urgency: Urgency, type = 'rule_message'): boolean => {
    const rights = caller(rule)
    const seen = isWhy(rights) ? undefined : rightsOf(rights)?.printers
    const names = rule.printers ?? kernel.printers.names
    const about = printer ?? names.find(name => seen?.has(name) ?? true)
    if (about === undefined || kernel.optional.alerts === undefined) {
      kernel.logs.root.info({ rule: rule.name }, text)
      return false
    }
    const payload = { reason: text, rule: rule.name }
    kernel.optional.alerts.raise(about, { type, severity: SEVERITIES[urgency], payload })
    return true
  }
}

const HEATERS = {
  'climate.setBedTarget': why('heater_bed'), 'climate.setChamberTarget': why('heater_chamber'), 'climate.setNozzleTarget': why('heater_nozzle')
} as const

/** Ends heat as the service itself, in the name of the rule. */
const heatDeps = (kernel: Kernel): Omit<EngineDeps['heat'], 'store'> => ({
  look: heat => lookAtHeaters(kernel.printers.get(heat.printer), heat, kernel.now()),
  async cool ({ operation: name, printer, ruleName }, ending) {
    const operation = kernel.operations.get(name)
    if (operation === undefined) throw new Error(`there is no operation ${name}`)
    const caller = { name: `rule ${ruleName}`, id: 'rules', role: 'operate' as const, printers: undefined }
    const signal = AbortSignal.any([kernel.signal, timeoutSignal(COOL_MS)])
    await kernel.call(operation, ending, { caller, surface: 'rules', printer, signal })
  },
  tell ({ operation, printer, ruleName: rule, celsius }: Heat, reason) {
    const heater = HEATERS[operation as keyof typeof HEATERS]
    const said = why('heat_left', { rule, heater, printer, celsius, reason })
    kernel.logs.root.warn({ rule, printer, celsius }, 'what a rule has heated may still be on')
    kernel.optional.alerts?.raise(printer, { type: 'rule_heat', severity: 'high', payload: { reason: whyInWords(said), rule, why: said } })
  }
})

const scheduleOf = ({ latitude, longitude, timeZone }: Static<typeof Options>) => ({
  place: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }, timeZone
})

const reports = (session: PrinterSession | undefined): boolean => session !== undefined && hasCurrentState(session)

/** Rules: when something happens, and if something holds, then do something, as their author and without asking. */
export const rulesWith = ({ everyMs = SECOND_MS }: Timing = {}): Plugin<typeof Options> => definePlugin({
  name: 'rules',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Rules: when, if, then, without a person',
  needs: ['database', 'http', 'history', 'live'],
  leavesWithNeeds: true,
  optional: ['alerts', 'broker', 'queue', 'recording', 'spools'],
  provides: ['rules'],
  uses: ['commands', 'disk', 'network'],
  options: Options,
  contributes: {
    routes,
    tools,
    migrations,
    pages: [rulesPage],
    ruleEvents: [...printEvents, ...printerEvents, ...queueEvents],
    ruleValues: [...printerValues, ...serviceValues]
  },
  setup (context) {
    const { app, kernel, options, log, printers, services: { database, http }, optional, provide } = context
    const { onReady, onClose, events } = context
    const words = wordsOf(kernel)
    const schedule = scheduleOf(options)
    const isShared = () => database.status.kind === 'postgres'
    const people = () => http.access.people
    const message = messenger(kernel, rule => callerOf(rule, people()))
    const [rules, runs] = [createRuleStore(database), createRunStore(database)]
    const engine = new Engine({
      rules,
      runs,
      words,
      now: kernel.now,
      clock: createClock(options.timeZone),
      schedule,
      mostOfAll: options.mostPerHour,
      printers: () => printers.sessions.filter(({ remote }) => remote === undefined).map(({ name }) => name),
      reaches: printer => reports(printers.get(printer)),
      kernel,
      read: reader(kernel, words, log),
      callerOf: createCallers(people, kernel.now),
      heat: { ...heatDeps(kernel), store: createHeatStore(database) },
      isShared,
      message,
      async paused (rule, reason) {
        const words = whyInWords(reason)
        log.warn({ rule: rule.name, reason: words }, 'a rule was paused')
        message(rule, undefined, `${rule.name}: ${words}`, 'warning', 'rule_paused')
        await book.reload()
      },
      log
    })
    const topics = new BrokerTopics({ broker: () => optional.broker, engine, now: kernel.now })
    const book = new RuleBook({
      kernel,
      engine,
      words,
      rules,
      runs,
      keepDays: options.keepDays,
      isShared,
      changed: () => topics.follow(),
      log
    })
    provide('rules', new RulesService({
      kernel, words, engine, book, rules, runs, schedule, people, hasBroker: () => optional.broker?.isSetUp === true
    }))
    serveWebhook(app, kernel, engine, () => book.open())
    const begin = () => {
      book.start(everyMs)
      book.open().catch((error: Error) => log.warn({ err: error }, 'rules cannot be read'))
    }
    onReady(() => { if (printers.names.length > 0) begin() })
    events.on('printer:added', begin)
    onClose(() => {
      topics.close()
      book.close()
    })
  }
})

export default rulesWith()
