import type { Test } from 'tap'
import { Client as FtpClient } from 'basic-ftp'
import { connectAsync, type MqttClient } from 'mqtt'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { boot, type Booted, type BootOptions } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { printerPorts } from '../../helpers/ports.js'

export const FULL = 'full-code-1'
export const READ = 'read-code-1'
/** Of the printer itself: nothing of the relay may ever show it. */
export const REAL = '9f3c7d21'

export interface Relayed extends Booted {
  readonly serial: string
  readonly ports: { readonly mqtt: number, readonly ftps: number, readonly camera: number, readonly rtsps: number }
}

/** A service that relays its one printer to two clients. */
export async function relay (t: Test, options: BootOptions & { relay?: object } = {}): Promise<Relayed> {
  const folder = testFolder(t)
  const codeFile = (name: string, code: string) => {
    writeFileSync(join(folder, name), `${code}\n`)
    return { file: join(folder, name) }
  }
  const ports = await printerPorts()
  const booted = await boot(t, {
    models: [{ model: 'X1C', accessCode: REAL, reportEveryMs: 100 }],
    ...options,
    config: {
      ...options.config,
      plugins: {
        ...options.config?.plugins as object,
        relay: {
          bind: '127.0.0.1',
          announce: false,
          printers: [{ printer: options.models === undefined ? 'x1c' : 'printer', ports }],
          clients: [
            { name: 'Slicer', code: codeFile('full', FULL), access: 'full' },
            { name: 'Viewer', code: codeFile('read', READ) }
          ],
          ...options.relay
        }
      }
    }
  })
  await eventually(async () => {
    const { body } = await booted.http('GET', '/api/relay')
    return (body as { printers: { ports: object }[] }).printers.every(one => Object.keys(one.ports).length > 0)
  })
  return { ...booted, printer: booted.printer, name: booted.name, serial: booted.printer.serial, ports }
}

/** A client as slicers are, with another library's code. */
export async function connectClient (t: Test, { ports, serial }: Relayed, code = FULL, options: object = {}) {
  const client: MqttClient = await connectAsync(`mqtts://127.0.0.1:${ports.mqtt}`, {
    username: 'bblp', password: code, rejectUnauthorized: false, reconnectPeriod: 0, protocolVersion: 4, ...options
  })
  t.teardown(() => client.endAsync(true))
  const heard: Buffer[] = []
  client.on('message', (_topic, bytes) => heard.push(bytes))
  await client.subscribeAsync(`device/${serial}/report`)
  const sections = (section: string) =>
    heard.flatMap(bytes => (JSON.parse(bytes.toString()) as Record<string, any>)[section] ?? [])
  return {
    client,
    heard,
    sections,
    ask: (request: object) => client.publishAsync(`device/${serial}/request`, JSON.stringify(request), { qos: 1 }),
    /** The first message of this section that passes. */
    async answer (section: string, test: (body: Record<string, any>) => boolean): Promise<Record<string, any>> {
      await eventually(() => sections(section).some(test))
      return sections(section).find(test) as Record<string, any>
    }
  }
}

/** The card, with another library's code. */
export async function openCard (t: Test, { ports }: Relayed, code = FULL): Promise<FtpClient> {
  const client = new FtpClient(10_000)
  t.teardown(() => client.close())
  await client.access({
    host: '127.0.0.1', port: ports.ftps, user: 'bblp', password: code, secure: 'implicit', secureOptions: { rejectUnauthorized: false }
  })
  return client
}

export async function fetched (client: FtpClient, path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  await client.downloadTo(new Writable({ write (chunk: Buffer, _, done) { chunks.push(chunk); done() } }), path)
  return Buffer.concat(chunks)
}
