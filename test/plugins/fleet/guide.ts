import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../helpers/programs.js'

/** Why its commands cannot run here; false when they can. */
export const NO_OPENSSL: string | false = findProgram('openssl') === undefined ? 'openssl is not installed' : false

export const PASSWORDS = { hub: 'planted-hub-password', hall: 'planted-hall-password', shed: 'planted-shed-password' }
export type User = keyof typeof PASSWORDS

/** The guide on fleets, so that tests do what it says. */
const text = readFileSync(join(process.cwd(), 'docs', 'guides', 'fleet.md'), 'utf8')

/** Its block that begins with these words. */
function block (begin: string): string {
  const found = new RegExp(`\`\`\`\\w*\\n( *${begin}[\\s\\S]*?)\`\`\``).exec(text)?.[1]
  if (found === undefined) throw new Error(`the guide has no block that begins with ${begin}`)
  return found
}

/** An authority and a certificate for this machine. */
export function makeCertificates (folder: string): void {
  const script = block('openssl req -x509').replaceAll('DNS:hub.example.org', 'DNS:localhost')
  execFileSync('sh', ['-ec', script], { cwd: folder, stdio: 'ignore' })
}

/** Of the fleet's server: TLS, and accounts, among them one for a further site, made as the guide says. */
export function serverConfig (folder: string): string {
  const accounts = /accounts \{[\s\S]*/.exec(block('listen: 0.0.0.0:4222'))?.[0] ?? ''
  const toShed = (text: string) => text.replaceAll('HALL', 'SHED').replaceAll(/\bhall\b/g, 'shed')
  const [hall = ''] = /^ *HALL \{[\s\S]*?\n {5}\}\n/m.exec(accounts) ?? []
  const imports = accounts.match(/^ *\{ stream: \{ account: HALL.*\n/gm)?.join('') ?? ''
  const filled = accounts.replace(hall, () => hall + toShed(hall)).replace(imports, () => imports + toShed(imports))
    .replace('$HUB_PASSWORD', PASSWORDS.hub).replace('$HALL_PASSWORD', PASSWORDS.hall)
    .replace('$SHED_PASSWORD', PASSWORDS.shed)
  return `${tls(folder)}\n${filled}`
}

const tls = (folder: string) => `tls { cert_file: "${folder}/server.pem", key_file: "${folder}/server-key.pem" }`

/** Of a server that is still set up as the guide of version 2.0 said: one account, in which sites have permissions. */
export function oldServerConfig (folder: string): string {
  const site = (name: 'hall' | 'shed') => `{ user: ${name}, password: ${PASSWORDS[name]}, permissions: {
    publish: ["prnd.main.beat.${name}.>", "prnd.main.events.${name}.>", "prnd.main.inbox.hub.>",
      "$KV.prnd-main-state.${name}.>", "$KV.prnd-main-leases.${name}.>", "$JS.API.INFO",
      "$JS.API.STREAM.INFO.KV_prnd-main-leases",
      "$JS.API.DIRECT.GET.KV_prnd-main-leases.$KV.prnd-main-leases.${name}.>", "$JS.API.STREAM.INFO.KV_prnd-main-state",
      "$JS.API.STREAM.INFO.prnd-main-events", "$JS.API.CONSUMER.*.KV_prnd-main-state.>",
      "$JS.API.CONSUMER.CREATE.KV_prnd-main-state", "$JS.FC.>"],
    subscribe: ["prnd.main.inbox.${name}.>", "prnd.main.call.${name}.>"] } }`
  return `${tls(folder)}
    authorization { users = [
      { user: hub, password: ${PASSWORDS.hub}, permissions: {
        publish: ["prnd.main.call.>", "$JS.API.>", "$JS.ACK.>", "$JS.FC.>"],
        subscribe: ["prnd.main.inbox.hub.>", "prnd.main.beat.>"] } }
      ${site('hall')}
      ${site('shed')}
    ] }`
}

/** What the fleet's server gets for sites behind routers, which reach it through another port. */
export const leafServerConfig = (folder: string, port: number, reachedAt: number): string =>
  block('leafnodes \\{\n *listen').replace('0.0.0.0:7422', `127.0.0.1:${port}`)
    .replace('hub.example.org:7422', `localhost:${reachedAt}`).replaceAll('/etc/nats', folder)

/** What the server of such a site has, besides the address it listens on. */
export const leafConfig = (folder: string, port: number): string => block('listen: 127.0.0.1:4222')
  .replace(/ *listen: .*/, '').replace('SHED_PASSWORD', PASSWORDS.shed)
  .replace('hub.example.org:7422', `localhost:${port}`).replaceAll('/etc/nats', folder)
