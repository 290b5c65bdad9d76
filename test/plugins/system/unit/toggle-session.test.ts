import t from 'tap'
import { PrinterClaimed } from '../../../../core/index.js'
import { pauseSession, toggleSession } from '../../../../plugins/system/operations/sessions.js'

/** A session that only knows whether it listens. */
const sessionIn = (service: string) => ({
  service,
  exclusively: (_what: string, work: () => unknown) => work(),
  async pause () { if (this.service === 'CONNECTED') this.service = 'PAUSED' },
  async resume () { if (this.service === 'PAUSED') this.service = 'CONNECTED' }
})
const toggled = async (service: string, state?: 'CONNECTED' | 'PAUSED'): Promise<string> => {
  const context = { session: sessionIn(service) } as never
  return (await toggleSession.run(context, { ...(state && { state }) })).state
}

t.test('a session comes to the wanted state, whatever somebody else did meanwhile', async t => {
  t.equal(await toggled('CONNECTED', 'CONNECTED'), 'CONNECTED', 'resumed by another person: it is not paused again')
  t.equal(await toggled('PAUSED', 'PAUSED'), 'PAUSED')
  t.equal(await toggled('CONNECTED', 'PAUSED'), 'PAUSED')
  t.equal(await toggled('PAUSED', 'CONNECTED'), 'CONNECTED')
  t.equal(await toggled('DISCONNECTED', 'PAUSED'), 'DISCONNECTED', 'the answer says that it is not paused')
})

t.test('what has claimed the printer keeps seeing it', async t => {
  const session = { ...sessionIn('CONNECTED'), async exclusively () { throw new PrinterClaimed('a job of the queue', 'x1c') } }
  const context = { session } as never
  await t.rejects(async () => await toggleSession.run(context, {}), { code: 'PRN_ERR_PRINTER_CLAIMED' })
  await t.rejects(async () => await pauseSession.run(context, {}), { code: 'PRN_ERR_PRINTER_CLAIMED' })
  t.equal(session.service, 'CONNECTED')
})

t.test('without a wanted state it is the other one', async t => {
  t.same([await toggled('CONNECTED'), await toggled('PAUSED'), await toggled('QUIT')], ['PAUSED', 'CONNECTED', 'QUIT'])
})
