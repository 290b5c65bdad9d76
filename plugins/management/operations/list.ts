import { Type } from 'typebox'
import { operation, type Kernel, type PrinterSession } from '../../../core/index.js'

const Nullable = Type.Union([Type.String(), Type.Null()])

const Configured = Type.Object({
  name: Type.String(),
  host: Type.String(),
  serial: Type.String(),
  model: Type.String({ description: 'Such as X1C; UNKNOWN until the printer has said it' }),
  state: Type.Enum(['connected', 'connecting', 'failed', 'paused', 'stopped'], {
    description: 'failed: the last attempt failed and is repeated; stopped: there is no session'
  }),
  problem: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()], {
    description: 'Why there is no connection, or no answer to commands'
  }),
  developer_mode: Type.Enum(['on', 'off', 'unknown'], { description: 'off: the printer refuses commands' }),
  firmware: Nullable,
  virtual: Type.Boolean({ description: 'A virtual printer, which is stored nowhere' }),
  held_by: Type.Union([Type.String(), Type.Null()], { description: 'The service of a fleet that has this printer' })
}, { 'x-name': 'ConfiguredPrinter' })

function stateOf (session: PrinterSession | undefined) {
  if (session === undefined) return 'stopped' as const
  if (session.service === 'PAUSED') return 'paused' as const
  if (session.live) return 'connected' as const
  return session.problem === undefined ? 'connecting' as const : 'failed' as const
}

function entryOf ({ printers }: Kernel, name: string) {
  const { host = '', serial = '', virtual } = printers.config(name) ?? {}
  const session = printers.get(name)
  const { problem, state } = session ?? {}
  return {
    name,
    host,
    serial,
    model: session?.model.model ?? 'UNKNOWN',
    state: stateOf(session),
    problem: problem === undefined ? null : { code: problem.code, message: problem.message },
    developer_mode: state?.device.developerMode ?? 'unknown' as const,
    firmware: state?.firmware.printer || null,
    virtual: virtual !== undefined,
    held_by: printers.holderOf(name)?.name ?? null
  }
}

export const listConfigured = operation({
  name: 'management.listConfigured',
  summary: 'The configured printers with their addresses and what hinders their connections, without access codes',
  effect: 'read',
  scope: 'daemon',
  access: 'trusted',
  input: Type.Object({}),
  output: Type.Object({ printers: Type.Array(Configured) }),
  run: ({ kernel }) => ({ printers: kernel.printers.names.map(name => entryOf(kernel, name)) })
})
