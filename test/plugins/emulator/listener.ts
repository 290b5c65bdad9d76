import type { Test } from 'tap'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { createManualClock, createVirtualPrinter, type ManualClock, type VirtualPrinter, type VirtualPrinterOptions }
  from '../../../plugins/emulator/index.js'

/** A JSON object that a test looks into without ceremony. */
export type Doc = { [key: string]: any }

/** One connection to a virtual printer with the bare client, and what it heard. */
export interface Listener {
  readonly client: MqttClient
  /** Every message, oldest first; `text` is what was on the wire. */
  readonly heard: { readonly text: string, readonly doc: Doc }[]
  /** Status reports among them. */
  reports (): Doc[]
  send (request: Doc | string, qos?: 0 | 1 | 2): Promise<void>
  /** Sends a command and gives the answer. */
  ask (section: string, command: string, body?: Doc): Promise<Doc>
  /** Sends a command that must not be answered; gives the full report after it. */
  tell (section: string, command: string, body?: Doc): Promise<Doc>
  /** Waits until everything said so far has arrived. */
  settle (): Promise<void>
  /** A full report, asked for. */
  status (): Promise<Doc>
  /** Waits for a message. */
  wait (test: (doc: Doc) => boolean, what?: string): Promise<Doc>
}

const PATIENCE_MS = 5000

export const login = (printer: VirtualPrinter, options: IClientOptions = {}): IClientOptions => ({
  protocol: 'mqtts',
  host: '127.0.0.1',
  port: printer.ports.mqtt,
  username: 'bblp',
  password: printer.accessCode,
  protocolVersion: 4,
  rejectUnauthorized: false,
  reconnectPeriod: 0,
  connectTimeout: PATIENCE_MS,
  ...options
})

const parse = (text: string): Doc => {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

let sequence = 20000

export async function listen (t: Test, printer: VirtualPrinter, topic = `device/${printer.serial}/report`): Promise<Listener> {
  const client = await mqtt.connectAsync(login(printer))
  t.teardown(() => client.endAsync(true))
  client.on('error', () => {})
  const heard: Listener['heard'] = []
  const waiting = new Set<(doc: Doc) => void>()
  client.on('message', (_topic, payload) => {
    const text = payload.toString()
    const doc = parse(text)
    heard.push({ text, doc })
    for (const look of waiting) look(doc)
  })
  await client.subscribeAsync(topic)

  const send: Listener['send'] = async (request, qos = 1) => {
    const text = typeof request === 'string' ? request : JSON.stringify(request)
    await client.publishAsync(`device/${printer.serial}/request`, text, { qos })
  }

  const wait: Listener['wait'] = (test, what = 'a message') => new Promise((resolve, reject) => {
    const timer = setTimeout(() => { waiting.delete(look); reject(new Error(`no ${what} came`)) }, PATIENCE_MS)
    const look = (doc: Doc): void => {
      if (!test(doc)) return
      waiting.delete(look)
      clearTimeout(timer)
      resolve(doc)
    }
    waiting.add(look)
  })

  const ask: Listener['ask'] = async (section, command, body = {}) => {
    const id = String(sequence++)
    const isAnswer = (doc: Doc): boolean => doc[section]?.sequence_id === id && doc[section]?.command === command
    const answer = wait(isAnswer, `answer to ${section}.${command}`)
    await send({ [section]: { command, sequence_id: id, ...body } })
    return (await answer)[section]
  }

  const settle = async (): Promise<void> => { await ask('info', 'get_version') }

  const status = async (): Promise<Doc> => {
    await send({ pushing: { command: 'pushall', sequence_id: String(sequence++) } })
    await settle()
    const full = heard.findLast(({ doc }) => doc.print?.command === 'push_status' && doc.print.msg === 0 &&
      doc.print.ams !== undefined)
    if (full === undefined) throw new Error('no full report came')
    return full.doc.print
  }

  return {
    client,
    heard,
    send,
    wait,
    ask,
    settle,
    status,
    reports: () => heard.flatMap(({ doc }) => doc.print?.command === 'push_status' ? [doc.print] : []),
    async tell (section, command, body = {}) {
      const id = String(sequence++)
      await send({ [section]: { command, sequence_id: id, ...body } })
      const report = await status()
      const answers = heard.filter(({ doc }) => doc[section]?.sequence_id === id)
      if (answers.length > 0) throw new Error(`${section}.${command} was answered: ${JSON.stringify(answers[0]?.doc)}`)
      return report
    }
  }
}

export interface Bench extends Listener {
  readonly printer: VirtualPrinter
  readonly clock: ManualClock
  /** Lets the printer live for a while, second by second. */
  live (seconds: number): Promise<void>
}

/** A started printer on a clock that only moves when told, with one listener. */
export async function bench (t: Test, options: VirtualPrinterOptions): Promise<Bench> {
  const clock = createManualClock()
  const printer = createVirtualPrinter({ clock, ...options })
  await printer.start()
  t.teardown(() => printer.stop())
  const listener = await listen(t, printer)
  return {
    ...listener,
    printer,
    clock,
    async live (seconds) {
      clock.advance(seconds * 1000)
      await listener.settle()
    }
  }
}
