import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defineError, isServiceError, NotFound, type AnyOperation, type Kernel } from '../../core/index.js'
import { addPrinter, updateCredentials } from './operations/credentials.js'
import { discoverPrinters } from './operations/discovery.js'
import { removePrinter } from './operations/sessions.js'
import { testPrinter } from './test-printer.js'

export const NotFromHere = defineError(
  'PRN_ERR_NOT_FROM_HERE', 'Configure printers with the tools, or on the machine where the service runs', 403)

/** The command line delegates these actions to a running service, so that printers need no second session. */
export const MANAGEMENT_PATH = '/plugins/management'

const ACTS: Readonly<Record<string, AnyOperation>> = {
  add: addPrinter,
  discover: discoverPrinters,
  remove: removePrinter,
  test: testPrinter,
  update: updateCredentials
}

/** A line of the answer: progress, and finally the output or the error. */
export type ResultLine =
  | { readonly step: string }
  | { readonly output: unknown }
  | { readonly error: { readonly message: string, readonly code?: string } }

/**
 * Stricter than the access level of these routes: even with the token, only callers on this machine are allowed.
 * @throws PRN_ERR_NOT_FROM_HERE
 */
function checkCaller (request: FastifyRequest, { services }: Kernel): void {
  if (!services.http.isFromHere(request)) throw new NotFromHere()
}

const failure = (error: unknown): ResultLine => {
  const { message } = error as Error
  return { error: isServiceError(error) ? { message, code: error.code } : { message } }
}

/** Streams one line of JSON per step, because some actions take 15 s. */
async function perform (kernel: Kernel, operation: AnyOperation, input: object, { raw }: FastifyReply): Promise<void> {
  const gone = new AbortController()
  raw.once('close', () => gone.abort(new Error('the caller went away')))
  const say = (line: ResultLine) => { raw.write(`${kernel.redact(JSON.stringify(line))}\n`) }
  raw.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
  try {
    const progress = (_done: number, _total?: number, message = '') => say({ step: message })
    say({ output: await kernel.call(operation, input, { signal: gone.signal, progress }) })
  } catch (error) {
    say(failure(error))
  }
  raw.end()
}

export function serveActs (app: FastifyInstance, kernel: Kernel): void {
  const hidden = { schema: { hide: true } as object }

  app.get(MANAGEMENT_PATH, hidden, request => {
    checkCaller(request, kernel)
    return { configFile: kernel.configFile }
  })

  app.post<{ Params: { act: string } }>(`${MANAGEMENT_PATH}/:act`, hidden, async (request, reply) => {
    checkCaller(request, kernel)
    const { act } = request.params
    const operation = Object.hasOwn(ACTS, act) ? ACTS[act] : undefined
    if (!operation) throw new NotFound(`There is no action '${act}'`)
    reply.hijack()
    await perform(kernel, operation, request.body as object ?? {}, reply)
  })
}
