import { spawn } from 'node:child_process'
import { childEnvironment, DESKTOP } from './environment.js'

/** Opens a URL in the user's browser. @returns false if that is not possible */
export type OpenBrowser = (address: string) => Promise<boolean>

/** A program that still runs after this time has accepted the URL. */
const LAUNCH_MS = 3_000

/** The platform's program that opens a URL. None of them is a shell: the URL stays one argument. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler']
}
const FREEDESKTOP = ['xdg-open']

export const openerOf = (platform: NodeJS.Platform): readonly string[] => OPENERS[platform] ?? FREEDESKTOP

/** Starts a detached program. @returns false if it is missing or fails within `withinMs` */
export function launch ([program = '', ...args]: readonly string[], withinMs = LAUNCH_MS) {
  return new Promise<boolean>(resolve => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true, env: childEnvironment(DESKTOP) })
    const timer = setTimeout(() => settle(true), withinMs).unref()
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
