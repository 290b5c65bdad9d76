import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { PrinterRegistry } from '../../core/index.js'
import type { Alert } from '../alerts/index.js'
import type { Recording } from '../recording/index.js'
import type { Attachments } from './attachments.js'
import type { Delivery } from './deliveries.js'
import { createFloodGate } from './flood.js'
import type { Target } from './options.js'
import type { createRouter, Errand } from './rules.js'
import type { Sender } from './sender.js'
import type { Message } from './targets/types.js'
import { fill } from './template.js'
import { clipWordsOf, shortened, wordsOf, type Words } from './words.js'

export interface MessengerOptions {
  readonly router: ReturnType<typeof createRouter>
  readonly sender: Pick<Sender, 'add' | 'has'>
  readonly targets: ReadonlyMap<string, Target>
  readonly attachments: Attachments
  readonly printers: Pick<PrinterRegistry, 'get'>
  readonly redact: (text: string) => string
  readonly giveUpAfterMs: number
  readonly now: () => number
  readonly log: Pick<FastifyBaseLogger, 'debug'>
}

const ID_BYTES = 12
/** Nobody can guess it. */
export const newId = (): string => randomBytes(ID_BYTES).toString('hex')

/** Longer ones are left out: they are for programs, and a message is not the place for them. */
const MOST_PAYLOAD = 8_192
/** A recording is told of as ready once more when it is stored anew. */
const MOST_REMEMBERED = 256

type Subject = Pick<Message, 'printer' | 'alert' | 'severity' | 'at' | 'payload'>

/** Makes messages of alerts and recordings, and hands them to the sender. */
export function createMessenger (options: MessengerOptions) {
  const { router, sender, targets, attachments, printers, redact, giveUpAfterMs, now, log } = options
  const clips = new Set<string>()
  const gate = createFloodGate(() => performance.now())

  function deliveryOf (id: string, { target, dueAt }: Errand, subject: Subject, words: Words): Delivery {
    const payload = redact(JSON.stringify(subject.payload))
    return {
      ...subject,
      id: `${id}-${target}`,
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

  function wordsFor ({ rule }: Errand, id: string, subject: Subject, usual: Words): Words {
    const values = { ...subject, ...usual, id }
    return shortened({
      title: rule.title === undefined ? usual.title : fill(rule.title, values),
      text: rule.text === undefined ? usual.text : fill(rule.text, values)
    })
  }

  const takesPicture = ({ rule, target }: Errand): boolean =>
    rule.attach !== 'none' && targets.get(target)?.takes.picture !== undefined

  /** One picture for all targets; it is taken now, though a message may wait for the morning. */
  function pictureFor (errands: readonly Errand[], printer: string, id: string): Promise<string> | undefined {
    const session = printers.get(printer)
    const wanting = errands.filter(takesPicture)
    if (wanting.length === 0 || !attachments.hasCamera(session)) return undefined
    const most = Math.max(...wanting.map(({ target }) => targets.get(target)?.takes.picture ?? 0))
    const picture = attachments.takePicture(session, id, most)
    picture.catch((error: Error) => log.debug({ err: error, printer }, 'a message goes without a picture'))
    return picture
  }

  function tell (given: Alert): void {
    const alert = router.withoutIgnored(given)
    const errands = alert === undefined ? [] : router.ofAlert(alert)
    if (alert === undefined || errands.length === 0) return
    const id = newId()
    const { type, printer, severity, timestamp: at, payload } = alert
    const subject = { alert: type, printer, severity, at, payload }
    const usual = wordsOf(alert)
    const picture = pictureFor(errands, printer, id)
    for (const errand of errands) {
      const delivery = deliveryOf(id, errand, subject, wordsFor(errand, id, subject, usual))
      sender.add(delivery, takesPicture(errand) ? picture?.then(attachment => ({ attachment })) : undefined)
    }
  }

  return {
    onAlert (alert: Alert): void { for (const told of gate.take(alert)) tell(told) },
    /** Tells what was held back long enough. @param isLast all of it, before the service ends */
    tick (isLast = false): void { for (const told of gate.due(isLast)) tell(told) },
    onRecording ({ id, kind, status, printer, started_at: at, duration_s: seconds, bytes, alerts }: Recording): void {
      if (kind !== 'evidence' || status !== 'ready' || clips.has(id)) return
      clips.add(id)
      const [oldest = id] = clips
      if (clips.size > MOST_REMEMBERED) clips.delete(oldest)
      const errands = router.ofClip(printer, alerts.map(({ type }) => type))
        .filter(({ target }) => bytes <= (targets.get(target)?.takes.clip ?? 0))
      const subject = { alert: alerts[0]?.type ?? 'clip', printer, severity: 'high' as const, at, payload: { recording: id } }
      for (const errand of errands) {
        const delivery = deliveryOf(id, errand, subject, clipWordsOf(printer, alerts, seconds))
        sender.add({ ...delivery, attachment: attachments.clip(id) })
      }
    }
  }
}

/** A delivery as it is sent. */
export async function messageOf (delivery: Delivery, { takes }: Target, attachments: Attachments): Promise<Message> {
  const { id, title, text, printer, alert, severity, at, payload } = delivery
  const attachment = await attachments.read(delivery.attachment)
  const fits = attachment !== undefined && attachment.bytes.length <= (takes[attachment.kind] ?? 0)
  return {
    id, title, text, printer, alert, severity, at, payload: JSON.parse(payload), ...(fits && { attachment })
  }
}
