import { canPlay } from 'camera-player'
import { call, has } from './api.js'
import { useEffect, useState } from './lib.js'
import { currentToken } from './token.js'

/**
 * Addresses of a printer's streams, relative to this page, and whether they are video. Browsers send no token with
 * streams: without a login there are only snapshots.
 * @param {string} printer
 */
export function useStreams (printer) {
  const [streams, setStreams] = useState({ path: '', video: false, known: false })
  useEffect(() => {
    let gone = false
    const found = (path, video) => { if (!gone) setStreams({ path, video, known: true }) }
    if (!has('stream_url') || currentToken() !== '') return found('', false)
    setStreams({ path: '', video: false, known: false })
    call('stream_url').then(
      ({ shared_url: url, protocol }) => found(new URL(url).pathname.slice(1), protocol === 'rtsps' && canPlay),
      () => found('', false))
    return () => { gone = true }
  }, [printer])
  return streams
}
