import { connectAsync } from 'mqtt'
import type { Machine } from './machine.js'
import { FLOOD, sensorTopic } from './set-up.js'

const SILENT = 0.05
const FLOOD_EVERY_MS = 50

/** Sensors under the plates, and somebody who floods the broker, which has stored an "empty" that means nothing. */
export async function startSensors (url: string, machines: readonly Machine[], random: () => number) {
  const client = await connectAsync(url, { reconnectPeriod: 100, queueQoSZero: false })
  const publish = (topic: string, text: string, retain = false): void => {
    if (client.connected) client.publish(topic, text, { retain })
  }
  client.on('message', topic => {
    const machine = machines.find(({ printer: { name } }) => topic === `${sensorTopic(name)}/read`)
    if (machine === undefined || random() < SILENT) return
    machine.look()
    publish(sensorTopic(machine.printer.name), JSON.stringify({ plate: machine.isEmpty ? 'empty' : 'part' }))
  })
  await client.subscribeAsync('plates/+/read')
  // Only before the service listens: to those who do, the broker passes it on as news.
  machines.forEach(({ printer: { name } }) => publish(sensorTopic(name), '{"plate":"empty"}', true))
  const flood = setInterval(() => publish(FLOOD, String(random())), FLOOD_EVERY_MS)
  return async () => {
    clearInterval(flood)
    await client.endAsync(true)
  }
}
