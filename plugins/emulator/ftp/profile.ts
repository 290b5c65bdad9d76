import { vsftpd, type FtpProfile } from '../../printer-servers/index.js'
import type { Traits } from '../models/traits.js'

/** Differences between the servers of the families. */
export interface Profile extends FtpProfile {
  /** Folders that always exist. */
  readonly folders: readonly string[]
  /** A marker file of 16 bytes in the root. */
  readonly marker: boolean
}

const FOLDERS: Readonly<Record<Traits['series'], readonly string[]>> = {
  A1: ['cache', 'image', 'ipcam', 'model', 'timelapse', 'timelapse/thumbnail'],
  P1: ['cache', 'image', 'logger', 'model', 'timelapse', 'timelapse/thumbnail'],
  X1: ['cache', 'image', 'ipcam', 'ipcam/thumbnail', 'language', 'logger', 'model', 'recorder', 'timelapse', 'timelapse/thumbnail'],
  P2: ['ipcam', 'ipcam/thumbnail', 'timelapse', 'timelapse/thumbnail'],
  H2: ['corelogger', 'ipcam', 'ipcam/thumbnail', 'timelapse', 'timelapse/thumbnail'],
  X2: ['corelogger', 'ipcam', 'ipcam/thumbnail', 'timelapse', 'timelapse/thumbnail']
}

const common = (series: Traits['series']) =>
  ({ folders: FOLDERS[series].map(name => `/${name}`), marker: series === 'X1' || series === 'P1' })

/** The A1 family has a small server of its own, all others vsFTPd. */
export const profileOf = ({ series }: Traits, ranges: boolean): Profile => series === 'A1'
  ? {
      ...common(series),
      welcome: 'Service ready for new user.',
      features: undefined,
      mustResume: false,
      ranges: false,
      reportsSpace: false,
      listsHidden: false,
      plainData: true,
      closesPolitely: false
    }
  : { ...common(series), ...vsftpd(ranges) }
