import { Type } from 'typebox'
import { operation } from '../../core/index.js'

export const listRelayed = operation({
  name: 'relay.list',
  summary: 'Printers and groups that are relayed, and who is connected to them',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Object({
    printers: Type.Array(Type.Object({
      printer: Type.String(),
      is_group: Type.Boolean({ description: 'A group of printers that accepts prints for the queue' }),
      bind: Type.String({ description: 'Address it listens on' }),
      ports: Type.Record(Type.String(), Type.Integer(), { description: 'Open ports by protocol' }),
      clients: Type.Array(Type.String(), { description: 'Connections as `name (protocol)`' }),
      problem: Type.String({ description: 'Why it is not available; empty while it is' }),
      warnings: Type.Array(Type.String(), { description: 'What does not work while it is available' })
    }))
  }),
  run: ({ services }) => ({
    printers: services.relay.places.map(({ printer, isGroup, bind, ports, connections, problem, warnings }) => {
      const { detectTls, ...others } = ports
      return {
        printer,
        is_group: isGroup,
        bind,
        ports: { ...others, ...(detectTls && { detect_tls: detectTls }) },
        clients: connections.map(({ client, protocol }) => `${client.name} (${protocol})`).sort(),
        problem,
        warnings: [...warnings]
      }
    })
  })
})
