import { createHash, randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { PrinterRegistry } from '../../core/index.js'
import type { Alert } from '../alerts/index.js'
import type { Recording } from '../recording/index.js'
import type { Attachments } from './attachments.js'
import type { Delivery } from './deliveries.js'
import { FloodGate } from './flood.js'
import { HeldAlerts, type HeldStore } from './held-alerts.js'
import type { Target } from './options.js'
import type { createRouter, Dispatch } from './router.js'
import type { Sender } from './sender.js'
import type { Message } from './targets/types.js'
import { fillTemplate } from './template.js'
import { clipWordsOf, shortened, wordsOf, type Words } from './words.js'

export interface MessengerOptions {
  /** Changes when the rules change. */
  readonly router: () => ReturnType<typeof createRouter>
  readonly sender: Pick<Sender, 'add'>
  readonly targets: ReadonlyMap<string, Target>
  readonly attachments: Attachments
  readonly printers: Pick<PrinterRegistry, 'get'>
  /** Where alerts that are held back are kept over a kill. */
  readonly store: HeldStore
  /** Whether a target may get messages about a printer. */
  readonly mayGet: (target: string, printer: string) => boolean
  readonly redact: (text: string) => string
  readonly giveUpAfterMs: number
  readonly now: () => number
  /** Monotonic clock, ms. */
  readonly steady?: () => number
  readonly log: Pick<FastifyBaseLogger, 'debug'>
}

const ID_BYTES = 12
/** A random id that cannot be guessed. */
export const newId = (): string => randomBytes(ID_BYTES).toString('hex')

/** Longer payloads are left out of the message. */
const MOST_PAYLOAD = 8_192
/** Limit of remembered recordings, which may be reported as ready more than once. */
const MOST_REMEMBERED = 256

const MOST_OWN_TITLE = 200
const MOST_OWN_TEXT = 4_000

type Subject = Pick<Message, 'printer' | 'alert' | 'severity' | 'at' | 'payload'>

type DeliveryOptions = Pick<MessengerOptions, 'redact' | 'giveUpAfterMs' | 'now'>

/** The part of a message's id that names the target: ids are sent as headers, which are ASCII. */
const inId = (target: string): string =>
  /^[\w .-]*$/.test(target) ? target : createHash('sha256').update(target).digest('hex').slice(0, ID_BYTES)

function deliveryOf (id: string, { target, dueAt }: Pick<Dispatch, 'target' | 'dueAt'>, subject: Subject, words: Words,
  { redact, giveUpAfterMs, now }: DeliveryOptions): Delivery {
  const payload = redact(JSON.stringify(subject.payload))
  return {
    ...subject,
    id: `${id}-${inId(target)}`,
    created_at: now(),
    target,
    title: redact(words.title),
    text: redact(words.text),
    payload: payload.length > MOST_PAYLOAD ? '{}' : payload,
    attachment: '',
    status: 'waiting',
    attempts: 0,
    due_at: dueAt,
    give_up_at: dueAt + giveUpAfterMs,
    ended_at: null,
    problem: null
  }
}

/** A message that no alert has caused. */
export interface OwnMessage {
  /** Letters, digits and hyphens. */
  readonly id: string
  /** What kind it is, as programs see it: `morning_report`. */
  readonly kind: string
  readonly severity: Delivery['severity']
  /** About which printers it tells: only who may know of all of them gets it. */
  readonly printers: readonly string[]
  readonly title: string
  readonly text: string
  readonly payload: object
}

/** The message of another plugin to one target. */
export const ownDelivery = (message: OwnMessage, target: string, options: DeliveryOptions): Delivery => {
  const { id, kind: alert, severity, printers, title, text, payload } = message
  const subject: Subject = {
    printer: printers.length === 1 ? printers[0] ?? '' : '',
    alert,
    severity,
    at: new Date(options.now()).toISOString(),
    payload: payload as Subject['payload']
  }
  const words = { title: title.slice(0, MOST_OWN_TITLE), text: text.slice(0, MOST_OWN_TEXT) }
  return deliveryOf(id, { target, dueAt: options.now() }, subject, words, options)
}

function wordsFor ({ rule }: Dispatch, id: string, subject: Subject, usual: Words): Words {
  const values = { ...subject, ...usual, id }
  return shortened({
    title: rule.title === undefined ? usual.title : fillTemplate(rule.title, values),
    text: rule.text === undefined ? usual.text : fillTemplate(rule.text, values)
  })
}

/** Turns alerts and recordings into messages for the sender. */
export function createMessenger (options: MessengerOptions) {
  const { sender, targets, attachments, printers, store, redact, steady = () => performance.now(), log } = options
  const clips = new Set<string>()
  const gate = new FloodGate(steady)
  const held = new HeldAlerts({ store, held: () => gate.held, redact, steady, log })

  const takesPicture = ({ rule, target }: Dispatch): boolean =>
    rule.attach !== 'none' && targets.get(target)?.takes.picture !== undefined

  /** One picture for all targets, taken now, even if quiet hours delay the message. */
  function pictureFor (dispatches: readonly Dispatch[], printer: string, id: string): Promise<string> | undefined {
    const session = printers.get(printer)
    const wanting = dispatches.filter(takesPicture)
    if (wanting.length === 0 || !attachments.hasCamera(session)) return undefined
    const most = Math.max(...wanting.map(({ target }) => targets.get(target)?.takes.picture ?? 0))
    const picture = attachments.takePicture(session, id, most)
    picture.catch((error: Error) => log.debug({ err: error, printer }, 'a message goes without a picture'))
    return picture
  }

  function send (given: Alert): void {
    const router = options.router()
    const alert = router.withoutIgnored(given)
    const dispatches = (alert === undefined ? [] : router.ofAlert(alert))
      .filter(({ target }) => options.mayGet(target, given.printer))
    if (alert === undefined || dispatches.length === 0) return
    const id = newId()
    const { type, printer, severity, timestamp: at, payload } = alert
    const subject = { alert: type, printer, severity, at, payload }
    const usual = wordsOf(alert)
    const picture = pictureFor(dispatches, printer, id)
    for (const dispatch of dispatches) {
      const delivery = deliveryOf(id, dispatch, subject, wordsFor(dispatch, id, subject, usual), options)
      sender.add(delivery, takesPicture(dispatch) ? picture?.then(attachment => ({ attachment })) : undefined)
    }
  }

  const isRecent = ({ timestamp }: Alert): boolean => Date.parse(timestamp) > options.now() - options.giveUpAfterMs

  return {
    onAlert (alert: Alert): void {
      for (const due of gate.take(alert)) send(due)
      held.write(alert.type === 'job_failed')
    },
    /** Sends alerts that were held back long enough, also by an earlier run. @param isLast sends all, at shutdown */
    tick (isLast = false): void {
      held.write()
      for (const due of [...held.takeLeft().filter(isRecent), ...gate.due(isLast)]) send(due)
    },
    close: (): Promise<void> => held.close(),
    onRecording ({ id, kind, status, printer, started_at: at, duration_s: seconds, bytes, alerts }: Recording): void {
      if (kind !== 'evidence' || status !== 'ready' || clips.has(id)) return
      clips.add(id)
      const [oldest = id] = clips
      if (clips.size > MOST_REMEMBERED) clips.delete(oldest)
      const dispatches = options.router().ofClip(printer, alerts.map(({ type }) => type))
        .filter(({ target }) => bytes <= (targets.get(target)?.takes.clip ?? 0) && options.mayGet(target, printer))
      const subject = { alert: alerts[0]?.type ?? 'clip', printer, severity: 'high' as const, at, payload: { recording: id } }
      for (const dispatch of dispatches) {
        const delivery = deliveryOf(id, dispatch, subject, clipWordsOf(printer, alerts, seconds), options)
        sender.add({ ...delivery, attachment: attachments.clip(id) })
      }
    }
  }
}

export type Messenger = ReturnType<typeof createMessenger>

/** The message of a delivery, with its attachment. */
export async function messageOf (delivery: Delivery, { takes }: Target, attachments: Attachments): Promise<Message> {
  const { id, title, text, printer, alert, severity, at, payload } = delivery
  const attachment = await attachments.read(delivery.attachment)
  const fits = attachment !== undefined && attachment.bytes.length <= (takes[attachment.kind] ?? 0)
  return {
    id, title, text, printer, alert, severity, at, payload: JSON.parse(payload), ...(fits && { attachment })
  }
}
