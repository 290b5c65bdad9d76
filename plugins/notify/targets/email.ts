import { Type } from 'typebox'
import { BadConfig, readNamedText, Secret, wordsOfFailure } from '../../../core/index.js'
import { HostFile } from './host-file.js'
import { defineMessageTarget, NotDelivered } from './types.js'

const MIB = 1024 * 1024
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000

const Address = Type.String({ pattern: '^[^\\s@<>,;]+@[^\\s@<>,;]+$', maxLength: 254 })

/** Default port of each kind of encryption. */
const PORTS = { implicit: 465, starttls: 587, none: 25 } as const

interface SmtpError extends Error { readonly responseCode?: number, readonly code?: string }

/** Omits the server's own message, because it may repeat the login. */
function failureOf (error: SmtpError): NotDelivered {
  const { responseCode, code } = error
  const isLogin = code === 'EAUTH' || code === 'ENOAUTH'
  if (responseCode === undefined) return new NotDelivered(wordsOfFailure(error), { final: isLogin })
  const why = isLogin ? ': user or password is wrong' : ''
  return new NotDelivered(`the server answered ${responseCode}${why}`, { final: responseCode >= 500 })
}

export const email = defineMessageTarget({
  type: 'email',
  options: Type.Object({
    host: Type.String({ minLength: 1, description: 'SMTP server' }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: '587, 465 or 25, by `tls`' })),
    tls: Type.Enum(['starttls', 'implicit', 'none'], {
      default: 'starttls', description: 'Encryption; `none` sends login and message in plain text'
    }),
    ca: Type.Optional(HostFile('PEM file with the CA certificates')),
    user: Type.Optional(Type.String({ minLength: 1 })),
    password: Type.Optional(Secret('Password of the user')),
    from: Address,
    to: Type.Array(Address, { minItems: 1, maxItems: 16 })
  }),
  takes: { picture: 5 * MIB, clip: 15 * MIB },
  async create ({ host, port, tls, ca, user, password, from, to }, { secret, where }) {
    if ((user === undefined) !== (password === undefined)) throw new BadConfig(`${where}: user and password go together`)
    const pass = password === undefined ? undefined : await secret(password, 'password')
    const authorities = ca === undefined
      ? undefined
      : await readNamedText(ca).catch((error: Error) => { throw new BadConfig(`${where}.ca: ${error.message}`) })
    const domain = from.slice(from.lastIndexOf('@') + 1)
    return async ({ id, title, text, at, attachment }, signal) => {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({
        host,
        port: port ?? PORTS[tls],
        secure: tls === 'implicit',
        requireTLS: tls === 'starttls',
        ignoreTLS: tls === 'none',
        ...(user !== undefined && pass !== undefined && { auth: { user, pass } }),
        ...(authorities !== undefined && { tls: { ca: authorities } }),
        connectionTimeout: CONNECT_MS,
        greetingTimeout: CONNECT_MS,
        socketTimeout: SILENCE_MS,
        disableFileAccess: true,
        disableUrlAccess: true
      })
      const end = () => transport.close()
      signal.addEventListener('abort', end, { once: true })
      try {
        await transport.sendMail({
          from,
          to,
          subject: title,
          text: text === '' ? title : text,
          date: new Date(at),
          messageId: `<${id}@${domain}>`, // lets mail programs detect duplicates
          headers: { 'Auto-Submitted': 'auto-generated' },
          attachments: attachment === undefined
            ? []
            : [{ filename: attachment.name, content: attachment.bytes, contentType: attachment.type }]
        })
      } catch (error) {
        throw failureOf(error as SmtpError)
      } finally {
        signal.removeEventListener('abort', end)
        end()
      }
    }
  }
})
