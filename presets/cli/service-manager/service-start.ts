import { ENGINE } from '../memory-options.js'

/** What a service manager starts, and for whom. */
export interface ServiceStart {
  /** Path of Node. */
  readonly node: string
  /** Path of this program. */
  readonly program: string
  /** Where it is not the usual one. */
  readonly configFile?: string | undefined
  /** Folder of the configuration. */
  readonly configFolder: string
  /** Where it is not the usual one, and the configuration does not say it. */
  readonly dataDir?: string | undefined
  /** The person that it runs as. */
  readonly user: string
  /** Of that person; `-1` on Windows. */
  readonly uid: number
  readonly home: string
}

/** The command that a service manager runs. */
export const wordsOf = ({ node, program, configFile }: ServiceStart): readonly [string, ...string[]] =>
  [node, ...ENGINE, program, 'daemon', ...configFile === undefined ? [] : ['--config', configFile]]
