import type { Traits } from '../models/traits.js'

/** What makes the server of one family differ from that of another. */
export interface Profile {
  readonly welcome: string
  /** Lines of FEAT; undefined: it is not known. */
  readonly features: readonly string[] | undefined
  /** A data connection must resume the session of the control connection. */
  readonly mustResume: boolean
  /** Files can be sent from any place. */
  readonly ranges: boolean
  /** Tells how much still fits. */
  readonly tellsSpace: boolean
  /** `LIST -a` shows names that begin with a dot. */
  readonly listsHidden: boolean
  /** Data may go unprotected. */
  readonly plainData: boolean
  /** Says goodbye on the data connection after an upload. */
  readonly closesPolitely: boolean
  /** Folders that are there from the beginning. */
  readonly folders: readonly string[]
  /** A marker file of 16 bytes in the root. */
  readonly marker: boolean
}

const VSFTPD_FEATURES = ['EPRT', 'EPSV', 'MDTM', 'PASV', 'PBSZ', 'PROT', 'REST STREAM', 'SIZE', 'TVFS', 'UTF8']

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
      tellsSpace: false,
      listsHidden: false,
      plainData: true,
      closesPolitely: false
    }
  : {
      ...common(series),
      welcome: '(vsFTPd 3.0.5)',
      features: VSFTPD_FEATURES.filter(name => ranges || !name.startsWith('REST')),
      mustResume: true,
      ranges,
      tellsSpace: true,
      listsHidden: true,
      plainData: false,
      closesPolitely: true
    }
