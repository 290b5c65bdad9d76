/** Differences between the servers of printer families. */
export interface FtpProfile {
  readonly welcome: string
  /** Lines of FEAT; undefined if the command is unknown. */
  readonly features: readonly string[] | undefined
  /** Data connections must resume the TLS session of the control connection. */
  readonly mustResume: boolean
  /** Downloads can start at any position (REST). */
  readonly ranges: boolean
  /** Reports free space (AVBL). */
  readonly reportsSpace: boolean
  /** `LIST -a` includes names that begin with a dot. */
  readonly listsHidden: boolean
  /** Data connections may be unencrypted. */
  readonly plainData: boolean
  /** Closes TLS properly on the data connection after an upload. */
  readonly closesPolitely: boolean
}

const FEATURES = ['EPRT', 'EPSV', 'MDTM', 'PASV', 'PBSZ', 'PROT', 'REST STREAM', 'SIZE', 'TVFS', 'UTF8']

/** The server of most families. @param ranges whether downloads can start at any position */
export const vsftpd = (ranges: boolean): FtpProfile => ({
  welcome: '(vsFTPd 3.0.5)',
  features: FEATURES.filter(name => ranges || !name.startsWith('REST')),
  mustResume: true,
  ranges,
  reportsSpace: true,
  listsHidden: true,
  plainData: false,
  closesPolitely: true
})
