import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface ChildProcess {
  readonly pid: number
  /** Program and arguments. */
  readonly command: string
}

/** The programs that this process has started and that still run. */
export function childProcesses (): ChildProcess[] {
  return readdirSync('/proc').filter(name => /^\d+$/.test(name)).flatMap(name => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (parent !== String(process.pid) || state === 'Z') return []
      return [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') }]
    } catch {
      return [] // gone meanwhile
    }
  })
}

/** Whether a process is there, and has not ended without being asked for its code. */
export function isRunning (pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync(`/proc/${pid}/stat`) || !/^\S+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Their command lines. */
export const children = (): string[] => childProcesses().map(({ command }) => command)
/** Decoders; one that is asked for its version is none, and may still run when a service has begun. */
export const ffmpegs = (): string[] =>
  children().filter(line => line.includes('ffmpeg') && !line.includes(' -version'))
export const descriptors = (): number => readdirSync('/proc/self/fd').length
export const noProc: string | false = process.platform === 'linux' ? false : 'there is no /proc here'
