import type { FastifyRequest } from 'fastify'
import { isLoopbackHost } from '../http/index.js'

/** The endpoint that tokens are for, below the address of the service. */
export const PROTECTED_PATH = '/mcp'

const originOf = (text: string): string => URL.canParse(text) ? new URL(text).origin : ''

/**
 * The address of this service as the client wrote it, or the configured one; empty if it is none. The `Host` header has
 * passed the host check before.
 */
export const addressOf = ({ protocol, headers: { host = '' } }: FastifyRequest, publicUrl: string | undefined): string =>
  originOf(publicUrl ?? `${protocol}://${host}`)

/** The address of the page in a browser, or the configured one. */
export const addressOfPage = (origin: string, publicUrl: string | undefined): string => originOf(publicUrl ?? origin)

/** OAuth requires encryption, except on the machine itself. */
export function isSecureAddress (address: string): boolean {
  if (address === '') return false
  const { protocol, host } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost({ host }))
}

/** The resource indicator (RFC 8707), which is the audience of tokens. */
export const resourceAt = (address: string): string => address + PROTECTED_PATH

/** Clients may add a slash, or the query with which they choose tools. */
export function isResourceAt (address: string, asked: string): boolean {
  if (!URL.canParse(asked)) return false
  const { origin, pathname, username, password, hash } = new URL(asked)
  return origin === address && pathname.replace(/\/$/, '') === PROTECTED_PATH && username + password + hash === ''
}
