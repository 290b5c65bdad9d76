import { spawn } from 'node:child_process'
import { childEnvironment, DESKTOP } from './environment.js'

/** Shows an address to whoever sits at this machine. @returns false where nothing could be opened */
export type OpenBrowser = (address: string) => Promise<boolean>

/** How long the desktop may take to refuse; a program that still runs then has taken the address. */
const PATIENCE_MS = 3_000

/** The desktop's own way to open an address. None of them is a shell: the address stays one argument. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler']
}
const FREEDESKTOP = ['xdg-open']

export const openerOf = (platform: NodeJS.Platform): readonly string[] => OPENERS[platform] ?? FREEDESKTOP

/** Starts a program that outlives us. @returns false when it is not there or fails within `patienceMs` */
export function launch ([program = '', ...args]: readonly string[], patienceMs = PATIENCE_MS) {
  return new Promise<boolean>(resolve => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true, env: childEnvironment(DESKTOP) })
    const timer = setTimeout(() => settle(true), patienceMs).unref()
    const settle = (opened: boolean) => {
      clearTimeout(timer)
      child.unref()
      resolve(opened)
    }
    child.once('error', () => settle(false))
    child.once('exit', code => settle(code === 0))
  })
}

export const openBrowser: OpenBrowser = address => launch([...openerOf(process.platform), address])
