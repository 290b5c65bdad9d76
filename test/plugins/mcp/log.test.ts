import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import t from 'tap'
import { createClientRegistry, type LogMessage } from '../../../plugins/mcp/client-registry.js'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { listening } from './connect.js'

interface Heard { readonly level: string, readonly logger?: string | undefined, readonly data: any }

function hear (client: Client): Heard[] {
  const heard: Heard[] = []
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params: { level, logger, data } }) => {
    heard.push({ level, logger, data })
  })
  return heard
}

t.test('the audience wantsLevel by weight, and only who asked', async t => {
  const clientRegistry = createClientRegistry()
  const heard: string[] = []
  const [silent, all, errors] = [{ name: 'silent' }, { name: 'all' }, { name: 'errors' }]
  for (const client of [silent, all, errors]) {
    clientRegistry.join(client, {
      log: async ({ level }: LogMessage) => { heard.push(`${client.name} ${level}`) },
      resourcesChanged: async () => { throw new Error('gone') }
    })
  }
  clientRegistry.setLevel(all, 'debug', undefined)
  clientRegistry.setLevel(errors, 'error', undefined)
  for (const level of ['debug', 'warning', 'error', 'emergency'] as const) clientRegistry.log({ level, logger: 'x', printer: 'a', data: {} })
  t.same(heard, ['all debug', 'all warning', 'all error', 'errors error', 'all emergency', 'errors emergency'])
  t.equal(clientRegistry.wantsLevel(silent, 'emergency'), undefined)
  clientRegistry.leave(all)
  clientRegistry.log({ level: 'info', logger: 'x', printer: 'a', data: {} })
  t.equal(heard.length, 6)
  clientRegistry.resourcesChanged()
  t.equal(clientRegistry.size, 2)
})

t.test('a level there is not is refused', async t => {
  const { client } = await boot(t, { models: [] })
  await t.rejects(client.setLoggingLevel('loud' as 'info'))
  t.same(await client.setLoggingLevel('warning'), {})
})

t.test('connections that come and go are told over HTTP, with the reason', async t => {
  const { connect, printer, name } = await listening(t)
  const { client } = await connect()
  const { client: other } = await connect()
  const { client: deaf } = await connect()
  const [heard, errors, nothing] = [hear(client), hear(other), hear(deaf)]
  await client.setLoggingLevel('info')
  await other.setLoggingLevel('error')
  printer.faults.drop()
  await eventually(() => heard.some(({ level }) => level === 'warning'))
  t.match(heard.find(({ level }) => level === 'warning'), {
    logger: 'printers',
    data: { printer: name, problem: 'connection_lost', message: /^x1c: .*connection was lost/ }
  })
  await eventually(() => heard.some(({ data }) => data.service_state === 'CONNECTED'))
  t.match(heard.find(({ data }) => data.service_state === 'CONNECTED'), { level: 'info', data: { message: 'x1c: connected' } })
  t.same(errors, [], 'not to those who want errors only')
  t.same(nothing, [], 'nor to those who did not ask')
})

t.test('a problem that needs somebody is an error, told when it changes', async t => {
  const { client, printer } = await boot(t)
  const heard = hear(client)
  await client.setLoggingLevel('error')
  printer.faults.rejectAccessCode()
  await eventually(() => heard.length > 0, 10_000)
  t.match(heard[0], { level: 'error', data: { problem: 'access_code_rejected', message: /access code/i } })
  t.notMatch(JSON.stringify(heard), printer.accessCode)
})

t.test('a pause and its end are told', async t => {
  const { client, tool, name } = await boot(t)
  const heard = hear(client)
  await client.setLoggingLevel('notice')
  await tool('pause_mqtt_session', { name, user_permission: true })
  await eventually(() => heard.length === 1)
  t.match(heard[0], { level: 'notice', data: { service_state: 'PAUSED', message: /frozen/ } })
})

t.test('a new active fault is told once, with its words, and so is the end of all', async t => {
  const { client, printer, kernel, name } = await boot(t)
  const heard = hear(client)
  await client.setLoggingLevel('info')
  const hms = [{ attr: 0x07002200, code: 0x00020001 }, { attr: 0x03000100, code: 0x00010007 }]
  const fault = { print_error: 0x03004006, hms }
  printer.patch(fault)
  await eventually(() => heard.length >= 2)
  const codes = heard.map(({ data }) => data.code)
  t.same(codes, ['HMS_0300-4006', 'HMS_0700-2200-0002-0001'], 'the error and the first message; the rest is history')
  t.match(heard[0], { logger: 'printers', data: { printer: name, severity: 'Error', message: /\(HMS_0300-4006\)$/ } })
  t.equal(heard[0]?.level, 'error')
  printer.patch({ print_error: 0, hms: [] })
  await eventually(() => heard.length >= 3)
  t.match(heard[2], { level: 'info', data: { message: /no active errors/ } })
  printer.patch(fault)
  await eventually(() => kernel.printers.get(name)?.state?.errors.printError !== 0)
  printer.patch({ print_error: 0, hms: [] })
  await eventually(() => heard.length >= 4)
  t.match(heard[3], { data: { message: /no active errors/ } }, 'the same fault within half a minute is not told again')
})

t.test('a session that ends is told', async t => {
  const { client, kernel, name } = await boot(t)
  const heard = hear(client)
  await client.setLoggingLevel('debug')
  await kernel.printers.disconnect(name)
  await eventually(() => heard.length > 0)
  t.match(heard[0], { level: 'notice', data: { message: `${name}: session ended` } })
})
