/** What makes the server of one family differ from that of another. */
export interface FtpProfile {
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
}

const FEATURES = ['EPRT', 'EPSV', 'MDTM', 'PASV', 'PBSZ', 'PROT', 'REST STREAM', 'SIZE', 'TVFS', 'UTF8']

/** The server that most families have. @param ranges it offers to send a file from any place */
export const vsftpd = (ranges: boolean): FtpProfile => ({
  welcome: '(vsFTPd 3.0.5)',
  features: FEATURES.filter(name => ranges || !name.startsWith('REST')),
  mustResume: true,
  ranges,
  tellsSpace: true,
  listsHidden: true,
  plainData: false,
  closesPolitely: true
})
