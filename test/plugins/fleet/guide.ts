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

/** Of the fleet's server: TLS, and users with their permissions, among them one for a further site. */
export function serverConfig (folder: string): string {
  const users = /authorization \{[\s\S]*/.exec(block('listen: 0.0.0.0:4222'))?.[0] ?? ''
  const [hall = ''] = /\{ user: hall[\s\S]*?\} \}/.exec(users) ?? []
  const shed = hall.replaceAll(/\bhall\b/g, 'shed').replace('$HALL_', '$SHED_')
  const filled = users.replace(hall, `${hall}\n${shed}`)
    .replace('$HUB_PASSWORD', PASSWORDS.hub).replace('$HALL_PASSWORD', PASSWORDS.hall)
    .replace('$SHED_PASSWORD', PASSWORDS.shed)
  return `tls { cert_file: "${folder}/server.pem", key_file: "${folder}/server-key.pem" }\n${filled}`
}

/** What the fleet's server gets for sites behind routers, which reach it through another port. */
export const leafServerConfig = (folder: string, port: number, reachedAt: number): string =>
  block('leafnodes \\{\n *listen').replace('0.0.0.0:7422', `127.0.0.1:${port}`)
    .replace('hub.example.org:7422', `localhost:${reachedAt}`).replaceAll('/etc/nats', folder)

/** What the server of such a site has, besides the address it listens on. */
export const leafConfig = (folder: string, port: number): string => block('listen: 127.0.0.1:4222')
  .replace(/ *listen: .*/, '').replace('SHED_PASSWORD', PASSWORDS.shed)
  .replace('hub.example.org:7422', `localhost:${port}`).replaceAll('/etc/nats', folder)
