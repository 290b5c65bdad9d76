// The network servers of a printer, used by virtual printers and the relay.
export { createAnnouncer, type AnnounceOptions, type Announced, type Announcer } from './announce.js'
export { createBroker, isUser } from './broker.js'
export type { Broker, BrokerHandler, BrokerLimits, Login, Peer } from './broker.js'
export { awaitLogin, frame, frameHeader } from './camera-pictures.js'
export { createFtpServer, type FtpServer } from './ftp/server.js'
export type { FaultSource, FtpFault } from './ftp/fault.js'
export { vsftpd, type FtpProfile } from './ftp/profile.js'
export { absolute, baseOf, CardFull, parentOf } from './ftp/store.js'
export type { CardStore, Named, ServedCard, Sink, Stat } from './ftp/store.js'
export {
  DETECT_LIMITS, frameDetect, readDetectFrames, serveDetect, type DetectedPrinter, type DetectFrames
} from './detect.js'
export { createIdentity, type Identity } from './identity.js'
export { openListener, openPlainListener, type Listener, type PlainListener, type Welcome } from './listener.js'
export { createBasic, createDigest, createEither, newNonce, type Authentication } from './rtsp/authentication.js'
export { serveRtsp, type RtspConnectionOptions } from './rtsp/connection.js'
export { SIGNS_OF_LIFE, type Channels, type Reply, type RtspPlayer, type SignOfLife } from './rtsp/dialogue.js'
export { readRequest, type RtspRequest } from './rtsp/request.js'
export {
  createRtpStream, interleave, isFragment, PAYLOAD_TYPE, RTP_CLOCK_HZ, RTP_HEADER_BYTES, sequenceOf, type RtpStream
} from './rtsp/rtp.js'
export { writeSdp, TRACK, type ParameterSets } from './rtsp/sdp.js'
