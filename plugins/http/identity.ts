import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BadInput, NotFound, type Kernel } from '../../core/index.js'

/** Here a service proves, without a token, that it uses a certain data folder. */
export const IDENTITY_PATH = '/plugins/http/identity'

const NONCE = /^[0-9a-f]{32,128}$/

/**
 * The answer to a nonce. It includes the port, so that a program on another port cannot relay the service's answer.
 * @param key of the data folder
 */
export const proofOf = (key: string, nonce: string, port: number): string =>
  createHmac('sha256', key).update(`prnd service ${nonce} ${port}`).digest('hex')

export function isProof (given: unknown, key: string, nonce: string, port: number): boolean {
  const expected = Buffer.from(proofOf(key, nonce, port))
  const found = Buffer.from(typeof given === 'string' ? given : '')
  return found.length === expected.length && timingSafeEqual(found, expected)
}

/** Clients verify the service before they send it the token, so this route requires none. */
export const isIdentityQuestion = ({ routeOptions: { url } }: FastifyRequest): boolean => url === IDENTITY_PATH

export function serveIdentity (app: FastifyInstance, kernel: Kernel): void {
  const hidden = { schema: { hide: true } as object }
  app.get<{ Querystring: { nonce?: unknown } }>(IDENTITY_PATH, hidden, ({ query: { nonce } }, reply) => {
    const { folderKey, apiPort } = kernel
    if (folderKey === undefined || apiPort === 0) throw new NotFound('This service listens on no port')
    if (typeof nonce !== 'string' || !NONCE.test(nonce)) throw new BadInput('nonce must be 16 to 64 bytes in hexadecimal')
    return reply.header('cache-control', 'no-store').send({ proof: proofOf(folderKey, nonce, apiPort) })
  })
}
